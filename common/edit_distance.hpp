#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

/// Edit distance in bytes, for "did you mean" in messages about unknown names: bytes that are inserted, left out or
/// changed count one each, and so do two neighbours that change places (optimal string alignment).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// "; did you mean X?" with the name that is nearest to a misspelt word, the first of several; empty if none is near: a
/// third of the word's bytes may differ, or two, or one of a word of three.
///
/// \param names  a range of strings
template <class Names>
std::string did_you_mean(std::string_view word, const Names& names) {
  constexpr std::size_t kMostBytes = 100;  // longer words name nothing here and take long to compare
  word = word.substr(0, kMostBytes);
  std::size_t nearest = std::max<std::size_t>(word.size() < 4 ? 1 : 2, word.size() / 3) + 1;
  std::string_view best;
  for (const auto& name : names) {
    const auto distance = edit_distance(word, std::string_view(name).substr(0, kMostBytes));
    if (distance >= nearest) continue;
    nearest = distance;
    best = name;
  }
  return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

}  // namespace touchstone
