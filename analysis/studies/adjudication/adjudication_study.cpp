#include "analysis/studies/adjudication/adjudication_study.hpp"

#include "analysis/studies/adjudication/trials.hpp"
#include "analysis/studies/study.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::studies::adjudication {
namespace {

// Rules behind the verdicts.
constexpr double kGoodBias = 0.05, kBadBias = 0.2, kGoodRecall = 0.9, kGoodTau = 0.9, kFewReversals = 0.01;

/// With fewer significant pairs, a single one is more than the 10 % that may be missed.
constexpr std::size_t kLeastPairs = 10;

struct MeasureMeans {
  const MeasureResults* results;
  std::vector<TrialMeans> means;
};

std::string number(double value) {
  return std::isnan(value) ? "undefined" : fmt::format("{:.3f}", value);
}

StudyTable methods_table(const std::vector<MeasureMeans>& measures) {
  StudyTable table{"methods", "Methods by budget", {}, {}};
  table.columns = {"measure",   "method", "budget", "trials", "judged", "relevant", "tau",  "tau_sd", "tau_ap",
                   "precision", "recall", "aa",     "ma_g",   "ma_l",   "md_g",     "md_l", "ad",     "bias"};
  for (const auto& [results, means] : measures) {
    for (const auto& m : means) {
      table.rows.push_back({results->measure, choice_text(m.method), m.budget, m.trials, m.judged, m.relevant, m.tau,
                            m.tau_deviation, m.tau_ap, m.precision, m.recall, m.aa, m.ma_gold, m.ma_collected,
                            m.md_gold, m.md_collected, m.ad, m.bias});
    }
  }
  table.note =
      "Means over trials. tau and tau_ap compare the rankings of systems. Precision and recall are those of the "
      "significant pairs. Pairs that both label sets find significant: aa in the same order, ad in opposite orders. "
      "Pairs that only the gold labels find significant: ma_g in the same order, md_g in opposite orders; only the "
      "collected labels: ma_l and md_l. bias = 1 - aa / (aa + ad + ma_l + md_l): the share of significant results that "
      "the gold labels do not confirm.";
  return table;
}

StudyTable mixed_table(const MeasureResults& results) {
  StudyTable table{"mixed_agreements", "Score differences of pairs that only one label set finds significant", {}, {}};
  table.columns = {"measure", "method",     "budget", "first_rank", "last_rank", "differences",
                   "minimum", "quartile_1", "median", "quartile_3", "maximum"};
  for (const auto& method : results.methods) {
    if (method.budget != results.methods.front().budget) continue;
    for (const auto& p : mixed_points(method))
      table.rows.push_back({results.measure, choice_text(method.method), method.budget, p.first_rank, p.last_rank,
                            p.differences, p.minimum, p.quartile_1, p.median, p.quartile_3, p.maximum});
  }
  table.shown_rows = 12;
  table.note =
      "By rank in the gold ranking, over all trials with the lowest budget. A pair counts for both of its systems: "
      "with "
      "a positive difference for the one that the collected labels score higher, with a negative one for the other.";
  return table;
}

/// Figure 1 of the paper: one panel for each method.
Chart mixed_chart(const MeasureResults& results) {
  Chart chart{"mixed_agreements",        "Where in the ranking decisions change", "",
              "rank by the gold labels", "difference of " + results.measure,      {}};
  const auto lowest = results.methods.front().budget;
  chart.caption = fmt::format(
      "Score differences of the pairs that only one label set finds significant, with {} judgments a topic: the median "
      "with the band between the quartiles, the minimum and the maximum, for three ranks a point. Lines break where no "
      "system is in such a pair. Wide bands at low ranks mean that decisions about the best systems change.",
      lowest);
  for (const auto& method : results.methods) {
    if (method.budget != lowest) continue;
    ChartSeries median{"median", {}}, minimum{"minimum", {}}, maximum{"maximum", {}};
    minimum.dashed = maximum.dashed = true;
    std::size_t next = 1;
    for (const auto& p : mixed_points(method)) {
      const auto middle = static_cast<double>(p.first_rank + p.last_rank) / 2;
      for (auto* series : {&median, &minimum, &maximum}) {
        if (p.first_rank > next) series->points.push_back({middle, std::numeric_limits<double>::quiet_NaN()});
      }
      next = p.last_rank + 1;
      median.points.push_back({middle, p.median, p.quartile_1, p.quartile_3});
      minimum.points.push_back({middle, p.minimum});
      maximum.points.push_back({middle, p.maximum});
    }
    if (!median.points.empty())
      chart.panels.push_back({std::string(choice_text(method.method)), {median, minimum, maximum}});
  }
  return chart;
}

Chart budget_chart(const MeasureMeans& measure, const char* name, const char* axis, double TrialMeans::*value) {
  Chart chart{name, fmt::format("{} by budget ({})", axis, measure.results->measure), "", "judgments of a topic", axis,
              {}};
  chart.caption = fmt::format("Mean {} over trials, for each method and budget.", axis);
  std::map<AdjudicationMethod, std::size_t> places;
  for (const auto& means : measure.means) {
    const auto [place, is_new] = places.emplace(means.method, chart.series.size());
    if (is_new) chart.series.push_back({std::string(choice_text(means.method)), {}});
    if (!std::isnan(means.*value))
      chart.series[place->second].points.push_back({static_cast<double>(means.budget), means.*value});
  }
  return chart;
}

/// Whether the budget leaves documents of the pool unjudged, so that there is something to choose.
bool chooses(const TrialMeans& means, const GoldCounts& gold) {
  return as_shown(means.judged, 3) < static_cast<double>(gold.judged);
}

/// Why the pairs that the gold labels find significant give no verdict; empty if they do.
std::string too_few_pairs(const MeasureResults& results) {
  if (results.significant >= kLeastPairs) return "";
  if (results.significant == 0)
    return fmt::format(
        "The gold labels find none of the {} pairs of systems significant by {}, so that no decision "
        "can be lost.",
        results.pairs, results.measure);
  return fmt::format(
      "The gold labels find {} of the {} pairs of systems significant by {}. What labels that a method "
      "chooses would change cannot be told with so few.",
      results.significant, results.pairs, results.measure);
}

const std::string kLeastPairsRule = fmt::format("a verdict needs at least {} significant pairs", kLeastPairs);

Finding decisions_finding(const MeasureMeans& measure, const GoldCounts& gold, std::size_t budget) {
  const TrialMeans* best = nullptr;
  const auto f1 = [](const TrialMeans& m) { return 2 * m.precision * m.recall / (m.precision + m.recall); };
  for (const auto& means : measure.means) {
    if (means.budget == budget && !std::isnan(f1(means)) && (best == nullptr || f1(means) > f1(*best))) best = &means;
  }
  Finding finding;
  finding.threshold = fmt::format(
      "good if at most {:.0f} % of the significant results are wrong and at least {:.0f} % of the gold labels' are "
      "found; bad from {:.0f} % wrong",
      100 * kGoodBias, 100 * kGoodRecall, 100 * kBadBias);
  if (std::none_of(measure.means.begin(), measure.means.end(),
                   [&](const TrialMeans& means) { return means.budget == budget && chooses(means, gold); })) {
    return {Verdict::kFact,
            fmt::format("{} judgments a topic cover the whole pool, so that they say what the gold labels say. Study "
                        "a smaller budget or a deeper pool.",
                        budget),
            "a verdict needs a budget below the size of the pool"};
  }
  if (best == nullptr) {
    finding.verdict = Verdict::kBad;
    finding.statement = fmt::format("With {} judgments a topic, no method finds any significant difference in {}.",
                                    budget, measure.results->measure);
    return finding;
  }
  finding.statement = fmt::format(
      "With {} judgments a topic ({:.0f} % of the pool), {} keeps most of the decisions by {}: {:.0f} % of the {} "
      "significant pairs are found, and {:.0f} % of the pairs that it finds significant are not so by the gold labels "
      "(publication bias). tau of the rankings is {}.",
      budget, 100 * best->judged / static_cast<double>(gold.judged), choice_text(best->method),
      measure.results->measure, 100 * best->recall, measure.results->significant, 100 * best->bias, number(best->tau));
  const double bias = as_shown(100 * best->bias, 0) / 100, recall = as_shown(100 * best->recall, 0) / 100;
  finding.verdict = bias <= kGoodBias && recall >= kGoodRecall ? Verdict::kGood
                    : bias >= kBadBias                         ? Verdict::kBad
                                                               : Verdict::kCaution;
  return finding;
}

Finding ranking_finding(const MeasureMeans& measure, const GoldCounts& gold) {
  const TrialMeans* cheapest = nullptr;
  for (const auto& means : measure.means) {
    if (!chooses(means, gold) || !(as_shown(means.tau, 3) >= kGoodTau)) continue;
    const bool better = cheapest == nullptr || means.budget < cheapest->budget ||
                        (means.budget == cheapest->budget && means.tau > cheapest->tau);
    if (better) cheapest = &means;
  }
  Finding finding;
  finding.threshold = fmt::format("good if a budget of the study gives a tau of at least {}", kGoodTau);
  if (cheapest == nullptr) {
    finding.verdict = Verdict::kCaution;
    finding.statement = fmt::format("No budget ranks the systems by {} as the gold labels do (tau below {}).",
                                    measure.results->measure, kGoodTau);
  } else {
    finding.verdict = Verdict::kGood;
    finding.statement = fmt::format(
        "{} judgments a topic suffice to rank the systems by {}: {} reaches a tau of {}. Look at the decisions too: a "
        "high tau does not mean that the same differences are significant.",
        cheapest->budget, measure.results->measure, choice_text(cheapest->method), number(cheapest->tau));
  }
  return finding;
}

Finding reversal_finding(const MeasureMeans& measure) {
  double reversed = 0;
  std::string where;
  for (const auto& means : measure.means) {
    if (means.ad <= reversed) continue;
    reversed = means.ad;
    where = fmt::format("{} with {} judgments a topic", choice_text(means.method), means.budget);
  }
  Finding finding;
  finding.threshold = fmt::format(
      "good if no pair is significant in opposite orders, caution up to {:.0f} % of the pairs that the gold labels "
      "find "
      "significant, bad above",
      100 * kFewReversals);
  const double share = reversed / static_cast<double>(measure.results->significant);
  finding.verdict = reversed == 0 ? Verdict::kGood : share <= kFewReversals ? Verdict::kCaution : Verdict::kBad;
  finding.statement = reversed > 0 ? fmt::format(
                                         "{} reverses {:.2f} of the {} significant pairs of {} on "
                                         "average.",
                                         where, reversed, measure.results->significant, measure.results->measure)
                                   : fmt::format("No method and budget reverses a pair that is significant by {}.",
                                                 measure.results->measure);
  return finding;
}

void add_findings(std::vector<Finding>& findings, const MeasureMeans& measure, const GoldCounts& gold) {
  if (const auto reason = too_few_pairs(*measure.results); !reason.empty()) {
    findings.push_back({Verdict::kFact, reason, kLeastPairsRule});
    return;
  }
  std::set<std::size_t> budgets;
  bool any_chooses = false;
  for (const auto& means : measure.means) {
    budgets.insert(means.budget);
    any_chooses = any_chooses || chooses(means, gold);
  }
  for (const auto budget : budgets) findings.push_back(decisions_finding(measure, gold, budget));
  if (!any_chooses) return;
  findings.push_back(ranking_finding(measure, gold));
  findings.push_back(reversal_finding(measure));
}

void write_measure(JsonWriter& json, const GoldCounts& gold, const MeasureMeans& measure) {
  json.field("measure", measure.results->measure);
  json.key("gold").begin_object();
  json.field("judged", gold.judged).field("relevant", gold.relevant);
  json.field("pairs", measure.results->pairs).field("significant", measure.results->significant).end_object();
  json.key("methods").begin_array();
  for (const auto& m : measure.means) {
    json.begin_object();
    json.field("method", choice_text(m.method)).field("budget", m.budget).field("trials", m.trials);
    json.field("judged", m.judged).field("relevant", m.relevant);
    json.field("kendall_tau", m.tau).field("kendall_tau_sd", m.tau_deviation).field("tau_ap", m.tau_ap);
    json.field("precision", m.precision).field("recall", m.recall);
    json.field("aa", m.aa).field("ad", m.ad).field("ma_g", m.ma_gold).field("ma_l", m.ma_collected);
    json.field("md_g", m.md_gold).field("md_l", m.md_collected).field("bias", m.bias);
    json.end_object();
  }
  json.end_array();
}

/// The systems that contribute to the pool, and those that are compared.
struct Roles {
  std::vector<std::size_t> pooling;
  std::vector<std::string> compared;
};

Roles roles_of(const JudgedRuns& runs, const std::vector<std::string>& leave_out) {
  std::vector<bool> left_out(runs.systems().size());
  for (const auto& name : leave_out) left_out[runs.find_system(name)] = true;
  Roles roles;
  for (std::size_t system = 0; system < left_out.size(); ++system) {
    if (!left_out[system]) roles.pooling.push_back(system);
    if (left_out[system] || leave_out.empty()) roles.compared.push_back(runs.systems()[system]);
  }
  if (roles.pooling.empty()) {
    throw ConfigError("adjudication.leave_out names all systems; leave at least one of them in the pool");
  }
  if (roles.compared.size() < 2) {
    throw ConfigError("adjudication.leave_out names one system; name at least two, because they are compared");
  }
  return roles;
}

significance::CompareOptions compare_options(const StudyOptions& shared, const AdjudicationStudyOptions& own) {
  significance::CompareOptions options;
  options.test = significance::SignificanceTest::kTukeyHsd;
  options.permutations = static_cast<std::uint64_t>(own.permutations);
  options.seed = static_cast<std::uint64_t>(shared.seed);
  options.alpha = shared.alpha;
  return options;
}

MeasureResults study_measure(const StudyContext& context, const JudgedRuns& runs, const PooledTopics& pools,
                             const measures::LabelScorer& scorer, const Roles& roles) {
  const auto& own = context.settings.get<AdjudicationStudyOptions>();
  GoldView gold{scorer, roles.compared, score_systems(runs, scorer, pools.gold(), roles.compared), {}};
  gold.comparison = significance::compare_systems(gold.scores, compare_options(context.shared(), own));
  MeasureResults results{scorer.measure().name, gold.comparison.pairs.size(), gold.comparison.significant, {}};
  const TrialSetup setup{runs, pools, gold, own, static_cast<std::uint64_t>(context.shared().seed)};
  for (const auto method : own.methods) {
    auto trials = run_method(setup, method, budgets_of(own), context.parts, context.progress, context.stop);
    std::move(trials.begin(), trials.end(), std::back_inserter(results.methods));
  }
  return results;
}

StudyOutput run_adjudication(StudyContext& context) {
  const auto& own = context.settings.get<AdjudicationStudyOptions>();
  const auto budgets = budgets_of(own);
  if (own.methods.empty()) throw ConfigError("adjudication.methods is empty; name at least one method");
  const auto scorers = study_measures(context.shared(), "map");
  const auto runs = read_judged_runs(context.shared(), 2);
  for (const auto& scorer : scorers) scorer.check_highest_grade(runs.highest_grade());
  const auto min_grade = static_cast<int>(context.shared().min_grade);
  count_relevant(runs, min_grade);
  const auto roles = roles_of(runs, own.leave_out);
  const PooledTopics pools(runs, roles.pooling, static_cast<std::size_t>(own.pool_depth), min_grade);
  if (pools.relevant() == 0) {
    throw ConfigError(fmt::format("no document of grade {} or higher is in the pools of depth {}; raise --pool-depth",
                                  min_grade, own.pool_depth));
  }
  for (const auto method : own.methods)
    context.progress.total += scorers.size() * budgets.size() * trial_count(method, own);
  std::vector<MeasureResults> results;
  for (const auto& scorer : scorers) results.push_back(study_measure(context, runs, pools, scorer, roles));
  auto output = describe({pools.documents(), pools.relevant()}, std::move(results));
  output.facts = input_facts(runs, context.shared());
  output.facts.emplace_back("pool",
                            fmt::format("the first {} documents of {} systems that the qrels judge: {}, {} of "
                                        "them relevant",
                                        own.pool_depth, roles.pooling.size(), pools.documents(), pools.relevant()));
  if (!own.leave_out.empty())
    output.facts.emplace_back("compared systems", fmt::format("the {} outside of the pool", roles.compared.size()));
  output.facts.emplace_back(
      "test", fmt::format("randomised Tukey HSD, {} permutations, alpha {}", own.permutations, context.shared().alpha));
  return output;
}

}  // namespace

StudyOutput describe(const GoldCounts& gold, std::vector<MeasureResults> given) {
  const auto results = std::make_shared<const std::vector<MeasureResults>>(std::move(given));
  std::vector<MeasureMeans> measures;
  for (const auto& of_measure : *results) {
    auto& measure = measures.emplace_back(MeasureMeans{&of_measure, {}});
    for (const auto& method : of_measure.methods) measure.means.push_back(means_of(method));
  }
  StudyOutput output;
  output.study = "adjudication";
  output.title = "Adjudication methods";
  output.question = "Which decisions about systems would change if only part of the pool were judged?";
  output.tables.push_back(methods_table(measures));
  for (const auto& measure : measures) {
    add_findings(output.findings, measure, gold);
    auto mixed = mixed_table(*measure.results);
    auto chart = mixed_chart(*measure.results);
    const auto suffix = measures.size() > 1 ? "_" + std::to_string(output.tables.size()) : "";
    mixed.name += suffix;
    chart.name += suffix;
    output.tables.push_back(std::move(mixed));
    auto tau = budget_chart(measure, "tau", "tau", &TrialMeans::tau);
    auto bias = budget_chart(measure, "bias", "publication bias", &TrialMeans::bias);
    tau.name += suffix;
    bias.name += suffix;
    output.charts.push_back(std::move(tau));
    output.charts.push_back(std::move(bias));
    if (!chart.panels.empty()) output.charts.push_back(std::move(chart));
  }
  output.write_fields = [gold, results, measures](JsonWriter& json) {
    write_measure(json, gold, measures.front());
    if (measures.size() < 2) return;
    json.key("measures").begin_array();
    for (const auto& measure : measures) {
      json.begin_object();
      write_measure(json, gold, measure);
      json.end_object();
    }
    json.end_array();
  };
  return output;
}

Study adjudication_study() {
  return {"adjudication", "What labels chosen by adjudication methods would say about systems", "trials",
          &option_group<AdjudicationStudyOptions>(), run_adjudication};
}

}  // namespace touchstone::analysis::studies::adjudication
