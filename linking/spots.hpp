#pragma once

#include "linking/dictionary.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::linking {

/// A place of a text where a phrase of the dictionary stands.
struct Spot {
  std::uint32_t text = 0;            ///< number of the text
  std::uint32_t begin = 0, end = 0;  ///< code points
  Anchor anchor;
};

/// Appends the phrases of a text that are links on at least `min_link_probability` of their pages: whole words, the
/// leftmost first, of those the longest, so that no two overlap. Pure and thread-safe.
void find_spots(const Dictionary& dictionary, std::string_view text, std::uint32_t number, double min_link_probability,
                std::vector<Spot>& spots);

}  // namespace touchstone::linking
