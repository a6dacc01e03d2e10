#include "analysis/studies/partial/partial_numbers.hpp"

#include "analysis/studies/partial/evidence_labels.hpp"

#include <algorithm>
#include <functional>

#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies::partial {
namespace {

/// Calls `compute(i)` for 0 ... count - 1 on all threads.
template <class Result>
std::vector<Result> computed(std::size_t count, ProgressCounters& progress, const StopFlag& stop,
                             const std::function<Result(std::size_t)>& compute) {
  std::vector<Result> results(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    stop.check();
    results[i] = compute(i);
    ++progress.done;
  });
  return results;
}

template <class Item, class Value>
statistics::Spread spread(const std::vector<Item>& items, const Value& value) {
  std::vector<double> values;
  for (const auto& item : items) values.push_back(static_cast<double>(value(item)));
  return statistics::spread_of(values);
}

/// An order with its name, and how often it is drawn.
struct NamedOrder {
  std::string name;
  EvidenceOrder order;
};

std::vector<NamedOrder> fixed_orders(const EvidenceLabels& labels, const PartialPlan& plan) {
  std::vector<NamedOrder> orders;
  if (plan.popularity != nullptr) orders.push_back({"most-popular", order_by_number(labels, *plan.popularity, true)});
  if (plan.lengths != nullptr) {
    orders.push_back({"longest", order_by_number(labels, *plan.lengths, true)});
    orders.push_back({"shortest", order_by_number(labels, *plan.lengths, false)});
  }
  return orders;
}

Curve curve_of(const std::string& order, const std::vector<std::vector<Outcome>>& samples, std::size_t fractions) {
  Curve curve{order, samples.size(), {}};
  for (std::size_t f = 0; f < fractions; ++f) {
    std::vector<Outcome> outcomes;
    for (const auto& sample : samples) outcomes.push_back(sample[f]);
    curve.at.push_back(spread_of_outcomes(outcomes));
  }
  return curve;
}

SelectionNumbers selection_of(const std::string& name, const std::vector<Outcome>& outcomes) {
  SelectionNumbers numbers{name, outcomes.size(), spread_of_outcomes(outcomes),
                           std::vector<double>(outcomes.front().means.size())};
  for (const auto& outcome : outcomes) {
    for (std::size_t s = 0; s < numbers.means.size(); ++s) numbers.means[s] += outcome.means[s];
  }
  for (auto& mean : numbers.means) mean /= static_cast<double>(outcomes.size());
  return numbers;
}

void add_base_systems(PartialNumbers& numbers, const EvidenceLabels& labels, const PartialPlan& plan,
                      ProgressCounters& progress, const StopFlag& stop) {
  if (plan.base_systems.empty()) return;
  numbers.base_systems = computed<BaseSystem>(plan.base_systems.size(), progress, stop, [&](std::size_t i) {
    const auto system = plan.base_systems[i];
    const auto selection = system_selection(labels, system);
    const auto left_out = std::count(selection.begin(), selection.end(), kNoEvidence);
    return BaseSystem{labels.runs().systems()[system], selection.size() - static_cast<std::size_t>(left_out),
                      labels.single(selection, system)};
  });
  std::vector<Outcome> outcomes;
  for (const auto& base : numbers.base_systems) outcomes.push_back(base.outcome);
  numbers.selections.push_back(selection_of("system-based", outcomes));
}

void add_curves(PartialNumbers& numbers, const std::vector<NamedOrder>& orders, const EvidenceLabels& labels,
                const PartialPlan& plan, ProgressCounters& progress, const StopFlag& stop) {
  using Samples = std::vector<Outcome>;
  const auto add = [&](const std::string& name, std::size_t count, const std::function<Samples(std::size_t)>& sample) {
    if (count == 0) return;
    numbers.curves.push_back(curve_of(name, computed<Samples>(count, progress, stop, sample), plan.fractions.size()));
  };
  add("random", plan.random_curves,
      [&](std::size_t i) { return labels.growing(random_order(labels, plan.seed, i), plan.fractions); });
  for (const auto& [name, order] : orders)
    add(name, 1, [&, &order = order](std::size_t) { return labels.growing(order, plan.fractions); });
  add("system-based", plan.base_systems.size(), [&](std::size_t i) {
    const auto system = plan.base_systems[i];
    return labels.growing(system_order(labels, system, plan.seed), plan.fractions, system);
  });
}

}  // namespace

namespace {

/// The rates over the pairs of all samples together.
void pool_rates(OutcomeSpread::Bucket& bucket, const std::vector<Outcome>& outcomes, std::size_t b) {
  agreement::PairCounts pairs;
  agreement::Concordance concordance;
  for (const auto& outcome : outcomes) {
    const auto& sample = outcome.buckets[b];
    pairs.pairs += sample.pairs.pairs;
    pairs.concordant += sample.pairs.concordant;
    pairs.discordant += sample.pairs.discordant;
    concordance.ordered_pairs += sample.concordance.ordered_pairs;
    concordance.agreeing += sample.concordance.agreeing;
  }
  bucket.partial_tau.mean = kendall_tau_a(pairs);
  bucket.error_rate.mean = error_rate(pairs);
  bucket.concordance.mean = concordance.value();
}

}  // namespace

OutcomeSpread spread_of_outcomes(const std::vector<Outcome>& outcomes) {
  OutcomeSpread result;
  result.tau_a = spread(outcomes, [](const Outcome& o) { return kendall_tau_a(o.pairs); });
  result.tau_b = spread(outcomes, [](const Outcome& o) { return kendall_tau_b(o.pairs); });
  result.discordant = spread(outcomes, [](const Outcome& o) { return o.pairs.discordant; });
  result.error_rate = spread(outcomes, [](const Outcome& o) { return error_rate(o.pairs); });
  result.concordance = spread(outcomes, [](const Outcome& o) { return o.concordance.value(); });
  for (std::size_t b = 0; b < result.buckets.size(); ++b) {
    auto& bucket = result.buckets[b];
    bucket.p_min = outcomes.front().buckets[b].p_min;
    bucket.p_max = outcomes.front().buckets[b].p_max;
    bucket.pairs = spread(outcomes, [b](const Outcome& o) { return o.buckets[b].pairs.pairs; });
    bucket.partial_tau = spread(outcomes, [b](const Outcome& o) { return kendall_tau_a(o.buckets[b].pairs); });
    bucket.discordant = spread(outcomes, [b](const Outcome& o) { return o.buckets[b].pairs.discordant; });
    bucket.error_rate = spread(outcomes, [b](const Outcome& o) { return error_rate(o.buckets[b].pairs); });
    bucket.concordance = spread(outcomes, [b](const Outcome& o) { return o.buckets[b].concordance.value(); });
    pool_rates(bucket, outcomes, b);
  }
  return result;
}

std::size_t work_of(const PartialPlan& plan) {
  const std::size_t fixed = (plan.popularity != nullptr ? 1 : 0) + (plan.lengths != nullptr ? 2 : 0);
  const std::size_t curves = plan.fractions.empty() ? 0 : plan.random_curves + fixed + plan.base_systems.size();
  return plan.random + fixed + plan.base_systems.size() + curves;
}

PartialNumbers partial_numbers(const EvidenceLabels& labels, const PartialPlan& plan, ProgressCounters& progress,
                               const StopFlag& stop) {
  PartialNumbers numbers;
  numbers.measure = labels.scorer().measure().name;
  numbers.relevant = labels.evidence_count();
  numbers.topics = labels.topics_with_evidence();
  numbers.systems = labels.runs().systems();
  numbers.reference_means = labels.reference_means();
  numbers.fractions = plan.fractions;
  if (plan.random > 0) {
    const auto outcomes = computed<Outcome>(plan.random, progress, stop, [&](std::size_t i) {
      return labels.single(random_selection(labels, plan.seed, i));
    });
    numbers.selections.push_back(selection_of("random", outcomes));
  }
  const auto orders = fixed_orders(labels, plan);
  for (const auto& [name, order] : orders) {
    numbers.selections.push_back(selection_of(name, {labels.single(first_of(order))}));
    ++progress.done;
  }
  add_base_systems(numbers, labels, plan, progress, stop);
  if (!plan.fractions.empty()) add_curves(numbers, orders, labels, plan, progress, stop);
  return numbers;
}

}  // namespace touchstone::analysis::studies::partial
