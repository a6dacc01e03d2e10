#pragma once

#include "pipeline/passages/near_duplicates/word_bigrams.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace touchstone::pipeline::passages::near_duplicates {

/// A digest of what a text says of its own page, by which stubs of one pattern differ: its numbers (runs of digits in
/// any script), the targets of its links, and those words of the page's title that it holds. Order and repetition do
/// not count. Words of a title in lower case with at most three letters ("of", "la") do not count either, since any
/// text may hold them. 0 for a text with none of these. The same on all platforms. Pure but for `hasher`.
/// \param link_targets  titles as they are written
std::uint64_t digest_of_facts(std::string_view text, std::string_view page_title,
                              std::span<const std::string_view> link_targets, WordHasher& hasher);

}  // namespace touchstone::pipeline::passages::near_duplicates
