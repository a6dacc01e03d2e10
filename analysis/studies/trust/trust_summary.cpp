#include "analysis/studies/trust/trust_summary.hpp"

#include "common/named_values.hpp"
#include "common/number_text.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace touchstone::analysis::studies::trust {
namespace {

Finding baselines_only() {
  return {Verdict::kCaution,
          "No run was given, so that the program's own baseline systems take their place. They are alike: pools of "
          "them find less than pools of systems of many groups, and all of them rank by words. Give runs of your own "
          "for a verdict on them.",
          "runs of others are good; baselines call for caution."};
}

StudyTable studies_table(std::span<const StudyOutput> outputs, std::span<const LeftOutStudy> left_out) {
  StudyTable table{"studies", "The studies", {"study", "state", "question or reason"}, {}};
  for (const auto& output : outputs) table.rows.push_back({output.study, "done", output.question});
  for (const auto& study : left_out) table.rows.push_back({study.study, "left out", study.reason});
  table.note =
      "A study that is left out says what is missing. Give it with --set KEY=VALUE, or in the section of the study in "
      "the file of --config.";
  return table;
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object()
      .field("verdict", name_in(kVerdicts, finding.verdict))
      .field("statement", finding.statement)
      .field("threshold", finding.threshold)
      .end_object();
}

void write_studies(JsonWriter& json, std::span<const StudyOutput> outputs, std::span<const LeftOutStudy> left_out) {
  json.key("studies").begin_array();
  for (const auto& output : outputs) {
    json.begin_object().field("study", output.study).field("state", "done").key("findings").begin_array();
    for (const auto& finding : output.findings) write_finding(json, finding);
    json.end_array().end_object();
  }
  for (const auto& study : left_out) {
    json.begin_object()
        .field("study", study.study)
        .field("state", "left out")
        .field("reason", study.reason)
        .end_object();
  }
  json.end_array();
}

/// "rank 3", "ranks 3-7, 9"; "none".
std::string rank_words(const std::string& ranks) {
  if (ranks.empty()) return "none";
  return (ranks.find_first_not_of("0123456789") == std::string::npos ? "rank " : "ranks ") + ranks;
}

/// Ranks from 1: "3", "3-7".
std::string rank_range(std::size_t first, std::size_t last) {
  return first == last ? fmt::to_string(first) : fmt::format("{}-{}", first, last);
}

/// The ranks around a system whose order to it is open: "1-4, 6-9".
std::string open_ranks(const TrustNumbers& numbers, std::size_t rank) {
  const auto told_apart = [&](std::size_t better, std::size_t worse) {
    return numbers.comparison->at_ranks(better, worse).significant;
  };
  std::size_t first = rank, last = rank;
  while (first > 0 && !told_apart(first - 1, rank)) --first;
  while (last + 1 < numbers.systems.size() && !told_apart(rank, last + 1)) ++last;
  std::string text = first < rank ? rank_range(first + 1, rank) : "";
  if (last > rank) text += (text.empty() ? "" : ", ") + rank_range(rank + 2, last + 1);
  return text;
}

StudyTable leaderboard_table(const TrustNumbers& numbers) {
  StudyTable table{
      "leaderboard",
      "Leaderboard",
      {"system", "rank", numbers.measure, "low", "high", "better_than", "no_order_with", "unjudged_percent"},
      {}};
  const auto count = numbers.systems.size();
  for (std::size_t rank = 0; rank < count; ++rank) {
    const auto& system = numbers.systems[rank];
    const auto worse = system.better_than == 0 ? "" : rank_range(count - system.better_than + 1, count);
    table.rows.push_back({system.system, rank + 1, system.mean, system.low, system.high, rank_words(worse),
                          numbers.comparison ? rank_words(open_ranks(numbers, rank)) : std::string("all"),
                          100 * system.unjudged});
  }
  table.note = fmt::format(
      "low and high: {:g} % t interval of the mean over topics. unjudged_percent: share of the first {} documents "
      "without "
      "a label.",
      100 * (1 - numbers.alpha), numbers.depth);
  if (numbers.comparison)
    table.note += fmt::format(
        " better_than: systems that the randomised Tukey HSD test over all pairs finds significantly worse ({} "
        "permutations, alpha {:g}). no_order_with: systems for which no order can be claimed.",
        with_commas(numbers.permutations), numbers.alpha);
  return table;
}

Chart leaderboard_chart(const TrustNumbers& numbers) {
  Chart chart{
      "leaderboard",
      "Leaderboard",
      fmt::format("Mean {} with its {:g} % t interval over topics. Intervals that overlap do not decide a pair; the "
                  "table below does.",
                  numbers.measure, 100 * (1 - numbers.alpha)),
      "rank",
      numbers.measure,
      {}};
  ChartSeries series{"systems", {}, false};
  for (std::size_t rank = 0; rank < numbers.systems.size(); ++rank) {
    const auto& system = numbers.systems[rank];
    series.points.push_back({static_cast<double>(rank + 1), system.mean, system.low, system.high});
  }
  chart.series.push_back(std::move(series));
  return chart;
}

StudyTable pairs_table(const TrustNumbers& numbers) {
  StudyTable table{"pairs",
                   "Pairs of systems",
                   {"better", "worse", "told_apart", "without_unjudged", "difference", "low", "high", "p_value"},
                   {},
                   "told_apart: yes for a pair whose order one may claim. without_unjudged: the same if documents "
                   "without a label are left out of the rankings. low and high: simultaneous interval of the "
                   "difference.",
                   20};
  const auto word = [](bool yes) { return std::string(yes ? "yes" : "no"); };
  for (const auto& pair : numbers.pairs) {
    const auto& tested = numbers.comparison->at_ranks(pair.better, pair.worse);
    table.rows.push_back({numbers.systems[pair.better].system, numbers.systems[pair.worse].system,
                          word(pair.significant),
                          numbers.has_judged_only ? word(pair.significant_judged_only) : std::string("-"),
                          tested.difference, tested.low, tested.high, tested.p_value});
  }
  return table;
}

StudyTable strata_table(const TrustNumbers& numbers) {
  StudyTable table{"unjudged_ranks",
                   "Documents without a label",
                   {"best_rank", "documents", "unjudged", "unjudged_percent", "relevant_percent", "expected_relevant"},
                   {},
                   "By the best rank of a document in any run. relevant_percent: of the judged documents; "
                   "expected_relevant: of the unjudged ones, if they are as often relevant."};
  const auto percent_of = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::nan("") : 100 * static_cast<double>(part) / static_cast<double>(whole);
  };
  for (const auto& stratum : numbers.strata) {
    table.rows.push_back({rank_range(stratum.first_rank, stratum.last_rank), stratum.documents, stratum.unjudged,
                          percent_of(stratum.unjudged, stratum.documents),
                          percent_of(stratum.relevant, stratum.documents - stratum.unjudged),
                          stratum.expected_relevant()});
  }
  return table;
}

/// What the studies say, without their verdicts: those are about the question of the study.
StudyTable notes_table(std::span<const StudyOutput> outputs) {
  StudyTable table{
      "notes",
      "Notes: what other labels and pools would say",
      {"study", "note"},
      {},
      "Studies remove or choose labels and compare with the labels at hand. They do not judge the labels."};
  for (const auto& output : outputs) {
    for (const auto& finding : output.findings) table.rows.push_back({output.study, finding.statement});
  }
  return table;
}

void write_numbers(JsonWriter& json, const TrustNumbers& numbers) {
  json.field("measure", numbers.measure).field("alpha", numbers.alpha).field("permutations", numbers.permutations);
  json.field("topics", numbers.topics).field("pairs", numbers.pairs.size()).field("told_apart", numbers.significant);
  const auto critical =
      numbers.comparison ? numbers.comparison->critical_difference : std::optional<double>(std::nullopt);
  json.field("critical_difference", critical);
  json.key("leaderboard").begin_array();
  for (const auto& system : numbers.systems) {
    json.begin_object().field("system", system.system).field("mean", system.mean).field("low", system.low);
    json.field("high", system.high).field("better_than", system.better_than).field("unjudged", system.unjudged);
    json.end_object();
  }
  json.end_array().key("limits").begin_object();
  json.field("depth", numbers.depth).field("retrieved", numbers.retrieved).field("unjudged", numbers.unjudged);
  json.field("relevant_only", numbers.lists_relevant_only);
  json.key("without_unjudged");
  if (numbers.has_judged_only) {
    json.begin_object().field("lost", numbers.lost).field("gained", numbers.gained).end_object();
  } else {
    json.value(nullptr);
  }
  if (numbers.reliability) {
    json.field("e_rho_squared", numbers.reliability->e_rho_squared.expected);
    json.field("topics_for_target", numbers.topics_needed.e_rho_squared.expected);
    json.field("target", numbers.topics_needed.target).field("told_apart_with_twice_topics", numbers.with_twice_topics);
  }
  json.end_object();
}

}  // namespace

StudyOutput summarize(const TrustSources& sources, const TrustNumbers& numbers, std::span<const StudyOutput> outputs,
                      std::span<const LeftOutStudy> left_out) {
  StudyOutput summary;
  summary.study = "trust";
  summary.title = "Summary";
  summary.question = "Which differences between these systems may one believe?";
  summary.facts = {{"collection", sources.collection},
                   {"judgments", sources.qrels},
                   {"runs", fmt::to_string(sources.runs.size())},
                   {"systems", sources.runs_are_baselines ? "baseline systems of touchstone retrieve" : "as given"},
                   {"topics", fmt::to_string(numbers.topics)}};
  summary.findings = trust_findings(numbers, outputs);
  if (sources.runs_are_baselines) summary.findings.push_back(baselines_only());
  summary.charts.push_back(leaderboard_chart(numbers));
  summary.tables.push_back(leaderboard_table(numbers));
  if (!numbers.pairs.empty()) summary.tables.push_back(pairs_table(numbers));
  if (numbers.unjudged > 0) summary.tables.push_back(strata_table(numbers));
  if (!outputs.empty()) summary.tables.push_back(notes_table(outputs));
  summary.tables.push_back(studies_table(outputs, left_out));
  summary.write_fields = [sources, numbers, outputs = std::vector<StudyOutput>(outputs.begin(), outputs.end()),
                          left_out = std::vector<LeftOutStudy>(left_out.begin(), left_out.end())](JsonWriter& json) {
    json.field("collection", sources.collection).field("qrels", sources.qrels).field("runs", sources.runs);
    json.field("runs_are_baselines", sources.runs_are_baselines);
    write_numbers(json, numbers);
    write_studies(json, outputs, left_out);
  };
  return summary;
}

StudyTable findings_table(std::span<const StudyOutput> outputs) {
  StudyTable table{"findings", "What follows from each study", {"study", "verdict", "statement", "threshold"}, {}};
  for (const auto& output : outputs) {
    for (const auto& finding : output.findings)
      table.rows.push_back({output.study, name_in(kVerdicts, finding.verdict), finding.statement, finding.threshold});
  }
  return table;
}

}  // namespace touchstone::analysis::studies::trust
