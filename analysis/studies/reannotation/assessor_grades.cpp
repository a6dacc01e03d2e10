#include "analysis/studies/reannotation/assessor_grades.hpp"

#include "analysis/agreement/coefficients.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

constexpr std::size_t kStrayDivisor = 10;  ///< see AssessorBlock

agreement::Ratings read_all(const std::filesystem::path& qrels, const std::vector<std::filesystem::path>& files) {
  if (files.size() < 2) {
    throw ConfigError(fmt::format(
        "{} assessor is given; this study needs the qrels of at least 2: name the files, or their folder, with "
        "--assessors",
        files.size()));
  }
  std::vector<std::filesystem::path> all = {qrels};
  all.insert(all.end(), files.begin(), files.end());
  return agreement::read_ratings(all);
}

using agreement::Ratings;

/// The columns of some assessors, and the rows of some topics.
Ratings part_of(const Ratings& ratings, const std::vector<std::size_t>& assessors,
                const std::set<std::string, std::less<>>& topics) {
  Ratings part;
  for (const auto a : assessors) part.assessors.push_back(ratings.assessors[a]);
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    if (!topics.contains(ratings.items[i].first)) continue;
    part.items.push_back(ratings.items[i]);
    for (const auto a : assessors) part.grades.push_back(ratings.at(i, a));
  }
  return part;
}

PairAgreement agreement_of_pair(const Ratings& both, int min_grade) {
  PairAgreement pair;
  pair.items = both.items.size();
  const auto two = agreement::binary_ratings(both, min_grade);
  const auto items = agreement::all_items(both);
  pair.overlap = agreement::overlap(both, items);
  pair.kappa = agreement::cohen_kappa(both, items);
  pair.overlap_two = agreement::overlap(two, items);
  pair.kappa_two = agreement::cohen_kappa(two, items);
  return pair;
}

GroupAgreement agreement_of_group(const Ratings& ratings, const std::vector<std::size_t>& assessors,
                                  const std::set<std::string, std::less<>>& topics, int min_grade) {
  const auto all = part_of(ratings, assessors, topics);
  const auto complete = agreement::complete_ratings(all);
  GroupAgreement group;
  group.assessors = assessors;
  group.topics = topics.size();
  group.items = complete.items.size();
  const Ratings views[] = {complete, agreement::binary_ratings(complete, min_grade)};
  const Ratings partial[] = {all, agreement::binary_ratings(all, min_grade)};
  for (std::size_t v = 0; v < 2; ++v) {
    const auto items = agreement::all_items(views[v]);
    group.overlap[v] = agreement::overlap(views[v], items);
    group.kappa[v] = agreement::cohen_kappa(views[v], items);
    group.fleiss[v] = agreement::fleiss_kappa(views[v], items);
    group.alpha[v] = agreement::krippendorff_nominal(partial[v], agreement::all_items(partial[v]));
  }
  return group;
}

void add_pairs(const Ratings& ratings, int min_grade, AgreementNumbers& numbers) {
  for (std::size_t i = 0; i < ratings.assessors.size(); ++i) {
    for (std::size_t j = i + 1; j < ratings.assessors.size(); ++j) {
      const auto both = agreement::pair_of_assessors(ratings, i, j);
      if (both.items.empty()) continue;
      auto& all = numbers.pairs.emplace_back(agreement_of_pair(both, min_grade));
      all.first = i;
      all.second = j;
      std::set<std::string, std::less<>> topics;
      for (const auto& item : both.items) topics.insert(item.first);
      for (const auto& topic : topics) {
        auto& one = numbers.topic_pairs.emplace_back(agreement_of_pair(part_of(both, {0, 1}, {topic}), min_grade));
        one.topic = topic;
        one.first = i;
        one.second = j;
      }
    }
  }
  std::stable_sort(numbers.topic_pairs.begin(), numbers.topic_pairs.end(),
                   [](const PairAgreement& a, const PairAgreement& b) { return a.topic < b.topic; });
}

void count_transitions(const Ratings& ratings, Transitions& transitions) {
  std::map<std::pair<int, int>, std::uint64_t> counts;
  std::set<int> grades;
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    for (std::size_t a = 1; a < ratings.assessors.size(); ++a) {
      if (ratings.at(i, 0) == Ratings::kMissing || ratings.at(i, a) == Ratings::kMissing) continue;
      ++counts[{ratings.at(i, 0), ratings.at(i, a)}];
      grades.insert({ratings.at(i, 0), ratings.at(i, a)});
    }
  }
  transitions.grades.assign(grades.begin(), grades.end());
  for (const int row : grades) {
    for (const int column : grades) {
      const auto found = counts.find({row, column});
      transitions.counts.push_back(found == counts.end() ? 0 : found->second);
    }
  }
}

}  // namespace

AssessorGrades::AssessorGrades(const JudgedRuns& runs, const std::vector<std::filesystem::path>& files)
    : ratings_(read_all(runs.qrels(), files)), topics_(runs.topic_count()) {
  std::unordered_map<std::string_view, std::size_t> topic_of;
  std::vector<std::unordered_map<std::string_view, std::size_t>> number(runs.topic_count());
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    topic_of.emplace(runs.topic(t), t);
    for (const auto docid : runs.docids(t)) number[t].emplace(docid, number[t].size());
  }
  for (const auto& [topic, docid] : ratings_.items) {
    const auto at = topic_of.find(topic);
    if (at != topic_of.end()) number[at->second].emplace(docid, number[at->second].size());
  }
  const auto assessors = ratings_.assessors.size();
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    topics_[t].passages = number[t].size();
    topics_[t].grades.assign(number[t].size() * assessors, kNone);
  }
  for (std::size_t i = 0; i < ratings_.items.size(); ++i) {
    const auto at = topic_of.find(ratings_.items[i].first);
    if (at == topic_of.end()) continue;
    auto& topic = topics_[at->second];
    const auto passage = number[at->second].at(ratings_.items[i].second);
    for (std::size_t a = 0; a < assessors; ++a) {
      if (const int grade = ratings_.at(i, a); grade != agreement::Ratings::kMissing)
        topic.grades[a * topic.passages + passage] = static_cast<std::int16_t>(grade);
    }
  }
  find_blocks();
  if (blocks_.empty())
    throw ConfigError(
        "no assessor judged a topic that the qrels and the runs share; are the files of the same topics?");
}

void AssessorGrades::find_blocks() {
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> topics_of;
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    std::vector<std::size_t> judged(ratings_.assessors.size(), 0);
    for (std::size_t a = 1; a < judged.size(); ++a) {
      for (std::size_t p = 0; p < topics_[t].passages; ++p) judged[a] += grade(t, a, p) != kNone ? 1 : 0;
    }
    const auto most = *std::max_element(judged.begin(), judged.end());
    std::vector<std::size_t> who;
    for (std::size_t a = 1; a < judged.size(); ++a) {
      if (judged[a] > 0 && kStrayDivisor * judged[a] >= most) who.push_back(a);
    }
    if (!who.empty()) topics_of[who].push_back(t);
  }
  for (const auto& [who, topics] : topics_of) blocks_.push_back({who, topics});
}

AgreementNumbers agreement_numbers(const JudgedRuns& runs, const AssessorGrades& grades, int min_grade) {
  AgreementNumbers numbers;
  add_pairs(grades.ratings(), min_grade, numbers);
  count_transitions(grades.ratings(), numbers.transitions);
  for (const auto& block : grades.blocks()) {
    std::set<std::string, std::less<>> topics;
    for (const auto t : block.topics) topics.emplace(runs.topic(t));
    if (block.assessors.size() > 1)
      numbers.groups.push_back(agreement_of_group(grades.ratings(), block.assessors, topics, min_grade));
    auto with_original = block.assessors;
    with_original.insert(with_original.begin(), 0);
    numbers.groups.push_back(agreement_of_group(grades.ratings(), with_original, topics, min_grade));
  }
  return numbers;
}

}  // namespace touchstone::analysis::studies::reannotation
