// This file is long because it says everything that the study finds: in sentences, tables, figures and JSON.
#include "analysis/significance/significance.hpp"
#include "analysis/studies/reannotation/assessor_grades.hpp"
#include "analysis/studies/reannotation/order_stability.hpp"
#include "analysis/studies/study.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

struct ReannotationNumbers {
  std::string measure;
  std::vector<std::string> systems, assessors;  ///< assessor 0 is the original one
  double alpha = 0.05;
  AgreementNumbers agreement;
  OrderStability combinations, permutations;
  std::vector<SwapPair> swaps;  ///< over the permutations; empty without them
  std::vector<RankChange> changes;
  OracleNumbers oracles;
};

constexpr double kStableTau = 0.9, kUsableTau = 0.8;
constexpr std::size_t kShownRows = 20;

std::size_t best_of(const std::vector<double>& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

Finding stability_finding(const ReannotationNumbers& n) {
  const auto& c = n.combinations;
  const auto& p = n.permutations;
  const auto lowest = as_shown(std::min(c.tau_b.mean, p.tau_b.mean), 4);
  const auto verdict = !(lowest >= kUsableTau) ? Verdict::kBad
                       : lowest >= kStableTau  ? Verdict::kGood
                                               : Verdict::kCaution;
  return {verdict,
          fmt::format("The labels of other assessors order the systems with a mean tau_b of {:.4f} to the order by the "
                      "original labels (rho {:.4f}, average overlap {:.4f}; {} {} combinations of assessors; lowest "
                      "tau_b {:.4f}). With a random assessor for each passage tau_b is {:.4f} (rho {:.4f}, average "
                      "overlap {:.4f}; {} label sets).",
                      c.tau_b.mean, c.rho.mean, c.average_overlap.mean, c.sampled ? "a sample of" : "all",
                      c.scores.size(), c.tau_b.low, p.tau_b.mean, p.rho.mean, p.average_overlap.mean, p.scores.size()),
          "good from a mean tau_b of .9 of both, caution from .8, bad below"};
}

Finding transition_finding(const Transitions& t) {
  const auto zero = std::find(t.grades.begin(), t.grades.end(), 0);
  if (zero == t.grades.end()) return {Verdict::kFact, "No passage of grade 0 was judged again.", ""};
  const auto row = static_cast<std::size_t>(zero - t.grades.begin());
  std::uint64_t all = 0, to_one = 0;
  for (std::size_t c = 0; c < t.grades.size(); ++c) {
    all += t.at(row, c);
    if (t.grades[c] == 1) to_one = t.at(row, c);
  }
  const auto changed = all - t.at(row, row);
  if (all == 0) return {Verdict::kFact, "No passage of grade 0 was judged again.", ""};
  auto text = fmt::format("Of {} new judgments of passages with grade 0, {} ({:.1f} %) give another grade", all,
                          changed, 100 * static_cast<double>(changed) / static_cast<double>(all));
  if (changed > 0)
    text += fmt::format("; {:.1f} % of these give grade 1 and {} the highest grade {}",
                        100 * static_cast<double>(to_one) / static_cast<double>(changed),
                        t.at(row, t.grades.size() - 1), t.grades.back());
  return {Verdict::kFact, text + ".", ""};
}

/// With fewer pairs, a single one decides from which difference on orders are stable.
constexpr std::size_t kLeastPairs = 10;

Finding swap_finding(const ReannotationNumbers& n) {
  if (n.swaps.empty()) return {Verdict::kFact, "No label sets were drawn, so that swaps of systems are not known.", ""};
  const auto stable = stable_difference(n.swaps, n.alpha);
  const auto often = fmt::format("in {:.0f} % of the label sets or more", 100 * n.alpha);
  if (stable.pairs < kLeastPairs)
    return {Verdict::kFact,
            fmt::format("From which difference in {} on the order of two systems is stable cannot be told: {} of {} "
                        "pairs of systems swap {}.",
                        n.measure,
                        std::count_if(n.swaps.begin(), n.swaps.end(),
                                      [&](const SwapPair& pair) { return pair.probability >= n.alpha; }),
                        n.swaps.size(), often)};
  const auto which = stable.pairs == n.swaps.size()
                         ? fmt::format("all {} pairs of systems", stable.pairs)
                         : fmt::format("the {} pairs of systems that differ by more than {:.4f} in {}", stable.pairs,
                                       stable.difference, n.measure);
  return {Verdict::kFact, fmt::format("Of {}, {} swap {}.{}", which, stable.swapping, often,
                                      stable.pairs == n.swaps.size() ? "" : " Do not trust smaller differences.")};
}

Finding rank_finding(const ReannotationNumbers& n) {
  std::size_t changed = 0;
  for (const auto& change : n.changes) changed += significance::is_significant(change.p_value, n.alpha) ? 1 : 0;
  return {
      Verdict::kFact,
      fmt::format("{} of {} systems change their rank significantly over the combinations (Wilcoxon's signed ranks, "
                  "Bonferroni, alpha {}). The combinations share their labels, so these p-values are descriptive.",
                  changed, n.changes.size(), n.alpha),
      ""};
}

/// A system that is at most so much below the best assessor has reached people, as far as users can tell.
constexpr double kAlike = 0.05;

/// Whether the systems have reached the assessors (section 4.7).
Finding oracle_finding(const ReannotationNumbers& n) {
  const auto& o = n.oracles;
  if (o.topics == 0)
    return {Verdict::kFact, "No topic has a defined score of all runs and assessors; there is no verdict.", ""};
  std::vector<double> systems, oracles;
  for (const auto& system : o.systems) systems.push_back(system.score);
  for (const auto& oracle : o.oracles) oracles.push_back(oracle.score);
  const auto s = best_of(systems), top = best_of(oracles);
  const auto p = o.systems[s].p_values[top];
  const auto lowest = *std::min_element(oracles.begin(), oracles.end());
  const auto interval = o.systems[s].intervals[top];
  const bool apart = systems[s] < oracles[top] && significance::is_significant(p, n.alpha);
  const bool alike = !apart && interval.high <= kAlike;
  const auto verdict = alike                  ? Verdict::kBad
                       : !apart               ? Verdict::kFact
                       : systems[s] >= lowest ? Verdict::kCaution
                                              : Verdict::kGood;
  const std::string words =
      alike ? "The systems have reached the assessors: higher scores on these labels may fit one assessor's opinion."
      : !apart
          ? fmt::format("With {} topics it cannot be told whether the systems have reached the assessors.", o.topics)
      : systems[s] >= lowest ? "The systems are close to the assessors."
                             : "The systems have not reached the assessors.";
  const std::string unseen =
      o.relevant_unseen == 0
          ? ""
          : fmt::format(" {} relevant passages were not judged again; they rank as grade 0 and lower the assessors.",
                        o.relevant_unseen);
  return {verdict,
          fmt::format("{} The best system, {}, has a {} of {:.4f} ({:.4f} without unjudged passages). The assessors as "
                      "runs have {:.4f} (min), {:.4f} (mean) and {:.4f} (max). The best of them is {:+.4f} "
                      "from it (95 % interval {:+.4f} to {:+.4f}; p = {:.4f}; {} topics).{}",
                      words, n.systems[s], n.measure, systems[s], o.systems[s].judged_only, oracles[0], oracles[1],
                      oracles[2], oracles[top] - systems[s], interval.low, interval.high, p, o.topics, unseen),
          fmt::format("good if the best system is below all assessor runs and significantly below the best of them "
                      "(paired t test, Bonferroni), caution if it is only significantly below the best, bad if the "
                      "interval says that it is at most {:.2f} below the best; else there is no verdict",
                      kAlike)};
}

StudyTable stability_table(const ReannotationNumbers& n) {
  StudyTable table{"order_stability",
                   "Order of the systems by other labels against the original order",
                   {"labels", "label_sets", "tau_b", "rho", "average_overlap", "lowest_tau_b", "highest_tau_b"},
                   {},
                   "Means over the label sets."};
  const auto add = [&](const std::string& name, const OrderStability& s) {
    table.rows.push_back(
        {name, s.scores.size(), s.tau_b.mean, s.rho.mean, s.average_overlap.mean, s.tau_b.low, s.tau_b.high});
  };
  add(n.combinations.sampled ? "combinations (sampled)" : "combinations (all)", n.combinations);
  add("permutations", n.permutations);
  return table;
}

StudyTable pairs_table(const ReannotationNumbers& n, bool by_topic) {
  StudyTable table{by_topic ? "topic_pairs" : "pairs",
                   by_topic ? "Agreement of two assessors on each topic" : "Agreement of two assessors",
                   {"first", "second", "passages", "overlap", "cohen_kappa", "overlap_two", "cohen_kappa_two"},
                   {},
                   "The columns that end in _two take grades as relevant or not."};
  if (by_topic) {
    table.columns.insert(table.columns.begin(), "topic");
    table.shown_rows = kShownRows;
  }
  for (const auto& pair : by_topic ? n.agreement.topic_pairs : n.agreement.pairs) {
    std::vector<Cell> row;
    if (by_topic) row.emplace_back(pair.topic);
    row.insert(row.end(), {n.assessors[pair.first], n.assessors[pair.second], pair.items, pair.overlap, pair.kappa,
                           pair.overlap_two, pair.kappa_two});
    table.rows.push_back(row);
  }
  return table;
}

StudyTable groups_table(const ReannotationNumbers& n) {
  StudyTable table{
      "groups",
      "Agreement of those who judged the same topics",
      {"assessors", "topics", "passages", "overlap", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "overlap_two",
       "cohen_kappa_two", "fleiss_kappa_two", "krippendorff_alpha_two"},
      {},
      "Over all passages that the whole group judged; alpha (nominal) over all. Each assessor counts once."};
  for (const auto& group : n.agreement.groups) {
    std::string names;
    for (const auto a : group.assessors) names += (names.empty() ? "" : " + ") + n.assessors[a];
    table.rows.push_back({names, group.topics, group.items, group.overlap[0], group.kappa[0], group.fleiss[0],
                          group.alpha[0], group.overlap[1], group.kappa[1], group.fleiss[1], group.alpha[1]});
  }
  return table;
}

StudyTable transitions_table(const Transitions& t) {
  StudyTable table{"transitions", "Grades that new assessors gave, by original grade", {"original"}, {}, ""};
  for (const int grade : t.grades) table.columns.push_back(fmt::format("new_{}", grade));
  for (std::size_t r = 0; r < t.grades.size(); ++r) {
    std::vector<Cell> row = {t.grades[r]};
    for (std::size_t c = 0; c < t.grades.size(); ++c) row.emplace_back(t.at(r, c));
    table.rows.push_back(row);
  }
  return table;
}

StudyTable swaps_table(const ReannotationNumbers& n) {
  StudyTable table{"swaps",
                   "Pairs of systems that change places",
                   {"first", "second", "difference", "probability"},
                   {},
                   "Most probable first. Probability: share of label sets with the rarer order, 0 to .5."};
  table.shown_rows = kShownRows;
  auto pairs = n.swaps;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const SwapPair& a, const SwapPair& b) { return a.probability > b.probability; });
  for (const auto& pair : pairs)
    table.rows.push_back({n.systems[pair.first], n.systems[pair.second], pair.difference, pair.probability});
  return table;
}

StudyTable ranks_table(const ReannotationNumbers& n) {
  StudyTable table{"rank_changes",
                   "Rank of each system over the combinations",
                   {"system", "rank", "mean_change", "lowest_change", "highest_change", "score", "mean_new_score", "p"},
                   {},
                   "A positive change is a worse rank. p: Wilcoxon's signed ranks with Bonferroni's correction."};
  for (std::size_t s = 0; s < n.systems.size(); ++s) {
    const auto& c = n.changes[s];
    table.rows.push_back(
        {n.systems[s], c.original_rank, c.mean, c.lowest, c.highest, c.original_score, c.mean_score, c.p_value});
  }
  return table;
}

StudyTable oracles_table(const ReannotationNumbers& n) {
  StudyTable table{
      "oracles",
      "Assessors and systems by the original labels",
      {"run", "score", "half_width", "p_min", "p_mean", "p_max", "judged_only", "judged_half_width", "judged_p_min",
       "judged_p_mean", "judged_p_max"},
      {},
      "half_width: of the 95 % interval of the score over topics. p: paired t test against the assessors, with "
      "Bonferroni's correction."};
  const auto undefined = std::nan("");
  for (const auto& oracle : n.oracles.oracles) {
    table.rows.push_back({"assessors, " + oracle.name, oracle.score, oracle.half_width, undefined, undefined, undefined,
                          oracle.score, oracle.half_width, undefined, undefined, undefined});
  }
  for (std::size_t s = 0; s < n.oracles.systems.size(); ++s) {
    const auto& o = n.oracles.systems[s];
    table.rows.push_back({n.systems[s], o.score, o.half_width, o.p_values[0], o.p_values[1], o.p_values[2],
                          o.judged_only, o.judged_half_width, o.p_judged[0], o.p_judged[1], o.p_judged[2]});
  }
  return table;
}

Chart swaps_chart(const ReannotationNumbers& n) {
  std::map<double, double> highest;
  for (const auto& pair : n.swaps) {
    auto& probability = highest[pair.difference];
    probability = std::max(probability, pair.probability);
  }
  ChartSeries series{"pairs of systems", {}, false};
  for (const auto& [difference, probability] : highest) series.points.push_back({difference, probability});
  return {"swaps",
          "Probability of a swap",
          "Each point is a pair of systems.",
          "difference in " + n.measure,
          "probability of a swap",
          {series}};
}

Chart scores_chart(const ReannotationNumbers& n) {
  std::vector<RankChange> order = n.changes;
  std::stable_sort(order.begin(), order.end(),
                   [](const RankChange& a, const RankChange& b) { return a.original_rank < b.original_rank; });
  ChartSeries before{"original labels", {}, false}, after{"mean of the combinations", {}, false};
  for (std::size_t i = 0; i < order.size(); ++i) {
    before.points.push_back({static_cast<double>(i + 1), order[i].original_score});
    after.points.push_back({static_cast<double>(i + 1), order[i].mean_score});
  }
  return {"scores",
          "Scores by original and by new labels",
          "Systems from left to right by the original labels.",
          "system",
          n.measure,
          {before, after}};
}

void write_stability(JsonWriter& json, std::string_view name, const OrderStability& s) {
  json.key(name).begin_object().field("label_sets", s.scores.size()).field("sampled", s.sampled);
  json.field("kendall_tau_b", s.tau_b.mean).field("spearman_rho", s.rho.mean);
  json.field("average_overlap", s.average_overlap.mean).field("lowest_tau_b", s.tau_b.low);
  json.field("highest_tau_b", s.tau_b.high).end_object();
}

void write_pairs(JsonWriter& json, std::string_view name, const ReannotationNumbers& n,
                 const std::vector<PairAgreement>& pairs) {
  json.key(name).begin_array();
  for (const auto& pair : pairs) {
    json.begin_object();
    if (!pair.topic.empty()) json.field("topic", pair.topic);
    json.field("first", n.assessors[pair.first]).field("second", n.assessors[pair.second]);
    json.field("passages", pair.items).field("overlap", pair.overlap).field("cohen_kappa", pair.kappa);
    json.field("overlap_two", pair.overlap_two).field("cohen_kappa_two", pair.kappa_two).end_object();
  }
  json.end_array();
}

void write_systems(JsonWriter& json, const ReannotationNumbers& n) {
  json.key("systems").begin_array();
  for (std::size_t s = 0; s < n.systems.size(); ++s) {
    const auto& change = n.changes[s];
    json.begin_object().field("system", n.systems[s]).field("score", change.original_score);
    json.field("mean_new_score", change.mean_score).field("rank", change.original_rank);
    json.field("mean_rank_change", change.mean).field("p", change.p_value);
    if (n.oracles.topics > 0) json.field("judged_only", n.oracles.systems[s].judged_only);
    json.end_object();
  }
  json.end_array();
  json.key("swaps").begin_array();
  for (const auto& pair : n.swaps) {
    json.begin_object().field("first", n.systems[pair.first]).field("second", n.systems[pair.second]);
    json.field("difference", pair.difference).field("probability", pair.probability).end_object();
  }
  json.end_array();
}

void write_reannotation(JsonWriter& json, const ReannotationNumbers& n) {
  json.field("measure", n.measure).field("assessors", n.assessors);
  write_stability(json, "combinations", n.combinations);
  write_stability(json, "permutations", n.permutations);
  json.key("transitions").begin_object().field("grades", n.agreement.transitions.grades);
  json.field("counts", n.agreement.transitions.counts).end_object();
  json.key("oracles").begin_object().field("topics", n.oracles.topics);
  json.field("relevant_unseen", n.oracles.relevant_unseen);
  for (const auto& oracle : n.oracles.oracles) json.field(oracle.name, oracle.score);
  json.end_object();
  write_pairs(json, "pairs", n, n.agreement.pairs);
  write_pairs(json, "topic_pairs", n, n.agreement.topic_pairs);
  write_systems(json, n);
}

void add_reannotation_output(StudyOutput& output, const ReannotationNumbers& numbers) {
  output.title = "What other assessors would change";
  output.question = "Would these systems rank alike by the labels of other assessors, and have they reached people?";
  output.findings = {stability_finding(numbers), swap_finding(numbers), rank_finding(numbers), oracle_finding(numbers),
                     transition_finding(numbers.agreement.transitions)};
  output.tables = {stability_table(numbers),
                   groups_table(numbers),
                   pairs_table(numbers, false),
                   pairs_table(numbers, true),
                   transitions_table(numbers.agreement.transitions),
                   swaps_table(numbers),
                   ranks_table(numbers),
                   oracles_table(numbers)};
  output.charts = {scores_chart(numbers), swaps_chart(numbers)};
  output.write_fields = [=](JsonWriter& json) { write_reannotation(json, numbers); };
}

struct ReannotationOptions {
  std::vector<std::string> assessors;
  std::int64_t combinations = 1000, permutations = 1000, shuffles = 200;

  static std::vector<Option<ReannotationOptions>> options() {
    return {
        {"reannotation.assessors", &ReannotationOptions::assessors,
         "Qrels of the new assessors, one file each, or folders of such files."},
        {"reannotation.combinations", &ReannotationOptions::combinations, between(1, 1e6),
         "Largest number of combinations of assessors; if there are more, so many random ones are taken."},
        {"reannotation.permutations", &ReannotationOptions::permutations, between(1, 1e6),
         "Random label sets that take each passage's grade from a random assessor."},
        {"reannotation.shuffles", &ReannotationOptions::shuffles, between(1, 1e5),
         "Random orders of passages with equal grades in the runs made of assessors."},
    };
  }
};

std::vector<std::filesystem::path> assessor_files(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> files;
  for (const auto& name : names) {
    std::error_code failed;
    if (!std::filesystem::is_directory(name, failed)) {
      files.emplace_back(name);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(name)) {
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  auto sorted = files;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw ConfigError(fmt::format("{} is given twice; each assessor has one file in --assessors", twice->string()));
  }
  return files;
}

StudyOutput run_reannotation(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& options = context.settings.get<ReannotationOptions>();
  const auto files = assessor_files(options.assessors);
  const auto scorers = study_measures(shared, "nDCG@10");
  if (scorers.size() != 1) throw ConfigError("this study takes one measure; run it once for each");
  const auto& scorer = scorers.front();
  const auto runs = read_judged_runs(shared, 2);
  count_relevant(runs, scorer.min_grade());
  const AssessorGrades grades(runs, files);
  StabilityPlan plan;
  plan.combinations = static_cast<std::size_t>(options.combinations);
  plan.permutations = static_cast<std::size_t>(options.permutations);
  plan.seed = static_cast<std::uint64_t>(shared.seed);
  context.progress.total = plan.permutations;
  ReannotationNumbers numbers;
  numbers.measure = scorer.measure().name;
  numbers.systems = runs.systems();
  numbers.assessors = grades.ratings().assessors;
  numbers.alpha = shared.alpha;
  numbers.agreement = agreement_numbers(runs, grades, scorer.min_grade());
  numbers.combinations = combination_stability(runs, grades, scorer, plan, context.progress, context.stop);
  numbers.permutations = permutation_stability(runs, grades, scorer, plan, context.progress, context.stop);
  const auto original = original_scores(runs, scorer);
  numbers.swaps = swap_pairs(original, numbers.permutations.scores);
  numbers.changes = rank_changes(original, numbers.combinations.scores);
  numbers.oracles = oracle_numbers(runs, grades, scorer, static_cast<std::size_t>(options.shuffles), plan.seed);
  StudyOutput output;
  output.study = "reannotation";
  output.facts = input_facts(runs, shared);
  output.facts.emplace_back("measure", numbers.measure);
  for (std::size_t a = 1; a < numbers.assessors.size(); ++a)
    output.facts.emplace_back("assessor " + numbers.assessors[a], files[a - 1].string());
  add_reannotation_output(output, numbers);
  return output;
}

}  // namespace

Study reannotation_study() {
  return {"reannotation", "What other assessors would change in the ranking of systems", "label sets",
          &option_group<ReannotationOptions>(), run_reannotation};
}

}  // namespace touchstone::analysis::studies::reannotation
