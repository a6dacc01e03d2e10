#include "analysis/studies/leaderboards/leaderboards_study.hpp"

#include "analysis/studies/leaderboards/leaderboards_output.hpp"
#include "common/error.hpp"

#include <fmt/format.h>

namespace touchstone::analysis::studies::leaderboards {
namespace {

constexpr std::int64_t kSameAsFirst = -128;

struct LeaderboardsOptions {
  std::string other;
  std::int64_t other_min_grade = kSameAsFirst;
  bool own_topics = false;

  static std::vector<Option<LeaderboardsOptions>> options() {
    return {
        {"leaderboards.other", &LeaderboardsOptions::other,
         "The qrels to compare with, for example automatic ones; --qrels names the reference."},
        {"leaderboards.other_min_grade", &LeaderboardsOptions::other_min_grade, between(kSameAsFirst, 127),
         "Lowest relevant grade of the other qrels; -128: that of the qrels."},
        {"leaderboards.own_topics", &LeaderboardsOptions::own_topics,
         "Each leaderboard is over all topics of its qrels, instead of the common ones."},
    };
  }
};

std::vector<std::string> measures_of(const StudyOptions& shared) {
  return shared.measures.empty() ? std::vector<std::string>{"Rprec", "map", "nDCG@20"} : shared.measures;
}

statistics::ScoreMatrix scores_of(const JudgedRuns& runs, const std::string& measure, int min_grade) {
  const auto parsed = measures::parse_measures(std::vector{measure});
  const measures::LabelScorer scorer(parsed.at(0), min_grade);
  scorer.check_highest_grade(runs.highest_grade());
  auto scores = runs.score(scorer, runs.labels());
  scores.source.measure = scorer.measure().name;
  return scores;
}

StudyOutput run_leaderboards(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& own = context.settings.get<LeaderboardsOptions>();
  if (own.other.empty()) throw ConfigError("there are no other qrels to compare with; name them with --other FILE");
  auto other = shared;
  other.qrels = own.other;
  if (own.other_min_grade != kSameAsFirst) other.min_grade = own.other_min_grade;
  const GradeFloors floors{static_cast<int>(shared.min_grade), static_cast<int>(other.min_grade)};
  const auto first = read_judged_runs(shared, 2), second = read_judged_runs(other, 2);
  count_relevant(first, floors.first);
  count_relevant(second, floors.second);
  const auto words = measures_of(shared);
  context.progress.total += words.size();
  std::vector<BoardComparison> boards;
  for (const auto& word : words) {
    context.stop.check();
    auto in_first = scores_of(first, word, floors.first), in_second = scores_of(second, word, floors.second);
    if (!own.own_topics) keep_common_topics(in_first, in_second);
    boards.push_back(compare_boards(in_first, in_second, shared.alpha));
    ++context.progress.done;
  }
  StudyOutput output;
  output.study = "leaderboards";
  output.facts = input_facts(first, shared);
  output.facts.emplace_back("other qrels", own.other);
  output.facts.emplace_back("lowest relevant grade of the other qrels", fmt::to_string(other.min_grade));
  output.facts.emplace_back("compared topics", own.own_topics ? "all topics of each qrels" : "the common topics");
  const formats::trec::QrelsTable labels(shared.qrels), other_labels(own.other);
  add_leaderboards_output(output, boards, compare_labels(labels, other_labels, floors));
  return output;
}

}  // namespace

Study leaderboards_study() {
  return {"leaderboards", "Whether two qrels, such as automatic and manual ones, rank systems alike", "measures",
          &option_group<LeaderboardsOptions>(), run_leaderboards};
}

}  // namespace touchstone::analysis::studies::leaderboards
