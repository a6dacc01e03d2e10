#include "analysis/studies/leaderboards/leaderboards_study.hpp"

#include "analysis/studies/leaderboards/leaderboard_numbers.hpp"
#include "analysis/studies/study.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::studies::leaderboards {
namespace {

constexpr double kSameOrder = 0.9, kSimilarOrder = 0.8;

std::size_t bracket_size(const Leaderboard& board) {
  return static_cast<std::size_t>(
      std::count_if(board.systems.begin(), board.systems.end(), [](const auto& s) { return s.in_bracket; }));
}

std::size_t common_bracket(const BoardComparison& b) {
  std::size_t common = 0;
  for (std::size_t s = 0; s < b.systems.size(); ++s)
    common += b.first.systems[s].in_bracket && b.second.systems[s].in_bracket;
  return common;
}

Finding order_finding(const BoardComparison& b) {
  const std::string threshold =
      "good from a tau_b of .9, where orders count as the same (Voorhees 2001), caution "
      "from .8, bad below";
  if (std::isnan(b.tau_b)) {
    return {Verdict::kBad,
            fmt::format("By {}, one of the qrels gives all systems the same mean, so that the leaderboards cannot be "
                        "compared. Check that the runs and the qrels have the same topics and docids.",
                        b.measure),
            threshold};
  }
  const double tau = as_shown(b.tau_b, 3);
  const auto verdict = tau >= kSameOrder ? Verdict::kGood : tau >= kSimilarOrder ? Verdict::kCaution : Verdict::kBad;
  return {verdict,
          fmt::format("By {}, the leaderboards have a Kendall tau_b of {:.3f} and a Spearman rho of {:.3f}. {} of the "
                      "{} pairs of systems swap places; {} of the swapped pairs differ significantly on at least one "
                      "of the leaderboards.",
                      b.measure, b.tau_b, b.spearman, b.swapped, b.pairs, b.swapped_significant),
          threshold};
}

Finding bracket_finding(const BoardComparison& b) {
  return {Verdict::kFact, fmt::format("By {}, {} systems are not significantly worse than the best one by the qrels, "
                                      "{} by the other qrels, and {} by both. Cronbach's alpha is {:.3f} and {:.3f}; "
                                      "it holds for these systems only.",
                                      b.measure, bracket_size(b.first), bracket_size(b.second), common_bracket(b),
                                      b.first.cronbach_alpha, b.second.cronbach_alpha)};
}

Finding topics_finding(const LabelAgreement& l, const std::vector<BoardComparison>& boards) {
  auto text = fmt::format("The two qrels share {} topics; {} are only in the qrels and {} only in the other qrels.",
                          l.topics.size(), l.only_first_topics, l.only_second_topics);
  if (!boards.empty())
    text +=
        fmt::format(" The leaderboards are over {} and {} topics.", boards[0].first.topics, boards[0].second.topics);
  return {Verdict::kFact, text};
}

Finding label_finding(const LabelAgreement& l) {
  std::string text;
  if (l.judged_by_both == 0) {
    text = "No passage of a common topic is judged by both qrels, so that agreement on judged passages is undefined.";
  } else {
    text = fmt::format(
        "Both qrels judge {} passages; they agree on {:.1f} % of them whether they are relevant (Cohen "
        "kappa {:.3f}).",
        l.judged_by_both, 100 * l.agreement, l.kappa);
  }
  if (l.judged_by_first > 0) {
    text += fmt::format(
        " If passages without a label in the other qrels count as not relevant, the agreement over "
        "the {} passages of the qrels is {:.1f} % (kappa {:.3f}).",
        l.judged_by_first, 100 * l.closed_agreement, l.closed_kappa);
  }
  return {Verdict::kFact, text};
}

Finding positives_finding(const LabelAgreement& l) {
  std::uint64_t first = 0, second = 0, both = 0;
  for (const auto& topic : l.topics) {
    first += topic.first;
    second += topic.second;
    both += topic.both;
  }
  const auto topics = static_cast<double>(std::max<std::size_t>(l.topics.size(), 1));
  return {
      Verdict::kFact,
      fmt::format("On the common topics the qrels have {:.1f} relevant passages a topic and the other qrels {:.1f}; "
                  "{} passages are relevant by both.",
                  static_cast<double>(first) / topics, static_cast<double>(second) / topics, both)};
}

StudyTable measures_table(const std::vector<BoardComparison>& boards) {
  StudyTable table{
      "measures",
      "Agreement of the leaderboards",
      {"measure", "kendall_tau_b", "kendall_tau_a", "spearman_rho", "cronbach_alpha", "other_cronbach_alpha", "pairs",
       "swapped", "swapped_significant", "bracket", "other_bracket", "both_brackets", "topics", "other_topics"},
      {},
      "A bracket holds the systems that a paired t test does not find worse than the best one."};
  for (const auto& b : boards) {
    table.rows.push_back({b.measure, b.tau_b, b.tau_a, b.spearman, b.first.cronbach_alpha, b.second.cronbach_alpha,
                          b.pairs, b.swapped, b.swapped_significant, bracket_size(b.first), bracket_size(b.second),
                          common_bracket(b), b.first.topics, b.second.topics});
  }
  return table;
}

/// Systems by rank on the first leaderboard.
std::vector<std::size_t> by_rank(const BoardComparison& b) {
  std::vector<std::size_t> order(b.systems.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(),
                   [&](auto x, auto y) { return b.first.systems[x].rank < b.first.systems[y].rank; });
  return order;
}

StudyTable systems_table(const std::vector<BoardComparison>& boards) {
  StudyTable table{
      "systems",
      "Leaderboards",
      {"measure", "system", "mean", "other_mean", "rank", "other_rank", "rank_change", "bracket", "other_bracket"},
      {},
      "rank_change is rank minus other_rank: above 0 the system gains places by the other qrels. bracket "
      "is 1 if the system is not significantly worse than the best one."};
  for (const auto& b : boards) {
    for (const auto s : by_rank(b)) {
      const auto &first = b.first.systems[s], &second = b.second.systems[s];
      table.rows.push_back({b.measure, b.systems[s], first.mean, second.mean, first.rank, second.rank,
                            static_cast<std::int64_t>(first.rank) - static_cast<std::int64_t>(second.rank),
                            first.in_bracket, second.in_bracket});
    }
  }
  return table;
}

StudyTable grades_table(const LabelAgreement& l) {
  StudyTable table{"grades",
                   "Grades of passages that both qrels judge",
                   {"grade", "other_grade", "passages"},
                   {},
                   "How many passages have the grade by the qrels and other_grade by the other qrels."};
  for (std::size_t row = 0; row < l.grades.size(); ++row) {
    for (std::size_t column = 0; column < l.grades.size(); ++column)
      table.rows.push_back({l.grades[row], l.grades[column], l.transitions[row * l.grades.size() + column]});
  }
  return table;
}

StudyTable topics_table(const LabelAgreement& l) {
  StudyTable table{
      "topics", "Relevant passages of the common topics", {"topic", "relevant", "other_relevant", "both"}, {}, "", 20};
  for (const auto& t : l.topics) table.rows.push_back({t.topic, t.first, t.second, t.both});
  return table;
}

Chart board_chart(const BoardComparison& b, std::size_t number) {
  Chart chart{fmt::format("leaderboards-{}", number),
              fmt::format("Leaderboards by {}", b.measure),
              "Means of the systems by both qrels, in the order of the qrels. Where the second series rises, systems "
              "would swap places.",
              "system",
              b.measure,
              {{"qrels", {}, false}, {"other qrels", {}, false}}};
  double place = 0;
  for (const auto s : by_rank(b)) {
    chart.categories.push_back(b.systems[s]);
    chart.series[0].points.push_back({place, b.first.systems[s].mean});
    chart.series[1].points.push_back({place, b.second.systems[s].mean});
    ++place;
  }
  return chart;
}

void write_boards(JsonWriter& json, const std::vector<BoardComparison>& boards) {
  json.key("measures").begin_array();
  for (const auto& b : boards) {
    json.begin_object().field("measure", b.measure).field("kendall_tau_b", b.tau_b).field("kendall_tau_a", b.tau_a);
    json.field("spearman_rho", b.spearman).field("cronbach_alpha", b.first.cronbach_alpha);
    json.field("other_cronbach_alpha", b.second.cronbach_alpha).field("pairs", b.pairs).field("swapped", b.swapped);
    json.field("swapped_significant", b.swapped_significant).field("topics", b.first.topics);
    json.field("other_topics", b.second.topics).key("systems").begin_array();
    for (const auto s : by_rank(b)) {
      const auto &first = b.first.systems[s], &second = b.second.systems[s];
      json.begin_object().field("system", b.systems[s]).field("mean", first.mean).field("other_mean", second.mean);
      json.field("rank", first.rank).field("other_rank", second.rank).field("bracket", first.in_bracket);
      json.field("other_bracket", second.in_bracket).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_labels(JsonWriter& json, const LabelAgreement& l) {
  json.key("labels").begin_object().field("common_topics", l.topics.size());
  json.field("only_in_qrels", l.only_first_topics).field("only_in_other", l.only_second_topics);
  json.field("judged_by_both", l.judged_by_both).field("agreement", l.agreement).field("cohen_kappa", l.kappa);
  json.field("judged", l.judged_by_first).field("closed_agreement", l.closed_agreement);
  json.field("closed_cohen_kappa", l.closed_kappa).end_object();
}

void add_leaderboards_output(StudyOutput& output, const std::vector<BoardComparison>& boards,
                             const LabelAgreement& labels, bool only_positive) {
  output.title = "Whether two qrels rank systems alike";
  output.question = "Do these two sets of judgments, such as automatic and manual ones, lead to the same leaderboard?";
  for (const auto& b : boards) {
    output.findings.push_back(order_finding(b));
    output.findings.push_back(bracket_finding(b));
  }
  output.findings.push_back(topics_finding(labels, boards));
  if (!only_positive) output.findings.push_back(label_finding(labels));
  output.findings.push_back(positives_finding(labels));
  output.tables = {measures_table(boards), systems_table(boards), grades_table(labels), topics_table(labels)};
  for (std::size_t i = 0; i < boards.size(); ++i) output.charts.push_back(board_chart(boards[i], i + 1));
  output.write_fields = [=](JsonWriter& json) {
    write_boards(json, boards);
    write_labels(json, labels);
  };
}

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
  const auto min_grade = own.other_min_grade == kSameAsFirst ? shared.min_grade : own.other_min_grade;
  return compare_leaderboards(context, shared, {own.other, min_grade, own.own_topics, false});
}

}  // namespace

StudyOutput compare_leaderboards(StudyContext& context, const StudyOptions& shared, const OtherQrels& with) {
  auto other = shared;
  other.qrels = with.file;
  other.min_grade = with.min_grade;
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
    if (!with.own_topics) keep_common_topics(in_first, in_second);
    boards.push_back(compare_boards(in_first, in_second, shared.alpha));
    ++context.progress.done;
  }
  StudyOutput output;
  output.study = "leaderboards";
  output.facts = input_facts(first, shared);
  output.facts.emplace_back("other qrels", other.qrels);
  output.facts.emplace_back("lowest relevant grade of the other qrels", fmt::to_string(other.min_grade));
  output.facts.emplace_back("compared topics", with.own_topics ? "all topics of each qrels" : "the common topics");
  const formats::trec::QrelsTable labels(shared.qrels), other_labels(other.qrels);
  add_leaderboards_output(output, boards, compare_labels(labels, other_labels, floors), with.only_positive);
  return output;
}

Study leaderboards_study() {
  return {"leaderboards", "Whether two qrels, such as automatic and manual ones, rank systems alike", "measures",
          &option_group<LeaderboardsOptions>(), run_leaderboards};
}

}  // namespace touchstone::analysis::studies::leaderboards
