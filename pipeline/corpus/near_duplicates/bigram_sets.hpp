#pragma once

#include "pipeline/corpus/near_duplicates/growing_array.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace touchstone::pipeline::corpus::near_duplicates::internal {

/// Sets of bigrams, numbered from 0 in the order in which they came. 8 bytes a bigram and 8 a set.
class BigramSets {
 public:
  explicit BigramSets(const std::filesystem::path& folder = {}) : bigrams_(folder) {}

  /// \param bigrams  ascending and distinct
  void add(std::span<const std::uint64_t> bigrams) {
    bigrams_.append(bigrams);
    ends_.push_back(bigrams_.size());
  }
  std::size_t size() const noexcept { return ends_.size(); }
  std::span<const std::uint64_t> operator[](std::size_t set) const noexcept {
    const std::uint64_t begin = set == 0 ? 0 : ends_[set - 1];
    return {bigrams_.data() + begin, static_cast<std::size_t>(ends_[set] - begin)};
  }

 private:
  GrowingArray<std::uint64_t> bigrams_;
  GrowingArray<std::uint64_t> ends_;
};

}  // namespace touchstone::pipeline::corpus::near_duplicates::internal
