#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::collection::health {

/// What a gloss is: a text in brackets behind a name, or words in another script than the rest, as "伊曽乃神社" in
/// "Isono Shrine (伊曽乃神社) is a shrine".
enum class Gloss : std::uint8_t {
  kName,  ///< another form of the name
  kSaid,  ///< something that the text says of what it names
};

/// What is left of a text without what stubs of one mould differ in: "X is a shrine in X" for "Hakusan Shrine is a
/// shrine in Niihama, Ehime". Numbers, words with capitals, `names` and the texts at `spans` become one X for each run
/// of them; letters are lower case, and punctuation is dropped. Equal texts are of one mould. Pure.
/// \param names  titles of the page and of members, which scripts without capitals need; the case of their first
///               letters does not count, nor a qualifier as in "Karst (village)"
/// \param spans  code points of links and mentions; any order, may overlap
std::string mould_of(std::string_view text, const std::vector<std::string>& names,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& spans, Gloss gloss = Gloss::kName);

}  // namespace touchstone::collection::health
