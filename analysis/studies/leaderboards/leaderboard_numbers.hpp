#pragma once

#include "analysis/agreement/coefficients.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "formats/trec/qrels_table.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The numbers of two leaderboards. All functions are pure and thread-safe.
namespace touchstone::analysis::studies::leaderboards {

/// The lowest relevant grade of each qrels.
struct GradeFloors {
  int first = 1, second = 1;
};

/// A system on one leaderboard.
struct Standing {
  double mean = 0;
  std::size_t rank = 0;     ///< 1 + the number of systems with a higher mean
  bool in_bracket = false;  ///< the paired t test does not find it worse than the best system
};

/// What one qrels says about the systems.
struct Leaderboard {
  std::size_t topics = 0;
  double cronbach_alpha = 0;
  std::vector<Standing> systems;
};

/// Two leaderboards of the same systems by one measure.
struct BoardComparison {
  std::string measure;
  std::vector<std::string> systems;
  Leaderboard first, second;
  double tau_a = 0, tau_b = 0, spearman = 0;
  std::size_t pairs = 0, swapped = 0;
  std::size_t swapped_significant = 0;  ///< of the swapped pairs: significant on at least one leaderboard
};

/// \pre both matrices have the same systems in the same order. Throws ConfigError as significance::compare_systems().
BoardComparison compare_boards(const statistics::ScoreMatrix& first, const statistics::ScoreMatrix& second,
                               double alpha);

/// Both matrices with only the topics that they share. Throws ConfigError if they share none.
void keep_common_topics(statistics::ScoreMatrix& first, statistics::ScoreMatrix& second);

/// Relevant passages of one topic.
struct TopicPositives {
  std::string topic;
  std::uint64_t first = 0, second = 0, both = 0;
};

/// How two qrels agree on passages of the topics that both have.
struct LabelAgreement {
  std::size_t only_first_topics = 0, only_second_topics = 0;
  std::vector<TopicPositives> topics;  ///< of both, in byte order
  std::uint64_t judged_by_both = 0, judged_by_first = 0;
  double agreement = 0, kappa = 0;                ///< relevant or not, of passages that both judge
  double closed_agreement = 0, closed_kappa = 0;  ///< of all passages of the first; without a label: not relevant
  std::vector<int> grades{};                      ///< that occur among passages that both judge, ascending
  std::vector<std::uint64_t> transitions{};       ///< [grade of the first][grade of the second]
};

LabelAgreement compare_labels(const formats::trec::QrelsTable& first, const formats::trec::QrelsTable& second,
                              const GradeFloors& floors);

}  // namespace touchstone::analysis::studies::leaderboards
