#include "analysis/studies/adjudication/trials.hpp"

#include "analysis/agreement/decision_agreement.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies::adjudication {
namespace {

std::vector<std::pair<std::size_t, double>> mixed_agreements(const significance::Comparison& gold,
                                                             const significance::Comparison& collected) {
  std::vector<std::size_t> rank(gold.ranking.size());
  for (std::size_t r = 0; r < rank.size(); ++r) rank[gold.ranking[r]] = r;
  std::vector<std::pair<std::size_t, double>> differences;
  for (const auto& pair : gold.pairs) {
    const double difference = collected.means[pair.first] - collected.means[pair.second];
    const bool one_significant = pair.significant != collected.of(pair.first, pair.second).significant;
    if (!one_significant || pair.difference * difference < 0) continue;
    differences.emplace_back(rank[pair.first], difference);
    differences.emplace_back(rank[pair.second], -difference);
  }
  return differences;
}

Trial try_method(const TrialSetup& setup, const methods::AdjudicationOptions& options, bool keeps_mixed) {
  const auto collected = setup.pools.collect(options);
  const auto scores = score_systems(setup.runs, setup.gold.scorer, collected.labels, setup.gold.systems);
  const auto compared = agreement::compare_judgments(setup.gold.scores, setup.gold.comparison, scores);
  Trial trial;
  trial.judged = collected.judged;
  trial.relevant = collected.relevant;
  trial.tau = agreement::kendall_tau_a(compared.pairs);
  trial.tau_ap = agreement::tau_ap_a(setup.gold.comparison.means, compared.other.means);
  trial.decisions = compared.decisions;
  if (keeps_mixed) trial.mixed = mixed_agreements(setup.gold.comparison, compared.other);
  return trial;
}

// A finished part is a line of numbers, divided by blanks.

std::string text_of(const Trial& trial) {
  const auto& d = trial.decisions;
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", trial.judged, trial.relevant, trial.tau, trial.tau_ap,
                  d.active_agreements, d.active_disagreements, d.mixed_agreements_reference, d.mixed_agreements_other,
                  d.mixed_disagreements_reference, d.mixed_disagreements_other, d.passive_agreements,
                  d.passive_disagreements, trial.mixed.size());
  for (const auto& [rank, difference] : trial.mixed) text += fmt::format(" {} {}", rank, difference);
  return text;
}

double read_number(std::istream& in) {
  std::string word;
  in >> word;
  try {
    return std::stod(word);  // reads "nan" too
  } catch (const std::logic_error&) {
    throw FormatError("a finished part of the study is damaged; delete the folder .parts and run again");
  }
}

Trial trial_of(const std::string& text) {
  std::istringstream in(text);
  const auto count = [&] { return static_cast<std::uint64_t>(read_number(in)); };
  Trial trial;
  trial.judged = count();
  trial.relevant = count();
  trial.tau = read_number(in);
  trial.tau_ap = read_number(in);
  auto& d = trial.decisions;
  for (auto* field : {&d.active_agreements, &d.active_disagreements, &d.mixed_agreements_reference,
                      &d.mixed_agreements_other, &d.mixed_disagreements_reference, &d.mixed_disagreements_other,
                      &d.passive_agreements, &d.passive_disagreements})
    *field = count();
  const auto differences = count();
  for (std::uint64_t i = 0; i < differences; ++i) {
    const auto rank = count();
    trial.mixed.emplace_back(rank, read_number(in));
  }
  return trial;
}

/// The mean of the values that are defined.
template <class Value>
double mean_of(const std::vector<Trial>& trials, const Value& value) {
  double sum = 0;
  std::size_t defined = 0;
  for (const auto& trial : trials) {
    const auto x = static_cast<double>(value(trial));
    if (std::isnan(x)) continue;
    sum += x;
    ++defined;
  }
  return defined > 0 ? sum / static_cast<double>(defined) : std::numeric_limits<double>::quiet_NaN();
}

double deviation_of_tau(const std::vector<Trial>& trials, double mean) {
  if (trials.size() < 2) return 0;
  double squares = 0;
  for (const auto& trial : trials) squares += (trial.tau - mean) * (trial.tau - mean);
  return std::sqrt(squares / static_cast<double>(trials.size() - 1));
}

/// Linear interpolation between the values at (n - 1) q. \pre values are sorted and not empty
double quantile(const std::vector<double>& values, double q) {
  const double place = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const auto high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

}  // namespace

std::vector<AdjudicationMethod> AdjudicationStudyOptions::all_methods() {
  std::vector<AdjudicationMethod> all;
  for (const auto& choice : Choices<AdjudicationMethod>::table) all.push_back(choice.value);
  return all;
}

std::vector<Option<AdjudicationStudyOptions>> AdjudicationStudyOptions::options() {
  using Options = AdjudicationStudyOptions;
  return {
      {"adjudication.methods", &Options::methods, "Adjudication methods to study."},
      {"adjudication.pool_depth", &Options::pool_depth, between(1, 1e6), "Ranks of each run that are in the pool."},
      {"adjudication.budgets", &Options::budgets, "Judgments of a topic."},
      {"adjudication.seeds", &Options::seeds, between(1, 1e5), "Runs of each method that draws at random."},
      {"adjudication.permutations", &Options::permutations, between(1, 1e9),
       "Permutations of each randomised Tukey HSD test."},
      {"adjudication.rate", &Options::rate, between(0, 1),
       "How much earlier judgments count in mm-ns and ts-ns; at 0 only the last one of a run does."},
      {"adjudication.hedge_beta", &Options::hedge_beta, between(1e-9, 1 - 1e-9),
       "How fast hedge learns; lower is faster."},
      {"adjudication.leave_out", &Options::leave_out,
       "Systems that do not contribute to the pool; then only these are compared."},
  };
}

std::vector<std::size_t> budgets_of(const AdjudicationStudyOptions& options) {
  std::vector<std::size_t> budgets;
  for (const auto& text : options.budgets) {
    std::uint32_t budget = 0;
    if (!formats::fields::parse_integer(text, std::uint32_t{1}, std::uint32_t{1'000'000'000}, budget)) {
      throw ConfigError(fmt::format("adjudication.budgets: {} is not a number of judgments; say, for example, 10,30",
                                    formats::fields::quote_for_message(text)));
    }
    budgets.push_back(budget);
  }
  if (budgets.empty()) throw ConfigError("adjudication.budgets is empty; say, for example, 10,30");
  std::sort(budgets.begin(), budgets.end());
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

PooledTopics::PooledTopics(const JudgedRuns& runs, std::span<const std::size_t> pooling, std::size_t depth,
                           int min_grade)
    : runs_(runs), min_grade_(min_grade) {
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    std::unordered_map<std::string_view, std::uint32_t> judged;
    for (std::uint32_t passage = 0; passage < runs.judged_count(t); ++passage) {
      if (runs.grade(t, passage) >= 0) judged.emplace(runs.docids(t)[passage], passage);
    }
    std::vector<std::vector<std::string_view>> rankings;
    for (const auto system : pooling) {
      auto& ranking = rankings.emplace_back();
      const auto passages = runs.ranking(system, t);
      for (const auto passage : passages.first(std::min(depth, passages.size())))
        ranking.push_back(runs.docids(t)[passage]);
    }
    Topic topic;
    topic.pool =
        methods::make_topic_pool(rankings, depth, [&](std::string_view docid) { return judged.contains(docid); });
    topic.seed = xxh3_64(runs.topic(t));
    auto& labels = gold_.emplace_back(runs.judged_count(t));
    for (const auto& docid : topic.pool.docids) {
      const auto passage = judged.at(docid);
      topic.passages.push_back(passage);
      labels.set(passage, runs.grade(t, passage));
      relevant_ += runs.grade(t, passage) >= min_grade ? 1 : 0;
    }
    documents_ += topic.passages.size();
    topics_.push_back(std::move(topic));
  }
}

PooledTopics::Collected PooledTopics::collect(const methods::AdjudicationOptions& options) const {
  Collected collected;
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    const auto& topic = topics_[t];
    auto& labels = collected.labels.emplace_back(runs_.judged_count(t));
    const auto adjudicator = methods::make_adjudicator(options, topic.pool, topic.seed);
    for (std::size_t judged = 0; judged < options.budget; ++judged) {
      const auto document = adjudicator->next();
      if (!document) break;
      const auto passage = topic.passages[*document];
      const auto grade = runs_.grade(t, passage);
      labels.set(passage, grade);
      adjudicator->judge(grade >= min_grade_);
      ++collected.judged;
      collected.relevant += grade >= min_grade_ ? 1 : 0;
    }
  }
  return collected;
}

std::size_t trial_count(AdjudicationMethod method, const AdjudicationStudyOptions& options) {
  return methods::is_stochastic(method) ? static_cast<std::size_t>(options.seeds) : 1;
}

statistics::ScoreMatrix score_systems(const JudgedRuns& runs, const measures::LabelScorer& scorer,
                                      const std::vector<measures::TopicLabels>& labels,
                                      const std::vector<std::string>& systems) {
  return statistics::select_systems(runs.score(scorer, labels), systems);
}

std::vector<MethodTrials> run_method(const TrialSetup& setup, AdjudicationMethod method,
                                     const std::vector<std::size_t>& budgets, FinishedParts& parts,
                                     ProgressCounters& progress, const StopFlag& stop) {
  const auto trials = trial_count(method, setup.options);
  std::vector<MethodTrials> results;
  for (const auto budget : budgets) results.push_back({method, budget, std::vector<Trial>(trials)});
  tbb::parallel_for(std::size_t{0}, budgets.size() * trials, [&](std::size_t i) {
    stop.check();
    auto& result = results[i / trials];
    const auto seed = i % trials;
    const methods::AdjudicationOptions options{.method = method,
                                               .budget = result.budget,
                                               .rate = setup.options.rate,
                                               .hedge_beta = setup.options.hedge_beta,
                                               .seed = setup.seed + seed};
    const auto name =
        fmt::format("{}-{}-{}-{}", setup.gold.scorer.measure().name, choice_text(method), result.budget, seed);
    const bool keeps_mixed = result.budget == budgets.front();
    result.trials[seed] = trial_of(parts.part(name, [&] { return text_of(try_method(setup, options, keeps_mixed)); }));
    ++progress.done;
  });
  return results;
}

TrialMeans means_of(const MethodTrials& of) {
  const auto& trials = of.trials;
  TrialMeans means;
  means.method = of.method;
  means.budget = of.budget;
  means.trials = trials.size();
  means.judged = mean_of(trials, [](const Trial& t) { return t.judged; });
  means.relevant = mean_of(trials, [](const Trial& t) { return t.relevant; });
  means.tau = mean_of(trials, [](const Trial& t) { return t.tau; });
  means.tau_deviation = deviation_of_tau(trials, means.tau);
  means.tau_ap = mean_of(trials, [](const Trial& t) { return t.tau_ap; });
  means.precision = mean_of(trials, [](const Trial& t) { return t.decisions.precision(); });
  means.recall = mean_of(trials, [](const Trial& t) { return t.decisions.recall(); });
  means.bias = mean_of(trials, [](const Trial& t) { return t.decisions.publication_bias(); });
  means.aa = mean_of(trials, [](const Trial& t) { return t.decisions.active_agreements; });
  means.ad = mean_of(trials, [](const Trial& t) { return t.decisions.active_disagreements; });
  means.ma_gold = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_agreements_reference; });
  means.ma_collected = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_agreements_other; });
  means.md_gold = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_disagreements_reference; });
  means.md_collected = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_disagreements_other; });
  return means;
}

std::vector<MixedPoint> mixed_points(const MethodTrials& method) {
  constexpr std::size_t kRanks = 3;
  std::map<std::size_t, std::vector<double>> differences;
  for (const auto& trial : method.trials) {
    for (const auto& [rank, difference] : trial.mixed) differences[rank / kRanks].push_back(difference);
  }
  std::vector<MixedPoint> points;
  for (auto& [point, of_point] : differences) {
    std::sort(of_point.begin(), of_point.end());
    points.push_back({point * kRanks + 1, (point + 1) * kRanks, of_point.size(), of_point.front(),
                      quantile(of_point, 0.25), quantile(of_point, 0.5), quantile(of_point, 0.75), of_point.back()});
  }
  return points;
}

}  // namespace touchstone::analysis::studies::adjudication
