#include "pipeline/judging/gold_examples.hpp"

#include "common/digest.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace touchstone::pipeline::judging {
namespace {

constexpr std::size_t kPairsAtOnce = 256;

/// A candidate with a label, and where its question comes from.
struct Labelled {
  GoldKey pair;
  GoldLabel label;
  const evidence::Group* group = nullptr;
  PageId member;
  evidence::CandidatePassage passage;
};

std::uint64_t place_of(const GoldKey& pair) {
  const auto& [structured, member, title] = pair;
  return xxh3_64(structured + "\t" + member + "\t" + title);
}

/// Keeps the first few labels of a grade by their places.
class FirstLabels {
 public:
  explicit FirstLabels(std::size_t count) : count_(count) {}

  void add(Labelled labelled) {
    const auto place = std::pair(place_of(labelled.pair), labelled.pair);
    kept_.try_emplace(place, std::move(labelled));  // the first passage of a page stays
    if (kept_.size() > count_) kept_.erase(std::prev(kept_.end()));
  }
  std::vector<Labelled> take() {
    std::vector<Labelled> labels;
    for (auto& [place, labelled] : kept_) labels.push_back(std::move(labelled));
    return labels;
  }

 private:
  std::size_t count_;
  std::map<std::pair<std::uint64_t, GoldKey>, Labelled> kept_;
};

std::array<std::vector<Labelled>, 2> labelled_candidates(const GoldLabels& gold, std::size_t count,
                                                         const CandidateReader& candidates,
                                                         const corpus::TitleIndex& titles) {
  std::array<FirstLabels, 2> first{FirstLabels(count), FirstLabels(count)};
  std::map<PageId, std::string> titles_of;
  candidates.for_each_chunk(kPairsAtOnce, [&](const CandidateChunk& chunk) {
    for (const auto& member : chunk.candidates.members) {
      const auto name = std::find_if(chunk.group->members.begin(), chunk.group->members.end(),
                                     [&](const auto& m) { return m.page == member.page; });
      if (name == chunk.group->members.end()) continue;
      for (const auto& passage : member.passages) {
        auto [title, is_new] = titles_of.try_emplace(passage.page);
        if (is_new) {
          if (const auto page = titles.page(passage.page)) title->second = page->title.text;
        }
        GoldKey pair{chunk.group->structured, name->title, title->second};
        const auto* label = gold.find(pair);
        if (label != nullptr)
          first[label->grade > 0 ? 1 : 0].add({std::move(pair), *label, chunk.group, member.page, passage});
      }
    }
  });
  return {first[0].take(), first[1].take()};
}

}  // namespace

std::vector<GoldExample> choose_examples(const GoldLabels& gold, std::size_t count, const CandidateReader& candidates,
                                         const corpus::TitleIndex& titles, const passages::PassageCorpus& passages) {
  auto [no, yes] = labelled_candidates(gold, count, candidates, titles);
  std::vector<GoldExample> examples;
  for (std::size_t i = 0; i < std::max(no.size(), yes.size()); ++i) {
    for (auto* labels : {&yes, &no}) {
      if (i >= labels->size()) continue;
      auto& chosen = (*labels)[i];
      const evidence::TopicCandidates one{chosen.group->topic, {{chosen.member, {chosen.passage}}}};
      auto questions = compose_questions(titles, passages, *chosen.group, one, {});
      examples.push_back({std::move(chosen.pair), std::move(questions.front().request), std::move(chosen.label)});
    }
  }
  return examples;
}

}  // namespace touchstone::pipeline::judging
