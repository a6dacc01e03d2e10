#pragma once

#include "common/line_sorter.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace touchstone::pipeline::automatic {

/// Brings the passages of a corpus into an order that looks random and depends on their ids and a seed alone: by the
/// hash of the id. Memory is bounded; the rest is sorted on disk. Not thread-safe. Throws StorageError as LineSorter
/// does.
class CorpusOrder {
 public:
  static constexpr std::size_t kSortBytes = std::size_t{64} << 20;

  CorpusOrder(std::filesystem::path folder, std::uint64_t seed, std::size_t sort_bytes = kSortBytes)
      : lines_(std::move(folder), sort_bytes), seed_(seed) {}

  /// Of several passages with one id, the first one is kept. \pre neither the id nor the text holds a line end, and the
  /// id no blank
  void add(std::string_view id, std::string_view text);

  /// Gives the texts in their order. Call once, after the last `add`.
  void for_each(const std::function<void(std::string_view text)>& take);

 private:
  LineSorter lines_;  // hash, id, number and text, parted by blanks
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

}  // namespace touchstone::pipeline::automatic
