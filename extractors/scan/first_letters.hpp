#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// The entries whose name begins with `letter`.
template <class Entry, std::size_t kSize>
constexpr std::span<const Entry> with_first_letter(const Entry (&table)[kSize], const FirstLetters& first,
                                                   char letter) noexcept {
  if (letter < 'a' || letter > 'z') return {};
  const auto place = static_cast<std::size_t>(letter - 'a');
  return std::span<const Entry>(table).subspan(first[place], first[place + 1] - first[place]);
}

}  // namespace touchstone::extractors::scan
