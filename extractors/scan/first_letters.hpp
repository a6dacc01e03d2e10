#pragma once

#include "extractors/scan/text_scan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace touchstone::extractors::scan {

/// Where the entries with each first letter begin in a table, and the end of the table.
using FirstLetters = std::array<std::uint8_t, 27>;

/// \param table  in the order of `name`, all of which begin with a letter from a to z
template <class Entry, std::size_t kSize>
constexpr FirstLetters make_first_letters(const Entry (&table)[kSize]) {
  static_assert(kSize < 256);
  FirstLetters first{};
  std::size_t i = 0;
  for (std::size_t letter = 0; letter < first.size(); ++letter) {
    while (i < kSize && static_cast<std::size_t>(table[i].name.front() - 'a') < letter) ++i;
    first[letter] = static_cast<std::uint8_t>(i);
  }
  return first;
}

/// The entry with this name, in any case; null for other names.
template <class Entry, std::size_t kSize>
constexpr const Entry* find_by_name(const Entry (&table)[kSize], const FirstLetters& first,
                                    std::string_view name) noexcept {
  if (name.empty() || !is_letter(name.front())) return nullptr;
  const auto place = static_cast<std::size_t>(ascii_lower(name.front()) - 'a');
  for (std::size_t i = first[place]; i < first[place + 1]; ++i) {
    if (equals_ignoring_case(name, table[i].name)) return &table[i];
  }
  return nullptr;
}

}  // namespace touchstone::extractors::scan
