#include "analysis/studies/trust/trust_summary.hpp"

#include "common/named_values.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace touchstone::analysis::studies::trust {
namespace {

std::int64_t count(const StudyOutput& output, Verdict verdict) {
  return std::count_if(output.findings.begin(), output.findings.end(),
                       [&](const Finding& finding) { return finding.verdict == verdict; });
}

struct VerdictCounts {
  std::int64_t good = 0, caution = 0, bad = 0;

  explicit VerdictCounts(std::span<const StudyOutput> outputs) {
    for (const auto& output : outputs) {
      good += count(output, Verdict::kGood);
      caution += count(output, Verdict::kCaution);
      bad += count(output, Verdict::kBad);
    }
  }
};

std::string advice(const VerdictCounts& counts) {
  if (counts.bad > 0)
    return "Do not rely on the order of systems where a study says bad: its statement below names the cause and what "
           "to do.";
  if (counts.caution > 0)
    return "The order of systems holds with reservations: read the statements that call for caution before you report "
           "small differences.";
  if (counts.good > 0) return "No study gives a reason to doubt the order of systems.";
  return "No study has come to a verdict; add what the table of the studies names.";
}

Finding overall(const VerdictCounts& counts, std::size_t ran, std::size_t left_out) {
  Finding finding;
  finding.verdict = counts.bad > 0       ? Verdict::kBad
                    : counts.caution > 0 ? Verdict::kCaution
                    : counts.good > 0    ? Verdict::kGood
                                         : Verdict::kFact;
  finding.statement = fmt::format("{} of {} studies ran. Their verdicts: {} good, {} caution, {} bad. {}", ran,
                                  ran + left_out, counts.good, counts.caution, counts.bad, advice(counts));
  finding.threshold = "the worst verdict of any study counts.";
  return finding;
}

Finding baselines_only() {
  return {
      Verdict::kCaution,
      "No run was given, so that the program's own baseline systems stand for the systems. They are alike: pools of "
      "them find less than pools of systems of many groups, and all of them rank by words. Give runs of your own "
      "for a verdict on them.",
      "runs of others are good; baselines call for caution."};
}

StudyTable studies_table(std::span<const StudyOutput> outputs, std::span<const LeftOutStudy> left_out) {
  StudyTable table{"studies", "The studies", {"study", "state", "good", "caution", "bad", "question or reason"}, {}};
  for (const auto& output : outputs)
    table.rows.push_back({output.study, std::string("done"), count(output, Verdict::kGood),
                          count(output, Verdict::kCaution), count(output, Verdict::kBad), output.question});
  for (const auto& study : left_out)
    table.rows.push_back(
        {study.study, std::string("left out"), std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, study.reason});
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

/// Findings with these verdicts in the order of the verdicts, each with the name of its study.
std::vector<Finding> gathered(std::span<const StudyOutput> outputs) {
  std::vector<Finding> findings;
  for (const auto verdict : {Verdict::kBad, Verdict::kCaution, Verdict::kGood}) {
    for (const auto& output : outputs) {
      for (const auto& finding : output.findings) {
        if (finding.verdict != verdict) continue;
        findings.push_back(finding);
        findings.back().statement = fmt::format("[{}] {}", output.study, finding.statement);
      }
    }
  }
  return findings;
}

}  // namespace

StudyOutput summarize(const TrustSources& sources, std::span<const StudyOutput> outputs,
                      std::span<const LeftOutStudy> left_out) {
  StudyOutput summary;
  summary.study = "trust";
  summary.title = "Summary";
  summary.question = "How far can the ranking of systems on this collection be believed?";
  summary.facts = {{"collection", sources.collection},
                   {"judgments", sources.qrels},
                   {"runs", fmt::to_string(sources.runs.size())},
                   {"systems", sources.runs_are_baselines ? "baseline systems of touchstone retrieve" : "as given"}};
  if (!outputs.empty()) {
    for (const auto& [name, value] : outputs.front().facts) {
      if (name == "topics") summary.facts.emplace_back(name, value);
    }
  }
  VerdictCounts counts(outputs);
  if (sources.runs_are_baselines) ++counts.caution;
  summary.findings.push_back(overall(counts, outputs.size(), left_out.size()));
  if (sources.runs_are_baselines) summary.findings.push_back(baselines_only());
  for (auto& finding : gathered(outputs)) summary.findings.push_back(std::move(finding));
  summary.tables.push_back(studies_table(outputs, left_out));
  summary.write_fields = [sources, outputs = std::vector<StudyOutput>(outputs.begin(), outputs.end()),
                          left_out = std::vector<LeftOutStudy>(left_out.begin(), left_out.end())](JsonWriter& json) {
    VerdictCounts counts(outputs);
    if (sources.runs_are_baselines) ++counts.caution;
    json.field("collection", sources.collection).field("qrels", sources.qrels).key("runs").begin_array();
    for (const auto& run : sources.runs) json.value(run);
    json.end_array().field("runs_are_baselines", sources.runs_are_baselines);
    json.key("verdicts")
        .begin_object()
        .field("good", counts.good)
        .field("caution", counts.caution)
        .field("bad", counts.bad)
        .end_object();
    write_studies(json, outputs, left_out);
  };
  return summary;
}

StudyTable findings_table(std::span<const StudyOutput> outputs) {
  StudyTable table{"findings", "What follows from each study", {"study", "verdict", "statement", "threshold"}, {}};
  for (const auto& output : outputs) {
    for (const auto& finding : output.findings)
      table.rows.push_back(
          {output.study, std::string(name_in(kVerdicts, finding.verdict)), finding.statement, finding.threshold});
  }
  return table;
}

}  // namespace touchstone::analysis::studies::trust
