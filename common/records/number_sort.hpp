#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace touchstone::records {

/// A record that is nothing but numbers of 32 bits and is ordered by them, the first one first. It says so by
///
///     std::array<std::uint32_t, N> words() const;
template <class Record>
concept Words = requires(const Record& record) {
  { record.words().size() } -> std::convertible_to<std::size_t>;
  { record.words()[0] } -> std::convertible_to<std::uint32_t>;
};

namespace internal {

/// What sorting need not look at.
template <std::size_t kWords>
struct WordOrder {
  std::size_t unordered = kWords;                ///< words in front of those in whose order the records are already
  std::array<std::uint32_t, kWords> changing{};  ///< bits that are not the same in all records
};

template <std::size_t kWords, class Record>
WordOrder<kWords> word_order(const std::vector<Record>& records) {
  WordOrder<kWords> order;
  std::array<bool, kWords> is_ordered;  // from this word on
  is_ordered.fill(true);
  auto before = records.front().words();
  for (const auto& record : records) {
    const auto words = record.words();
    for (std::size_t i = 0; i < kWords; ++i) {
      order.changing[i] |= words[i] ^ before[i];
      if (is_ordered[i])
        is_ordered[i] = !std::lexicographical_compare(words.begin() + i, words.end(), before.begin() + i, before.end());
    }
    before = words;
  }
  order.unordered =
      static_cast<std::size_t>(std::find(is_ordered.begin(), is_ordered.end(), true) - is_ordered.begin());
  return order;
}

}  // namespace internal

/// Sorts records byte by byte, beginning with the last byte (least significant digit radix sort): Knuth, The Art of
/// Computer Programming 3, section 5.2.5. Left out are bytes that are the same in all records, and the last words if
/// the records are in their order already. Needs the memory of the records once more, which `spare` keeps for the next
/// call.
template <Words Record>
void sort_words(std::vector<Record>& records, std::vector<Record>& spare) {
  constexpr std::size_t kWords = std::tuple_size_v<decltype(records[0].words())>;
  if (records.empty()) return;
  const auto order = internal::word_order<kWords>(records);
  spare.resize(records.size());
  for (std::size_t word = order.unordered; word-- > 0;) {
    for (int shift = 0; shift < 32; shift += 8) {
      if ((order.changing[word] >> shift & 0xFFU) == 0) continue;
      std::array<std::size_t, 256> places{};
      for (const auto& record : records) ++places[record.words()[word] >> shift & 0xFFU];
      std::size_t before = 0;
      for (auto& place : places) before += std::exchange(place, before);
      for (const auto& record : records) spare[places[record.words()[word] >> shift & 0xFFU]++] = record;
      records.swap(spare);
    }
  }
}

}  // namespace touchstone::records
