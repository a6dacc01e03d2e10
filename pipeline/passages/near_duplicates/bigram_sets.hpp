#pragma once

#include "pipeline/passages/near_duplicates/growing_array.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Sets of bigrams, numbered from 0 in the order in which they came, each with a digest of its facts. 8 bytes a bigram
/// and 16 a set, in files.
class BigramSets {
 public:
  /// \param window_bytes  of the files that are in memory at a time; 0: no limit
  explicit BigramSets(const std::filesystem::path& folder = {}, std::size_t window_bytes = 0)
      : bigrams_(folder, window_bytes / 2), ends_(folder, window_bytes / 4), facts_(folder, window_bytes / 4) {}

  /// \param bigrams  ascending and distinct
  void add(std::span<const std::uint64_t> bigrams, std::uint64_t facts = 0) {
    bigrams_.append(bigrams);
    facts_.push_back(facts);
    ends_.push_back(bigrams_.size());
  }
  /// Sets with different facts are no near-duplicates, whatever they share.
  std::uint64_t facts(std::size_t set) const noexcept { return facts_[set]; }
  std::size_t size() const noexcept { return ends_.size(); }
  std::size_t size(std::size_t set) const noexcept { return ends_[set] - begin(set); }
  std::span<const std::uint64_t> operator[](std::size_t set) const noexcept {
    return bigrams_.view(begin(set), size(set));
  }

 private:
  std::uint64_t begin(std::size_t set) const noexcept { return set == 0 ? 0 : ends_[set - 1]; }

  GrowingArray<std::uint64_t> bigrams_;
  GrowingArray<std::uint64_t> ends_;
  GrowingArray<std::uint64_t> facts_;
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
