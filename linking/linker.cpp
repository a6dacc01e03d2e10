#include "linking/linker.hpp"

#include "linking/phrases.hpp"
#include "text/folded_text.hpp"

#include <algorithm>
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

std::vector<Annotation> Linker::link(const std::vector<std::string>& texts) {
  auto choices = choices_of(texts);
  const bool votes = options_.disambiguation == Disambiguation::kVoting;
  if (votes) {
    find_voters(choices);
    for (auto& choice : choices) choose(choice, choices);
  }
  std::vector<Annotation> annotations;
  for (const auto& choice : choices) {
    Annotation found{choice.spot.text, choice.spot.begin, choice.spot.end, choice.meanings[choice.chosen].entity};
    found.link_probability = choice.spot.anchor.link_probability();
    found.commonness = choice.commonness[choice.chosen];
    found.score = found.link_probability;
    if (votes) {
      found.coherence = coherence(choice, choices);
      found.score = (found.link_probability + found.coherence) / 2;
      if (found.score < options_.min_score) continue;
    }
    annotations.push_back(found);
  }
  return annotations;
}

void Linker::find_spots(std::string_view text, std::uint32_t number, std::vector<Spot>& spots) const {
  const text::FoldedText folded(text);
  const auto tokens = prose_tokens_of(folded);
  text::WordBounds bounds(folded.letters);
  for (std::size_t i = 0; i < tokens.size();) {
    const auto found = longest_at(dictionary_, tokens, i, options_.min_link_probability, bounds);
    if (!found) {
      ++i;
      continue;
    }
    spots.push_back({number, tokens[i].begin, tokens[found->last].end, found->anchor});
    i = found->last + 1;
  }
}

std::vector<Linker::Choice> Linker::choices_of(const std::vector<std::string>& texts) const {
  std::vector<Spot> spots;
  for (std::uint32_t i = 0; i < texts.size(); ++i) find_spots(texts[i], i, spots);
  std::vector<Choice> choices;
  choices.reserve(spots.size());
  for (const auto& spot : spots) {
    Choice choice;
    choice.spot = spot;
    double all = 0;
    for (const auto& meaning : spot.anchor.meanings) all += meaning.pages;
    for (const auto& meaning : spot.anchor.meanings) {
      if (choice.meanings.size() == static_cast<std::size_t>(options_.max_meanings)) break;
      if (!choice.meanings.empty() && meaning.pages < options_.min_commonness * all) continue;
      choice.meanings.push_back(meaning);
      choice.commonness.push_back(all <= 0 ? 0 : meaning.pages / all);
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

/// The nearest phrases on both sides, each phrase once, and not the phrase itself.
void Linker::find_voters(std::vector<Choice>& choices) const {
  const auto wanted = static_cast<std::size_t>(options_.voters);
  const std::size_t farthest = 2 * wanted;  // phrases that recur do not make the search long
  std::vector<std::uint32_t> anchors;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    auto& voters = choices[i].voters;
    anchors.assign(1, choices[i].spot.anchor.number);
    const auto take = [&](std::size_t other) {
      const auto anchor = choices[other].spot.anchor.number;
      if (voters.size() == wanted || std::find(anchors.begin(), anchors.end(), anchor) != anchors.end()) return;
      anchors.push_back(anchor);
      voters.push_back(other);
    };
    for (std::size_t distance = 1; distance <= farthest && voters.size() < wanted; ++distance) {
      if (distance <= i) take(i - distance);
      if (i + distance < choices.size()) take(i + distance);
    }
  }
}

/// The mean relatedness of an entity to a phrase's meanings, each weighted by its commonness (TagMe, section 3.1).
double Linker::vote(const Choice& voter, std::uint32_t entity) {
  double sum = 0;
  for (std::size_t i = 0; i < voter.meanings.size(); ++i)
    sum += relatedness_(voter.meanings[i].entity, entity) * voter.commonness[i];
  return sum / static_cast<double>(voter.meanings.size());
}

/// Of the meanings with nearly the most votes, the most common one ("disambiguation by threshold").
void Linker::choose(Choice& choice, const std::vector<Choice>& choices) {
  if (choice.meanings.size() == 1) return;
  std::vector<double> votes(choice.meanings.size(), 0);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    for (const auto voter : choice.voters) votes[i] += vote(choices[voter], choice.meanings[i].entity);
  }
  const double enough = *std::max_element(votes.begin(), votes.end()) * (1 - options_.near_best);
  choice.chosen = static_cast<std::size_t>(
      std::find_if(votes.begin(), votes.end(), [&](double sum) { return sum >= enough; }) - votes.begin());
}

double Linker::coherence(const Choice& choice, const std::vector<Choice>& choices) {
  if (choice.voters.empty()) return 0;
  double sum = 0;
  for (const auto voter : choice.voters) {
    const auto& other = choices[voter];
    sum += relatedness_(choice.meanings[choice.chosen].entity, other.meanings[other.chosen].entity);
  }
  return sum / static_cast<double>(choice.voters.size());
}

}  // namespace touchstone::linking
