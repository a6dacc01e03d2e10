#include "analysis/studies/leaderboards/leaderboard_numbers.hpp"

#include "analysis/agreement/coefficients.hpp"
#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/agreement/reliability.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace touchstone::analysis::studies::leaderboards {
namespace {

Leaderboard leaderboard_of(const statistics::ScoreMatrix& scores, const significance::Comparison& comparison) {
  Leaderboard board{scores.topics.size(), agreement::cronbach_alpha(scores), {}};
  const auto bracket = comparison.not_worse_than_best();
  board.systems.resize(scores.systems.size());
  for (std::size_t place = 0; place < comparison.ranking.size(); ++place) {
    auto& system = board.systems[comparison.ranking[place]];
    system.mean = comparison.means[comparison.ranking[place]];
    system.in_bracket = bracket[place];
  }
  for (auto& system : board.systems) {
    system.rank =
        1 + static_cast<std::size_t>(std::count_if(board.systems.begin(), board.systems.end(), [&](const auto& other) {
          return other.mean > system.mean + statistics::kEqualScores;
        }));
  }
  return board;
}

void count_swaps(BoardComparison& boards, const significance::Comparison& first,
                 const significance::Comparison& second) {
  for (std::size_t a = 0; a < boards.systems.size(); ++a) {
    for (std::size_t b = a + 1; b < boards.systems.size(); ++b) {
      const double in_first = first.means[a] - first.means[b], in_second = second.means[a] - second.means[b];
      if (std::min(std::abs(in_first), std::abs(in_second)) <= statistics::kEqualScores) continue;
      if ((in_first > 0) == (in_second > 0)) continue;
      ++boards.swapped;
      boards.swapped_significant += first.of(a, b).significant || second.of(a, b).significant;
    }
  }
}

void keep_topics(statistics::ScoreMatrix& scores, const std::vector<std::string>& topics) {
  std::map<std::string, std::size_t> place;
  for (std::size_t t = 0; t < scores.topics.size(); ++t) place.emplace(scores.topics[t], t);
  std::vector<double> values;
  for (std::size_t s = 0; s < scores.systems.size(); ++s) {
    for (const auto& topic : topics) values.push_back(scores.at(s, place.at(topic)));
  }
  scores.values = std::move(values);
  scores.topics = topics;
}

/// Grades of two qrels for the same passages.
class PairedGrades {
 public:
  PairedGrades() { ratings_.assessors = {"first", "second"}; }
  void add(std::string_view topic, std::string_view docid, int first, int second) {
    ratings_.items.emplace_back(topic, docid);
    ratings_.grades.push_back(first);
    ratings_.grades.push_back(second);
  }
  const agreement::Ratings& ratings() const { return ratings_; }
  double statistic(agreement::AgreementStatistic of) const {
    if (ratings_.items.empty()) return std::numeric_limits<double>::quiet_NaN();
    return of(ratings_, agreement::all_items(ratings_));
  }

 private:
  agreement::Ratings ratings_;
};

struct LabelPairs {
  PairedGrades grades, relevance, closed;
};

TopicPositives compare_topic(const formats::trec::QrelsTable& first, std::size_t in_first,
                             const formats::trec::QrelsTable& second, std::size_t in_second, const GradeFloors& floors,
                             LabelPairs& pairs) {
  const auto topic = first.topic(in_first);
  TopicPositives positives{std::string(topic)};
  std::map<std::string_view, int> others;
  for (const auto& judgment : second.judgments(in_second)) {
    others.emplace(judgment.docid, judgment.grade);
    positives.second += judgment.grade >= floors.second;
  }
  for (const auto& judgment : first.judgments(in_first)) {
    const auto other = others.find(judgment.docid);
    const bool relevant = judgment.grade >= floors.first;
    const bool other_relevant = other != others.end() && other->second >= floors.second;
    positives.first += relevant;
    positives.both += relevant && other_relevant;
    pairs.closed.add(topic, judgment.docid, relevant, other_relevant);
    if (other == others.end()) continue;
    pairs.relevance.add(topic, judgment.docid, relevant, other_relevant);
    pairs.grades.add(topic, judgment.docid, judgment.grade, other->second);
  }
  return positives;
}

}  // namespace

void keep_common_topics(statistics::ScoreMatrix& first, statistics::ScoreMatrix& second) {
  auto a = first.topics, b = second.topics;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::string> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  if (common.empty()) {
    throw ConfigError(
        "the two qrels share no topic that the runs have; give qrels with the same topic ids, or compare the "
        "leaderboards over the topics of each with --own-topics");
  }
  keep_topics(first, common);
  keep_topics(second, common);
}

BoardComparison compare_boards(const statistics::ScoreMatrix& first, const statistics::ScoreMatrix& second,
                               double alpha) {
  significance::CompareOptions options;
  options.test = significance::SignificanceTest::kTTest;
  options.alpha = alpha;
  const auto in_first = significance::compare_systems(first, options);
  const auto in_second = significance::compare_systems(second, options);
  BoardComparison boards{first.source.measure, first.systems, leaderboard_of(first, in_first),
                         leaderboard_of(second, in_second)};
  const auto pairs = agreement::count_pairs(in_first.means, in_second.means);
  boards.tau_a = agreement::kendall_tau_a(pairs);
  boards.tau_b = agreement::kendall_tau_b(pairs);
  boards.spearman = agreement::spearman_rho(in_first.means, in_second.means);
  boards.pairs = pairs.pairs;
  count_swaps(boards, in_first, in_second);
  return boards;
}

LabelAgreement compare_labels(const formats::trec::QrelsTable& first, const formats::trec::QrelsTable& second,
                              const GradeFloors& floors) {
  LabelAgreement result;
  LabelPairs pairs;
  for (std::size_t t = 0; t < first.topic_count(); ++t) {
    const auto other = second.find_topic(first.topic(t));
    if (other) {
      result.topics.push_back(compare_topic(first, t, second, *other, floors, pairs));
    } else {
      ++result.only_first_topics;
    }
  }
  result.only_second_topics = second.topic_count() - result.topics.size();
  result.judged_by_both = pairs.relevance.ratings().items.size();
  result.judged_by_first = pairs.closed.ratings().items.size();
  result.agreement = pairs.relevance.statistic(agreement::overlap);
  result.kappa = pairs.relevance.statistic(agreement::cohen_kappa);
  result.closed_agreement = pairs.closed.statistic(agreement::overlap);
  result.closed_kappa = pairs.closed.statistic(agreement::cohen_kappa);
  const auto transitions = agreement::grade_transitions(pairs.grades.ratings(), 0, 1);
  result.grades = transitions.grades;
  result.transitions = transitions.counts;
  return result;
}

}  // namespace touchstone::analysis::studies::leaderboards
