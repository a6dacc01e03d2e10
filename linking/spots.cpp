#include "linking/spots.hpp"

#include "linking/phrases.hpp"
#include "text/folded_text.hpp"

#include <cstddef>
#include <optional>

namespace touchstone::linking {
namespace {

struct LongestAnchor {
  Anchor anchor;
  std::size_t last = 0;  ///< token
};

std::optional<LongestAnchor> longest_at(const Dictionary& dictionary, const std::vector<Token>& tokens,
                                        std::size_t first, double min_link_probability, text::WordBounds& bounds) {
  std::optional<LongestAnchor> longest;
  std::uint64_t phrase = kEmptyPhrase;
  for (std::size_t i = first; i < tokens.size() && i - first < kMostTokens; ++i) {
    if (i > first && !tokens[i].follows_closely) break;
    phrase = longer_phrase(phrase, tokens[i].hash);
    const auto finding = dictionary.find(phrase);
    if (finding.anchor && finding.anchor->link_probability() >= min_link_probability &&
        !finding.anchor->meanings.empty() && bounds.encloses(tokens[first].begin, tokens[i].end))
      longest = LongestAnchor{*finding.anchor, i};
    if (!finding.continues) break;
  }
  return longest;
}

}  // namespace

void find_spots(const Dictionary& dictionary, std::string_view text, std::uint32_t number, double min_link_probability,
                std::vector<Spot>& spots) {
  const text::FoldedText folded(text);
  const auto tokens = tokens_of(folded);
  text::WordBounds bounds(folded.letters);
  for (std::size_t i = 0; i < tokens.size();) {
    const auto found = longest_at(dictionary, tokens, i, min_link_probability, bounds);
    if (!found) {
      ++i;
      continue;
    }
    spots.push_back({number, tokens[i].begin, tokens[found->last].end, found->anchor});
    i = found->last + 1;
  }
}

}  // namespace touchstone::linking
