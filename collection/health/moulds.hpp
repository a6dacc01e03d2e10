#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::collection::health {

/// What is left of a text without what stubs of one mould differ in: "X is a shrine in X" for "Hakusan Shrine is a
/// shrine in Niihama, Ehime". Numbers, capitalised words, `names` and the texts at `spans` become one X for each run of
/// them; letters are lower case, and punctuation is dropped. Equal texts are of one mould. Pure.
/// \param names  titles of the page and of members, which scripts without capitals need
/// \param spans  code points of links and mentions; any order, may overlap
std::string mould_of(std::string_view text, const std::vector<std::string>& names,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& spans);

}  // namespace touchstone::collection::health
