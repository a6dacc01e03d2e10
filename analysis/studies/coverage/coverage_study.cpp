#include "analysis/studies/coverage/coverage_numbers.hpp"
#include "analysis/studies/coverage/human_sample.hpp"
#include "analysis/studies/study.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace touchstone::analysis::studies::coverage {
namespace {

constexpr double kGoodRecall = 0.9, kUsableRecall = 0.7;
constexpr double kFewUnjudged = 0.05, kManyUnjudged = 0.2;
constexpr std::size_t kShownUnjudged = 20;

/// What the curve says for a share, which is at most 1.
double extrapolated(const LogCurve& curve, double x) {
  return std::isnan(curve.a) ? curve.a : std::clamp(curve.at(x), 0.0, 1.0);
}

/// What the curve says for a number of passages.
double extrapolated_count(const LogCurve& curve, double x) {
  return std::isnan(curve.a) ? curve.a : std::max(curve.at(x), 0.0);
}

/// A share of at most 1 as it is printed: in percent with one decimal.
double shown_share(double share) {
  return as_shown(100 * share, 1) / 100;
}

Verdict by_recall(double share) {
  const double recall = shown_share(share);
  if (!(recall >= kUsableRecall)) return Verdict::kBad;
  return recall >= kGoodRecall ? Verdict::kGood : Verdict::kCaution;
}

Finding coverage_finding(const CoverageNumbers& n, const CoveragePlan& plan) {
  std::string text = fmt::format(
      "The first {} ranks of the {} systems hold {:.1f} % of the evidence of a topic on average ({} of {} passages).",
      plan.depth, n.systems, 100 * n.pool.coverage, n.pool.found, n.relevant);
  if (!std::isnan(n.by_systems.a)) {
    text += fmt::format(" {} systems would find about {:.1f} % (logarithmic curve, RMSE {:.2f} percentage points).",
                        plan.target_systems, 100 * extrapolated(n.by_systems, plan.target_systems),
                        100 * n.by_systems.rmse);
  }
  return {by_recall(n.pool.coverage), text, "good from 90 % of the known evidence, caution from 70 %, bad below"};
}

Finding depth_finding(const CoverageNumbers& n, const CoveragePlan& plan) {
  auto text = fmt::format("Pools of depth {} would find about {:.1f} % (logarithmic curve through the depths 1 to {}).",
                          plan.target_depth, 100 * extrapolated(n.by_depth, plan.target_depth), plan.fit_depth);
  const auto& deepest = n.depths.back();
  if (deepest.depth == plan.target_depth)
    text += fmt::format(" The runs at hand find {:.1f} % there.", 100 * deepest.coverage);
  return {Verdict::kFact, text, ""};
}

Finding unjudged_finding(const CoverageNumbers& n) {
  const double share =
      static_cast<double>(n.pool.unjudged) / static_cast<double>(std::max<std::uint64_t>(n.pool.pool, 1));
  const auto verdict = shown_share(share) <= kFewUnjudged    ? Verdict::kGood
                       : shown_share(share) <= kManyUnjudged ? Verdict::kCaution
                                                             : Verdict::kBad;
  auto text = fmt::format("{} of the {} passages in the pools ({:.1f} %) have no label.", n.pool.unjudged, n.pool.pool,
                          100 * share);
  if (n.pool.unjudged > 0)
    text += " The table \"unjudged\" lists them; have them judged before these systems are compared.";
  return {verdict, text, "good up to 5 % without a label, caution up to 20 %, bad above"};
}

/// A note, never a verdict: Chao2 is a lower bound of what these systems can find at this depth, and deeper ranks and
/// other systems find more.
Finding capture_finding(const CoverageNumbers& n, const CoveragePlan& plan) {
  const auto& c = n.capture;
  if (std::isnan(c.recall.value)) {
    return {Verdict::kFact,
            "Capture and recapture needs at least two systems that find evidence; there is no estimate.", ""};
  }
  return {
      Verdict::kFact,
      fmt::format("The pools hold {} passages of evidence; {} of them only one system found, {} two. By capture and "
                  "recapture (Chao2), more systems of this kind would bring at least about {:.0f} more within the "
                  "first {} ranks (95 % interval {:.0f} to {:.0f}). What lies deeper, and what such systems cannot "
                  "find, is not estimated.",
                  c.found, c.once, c.twice, c.total.value - static_cast<double>(c.found), plan.depth,
                  c.total.low - static_cast<double>(c.found), c.total.high - static_cast<double>(c.found)),
      ""};
}

Finding new_evidence_finding(const NewEvidence& added) {
  const double share = added.share();
  const auto verdict = !(shown_share(share) <= kManyUnjudged) ? Verdict::kBad
                       : shown_share(share) <= kFewUnjudged   ? Verdict::kGood
                                                              : Verdict::kCaution;
  return {
      verdict,
      fmt::format("{} passages without a label were judged for {} topics; {} are new evidence, {:.1f} % of the {} that "
                  "were known for these topics.",
                  added.judged, added.topics, added.evidence, 100 * share, added.known),
      "good up to 5 % new evidence, caution up to 20 %, bad above; D-MERIT, section 2.4, found 3.5 %"};
}

Finding sample_finding(const HumanSample& sample) {
  return {
      by_recall(sample.recall.value),
      fmt::format("By the human sample ({} passages of {} topics, {} strata{}) the labels miss {:.0f} passages of "
                  "evidence of all topics (95 % interval {:.0f} to {:.0f}) beside the {} that they know: a recall of "
                  "{:.1f} % ({:.1f} to {:.1f}).",
                  sample.judged, sample.topics, sample.strata.size(),
                  sample.ungraded == 0 ? "" : fmt::format("; {} lines without a grade left out", sample.ungraded),
                  sample.missed.value, sample.missed.low, sample.missed.high, sample.known, 100 * sample.recall.value,
                  100 * sample.recall.low, 100 * sample.recall.high),
      "good from 90 %, caution from 70 %, bad below"};
}

/// D-MERIT, figure 5.
StudyTable systems_table(const CoverageNumbers& n, const CoveragePlan& plan) {
  StudyTable table{"systems",
                   "Coverage by number of systems",
                   {"systems", "coverage", "fit"},
                   {},
                   "Expected share of the evidence in the pool of so many systems drawn at random, exact; fit is the "
                   "logarithmic curve, which goes on where there are no more systems."};
  const auto undefined = std::nan("");
  for (std::uint32_t t = 1; t <= std::max<std::size_t>(n.systems, plan.target_systems); ++t) {
    const bool observed = t <= n.systems;
    if (!observed && t % 10 != 0 && t != plan.target_systems) continue;
    table.rows.push_back({t, observed ? n.expected[t - 1] : undefined, extrapolated(n.by_systems, t)});
  }
  return table;
}

/// D-MERIT, figures 6 and 7.
StudyTable depths_table(const CoverageNumbers& n, bool has_new_evidence) {
  StudyTable table{"depths",
                   "Coverage by depth of the pools",
                   {"depth", "pool", "unjudged", "found", "coverage", "fit", "found_fit"},
                   {},
                   "found is evidence in the pool; fit is the logarithmic curve of the coverage, found_fit that of the "
                   "evidence."};
  if (has_new_evidence) {
    table.columns.insert(table.columns.end(), {"new_evidence", "new_evidence_fit"});
    table.note += " new_evidence are passages of the pool without a label that the new judgments found relevant.";
  }
  for (const auto& d : n.depths) {
    auto& row = table.rows.emplace_back(std::vector<Cell>{d.depth, d.pool, d.unjudged, d.found, d.coverage,
                                                          extrapolated(n.by_depth, d.depth),
                                                          extrapolated_count(n.found_by_depth, d.depth)});
    if (!has_new_evidence) continue;
    row.emplace_back(d.new_evidence);
    row.emplace_back(extrapolated_count(n.new_evidence_by_depth, d.depth));
  }
  return table;
}

StudyTable unjudged_table(const CoverageNumbers& n) {
  StudyTable table{
      "unjudged",
      "Passages of the pools without a label",
      {"topic", "docid", "stratum", "stratum_size", "draw", "best_rank", "systems"},
      {},
      "To estimate recall, have the first lines by draw of each stratum judged, add a column grade, and give "
      "the file to --human-sample. The strata are numbers of systems.",
      kShownUnjudged};
  for (const auto& p : n.unjudged)
    table.rows.push_back({p.topic, p.docid, p.stratum, p.stratum_size, p.draw, p.best_rank, p.systems});
  return table;
}

Chart systems_chart(const CoverageNumbers& n, const CoveragePlan& plan) {
  Chart chart{
      "systems",
      "Coverage by number of systems",
      fmt::format("Share of the evidence in pools of depth {}: the exact expectation, and the logarithmic curve "
                  "that extrapolates it.",
                  plan.depth),
      "systems",
      "coverage",
      {{"expected", {}}, {"logarithmic curve", {}, true, true}}};
  for (std::size_t t = 1; t <= n.systems; ++t)
    chart.series[0].points.push_back({static_cast<double>(t), n.expected[t - 1]});
  for (std::size_t t = 1; t <= std::max<std::size_t>(n.systems, plan.target_systems); ++t)
    chart.series[1].points.push_back({static_cast<double>(t), extrapolated(n.by_systems, static_cast<double>(t))});
  return chart;
}

Chart depths_chart(const CoverageNumbers& n, const CoveragePlan& plan) {
  Chart chart{
      "depths",
      "Coverage by depth of the pools",
      "Share of the evidence in the pools of all systems, and the logarithmic curve that extrapolates it. Points "
      "beyond the fitted depths are what the runs at hand find there.",
      "depth",
      "coverage",
      {{"pools", {}, false}, {"logarithmic curve", {}, true, true}}};
  for (const auto& d : n.depths) chart.series[0].points.push_back({static_cast<double>(d.depth), d.coverage});
  for (std::uint32_t d = 1; d <= std::max(plan.fit_depth, plan.target_depth); ++d)
    chart.series[1].points.push_back({static_cast<double>(d), extrapolated(n.by_depth, d)});
  return chart;
}

void write_estimate(JsonWriter& json, std::string_view name, const Estimate& estimate) {
  json.key(name).begin_object().field("value", estimate.value).field("low", estimate.low);
  json.field("high", estimate.high).end_object();
}

void write_curve(JsonWriter& json, std::string_view name, const LogCurve& curve, std::string_view axis, double target) {
  json.key(name).begin_object().field("a", curve.a).field("b", curve.b).field("rmse", curve.rmse);
  json.field("largest_error", curve.largest_error).field(axis, target);
  json.field("coverage", extrapolated(curve, target)).end_object();
}

void write_capture(JsonWriter& json, const CaptureRecapture& capture) {
  json.key("capture_recapture").begin_object().field("estimator", "chao2").field("found", capture.found);
  json.field("found_once", capture.once).field("found_twice", capture.twice);
  write_estimate(json, "total", capture.total);
  write_estimate(json, "recall", capture.recall);
  json.end_object();
}

void write_sample(JsonWriter& json, const HumanSample& sample) {
  json.key("horvitz_thompson").begin_object().field("topics", sample.topics).field("known", sample.known);
  json.field("judged", sample.judged).field("ungraded", sample.ungraded);
  json.key("strata").begin_array();
  for (const auto& stratum : sample.strata) {
    json.begin_object().field("stratum", stratum.name).field("size", stratum.size);
    json.field("sampled", stratum.sampled).field("missed", stratum.missed).end_object();
  }
  json.end_array();
  write_estimate(json, "missed", sample.missed);
  write_estimate(json, "recall", sample.recall);
  json.end_object();
}

void write_fields(JsonWriter& json, const CoverageNumbers& n, const CoveragePlan& plan,
                  const std::optional<NewEvidence>& added, const std::optional<HumanSample>& sample) {
  json.field("depth", plan.depth).field("systems", n.systems).field("topics", n.topics).field("relevant", n.relevant);
  json.field("coverage", n.pool.coverage).field("found", n.pool.found).field("pool", n.pool.pool);
  json.field("unjudged", n.pool.unjudged).field("expected", n.expected);
  write_curve(json, "fit", n.by_systems, "systems", plan.target_systems);
  json.key("depths").begin_array();
  for (const auto& d : n.depths) {
    json.begin_object().field("depth", d.depth).field("pool", d.pool).field("unjudged", d.unjudged);
    json.field("found", d.found).field("coverage", d.coverage);
    if (added) json.field("new_evidence", d.new_evidence);
    json.end_object();
  }
  json.end_array();
  write_curve(json, "depth_fit", n.by_depth, "depth", plan.target_depth);
  write_capture(json, n.capture);
  if (added) {
    json.key("new_evidence").begin_object().field("topics", added->topics).field("judged", added->judged);
    json.field("evidence", added->evidence).field("known", added->known).field("share", added->share()).end_object();
  }
  if (sample) write_sample(json, *sample);
}

void add_coverage_output(StudyOutput& output, const CoverageNumbers& numbers, const CoveragePlan& plan,
                         const std::optional<NewEvidence>& added, const std::optional<HumanSample>& sample) {
  output.title = "How much of the evidence pools find";
  output.question = "How much of the known evidence would pooling these systems find, and how much do the labels lack?";
  output.findings = {coverage_finding(numbers, plan), depth_finding(numbers, plan), unjudged_finding(numbers),
                     capture_finding(numbers, plan)};
  if (added) output.findings.push_back(new_evidence_finding(*added));
  if (sample) output.findings.push_back(sample_finding(*sample));
  output.tables = {systems_table(numbers, plan), depths_table(numbers, added.has_value()), unjudged_table(numbers)};
  output.charts = {systems_chart(numbers, plan), depths_chart(numbers, plan)};
  output.write_fields = [=](JsonWriter& json) { write_fields(json, numbers, plan, added, sample); };
}

struct CoverageOptions {
  std::int64_t depth = 10, fit_depth = 20, target_systems = 100, target_depth = 100;
  std::string new_judgments, human_sample;

  static std::vector<Option<CoverageOptions>> options() {
    return {
        {"coverage.depth", &CoverageOptions::depth, between(1, 1e6), "Ranks of each system that go into the pools."},
        {"coverage.fit_depth", &CoverageOptions::fit_depth, between(2, 1e4),
         "Pool depths 1 to N that are extrapolated to the target depth."},
        {"coverage.target_systems", &CoverageOptions::target_systems, between(1, 1e5),
         "Number of systems to extrapolate to."},
        {"coverage.target_depth", &CoverageOptions::target_depth, between(1, 1e6), "Pool depth to extrapolate to."},
        {"coverage.new_judgments", &CoverageOptions::new_judgments,
         "Qrels of passages that had no label; new evidence is counted."},
        {"coverage.human_sample", &CoverageOptions::human_sample,
         "Lines of unjudged.tsv with a column grade, to estimate recall."},
    };
  }
};

CoveragePlan plan_of(const CoverageOptions& options, const StudyOptions& shared) {
  CoveragePlan plan;
  plan.min_grade = static_cast<int>(shared.min_grade);
  plan.depth = static_cast<std::uint32_t>(options.depth);
  plan.fit_depth = static_cast<std::uint32_t>(options.fit_depth);
  plan.target_systems = static_cast<std::uint32_t>(options.target_systems);
  plan.target_depth = static_cast<std::uint32_t>(options.target_depth);
  plan.seed = static_cast<std::uint64_t>(shared.seed);
  return plan;
}

StudyOutput run_coverage(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& options = context.settings.get<CoverageOptions>();
  const auto plan = plan_of(options, shared);
  const auto runs = read_judged_runs(shared, 1, std::max({plan.depth, plan.fit_depth, plan.target_depth}));
  count_relevant(runs, plan.min_grade);
  std::optional<NewEvidence> added;
  if (!options.new_judgments.empty()) added = count_new_evidence(options.new_judgments, runs, plan.min_grade);
  std::optional<HumanSample> sample;
  if (!options.human_sample.empty()) sample = read_human_sample(options.human_sample, runs, plan.min_grade);
  StudyOutput output;
  output.study = "coverage";
  output.facts = input_facts(runs, shared);
  output.facts.emplace_back("depth of the pools", fmt::to_string(plan.depth));
  if (added) output.facts.emplace_back("new judgments", options.new_judgments);
  if (sample) output.facts.emplace_back("human sample", options.human_sample);
  add_coverage_output(output, coverage_numbers(runs, plan, added ? &*added : nullptr), plan, added, sample);
  return output;
}

}  // namespace

Study coverage_study() {
  return {"coverage", "How much of the evidence pools of systems find", "topics", &option_group<CoverageOptions>(),
          run_coverage};
}

}  // namespace touchstone::analysis::studies::coverage
