#include "analysis/studies/partial/evidence_labels.hpp"

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/random.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies::partial {
namespace {

using agreement::SystemRelation;

bool has_values(const std::vector<double>& column) {
  return std::none_of(column.begin(), column.end(), [](double value) { return std::isnan(value); });
}

std::size_t share_of(double fraction, std::size_t passages) {
  return static_cast<std::size_t>(std::floor(fraction * static_cast<double>(passages) + 0.5));
}

using statistics::Random;

/// Streams of random numbers of one seed, one for each purpose.
enum class Stream : std::uint64_t { kSelections = 0, kOrders = 1, kSystemOrders = 2 };

Random random_of(std::uint64_t seed, Stream stream, std::uint64_t sample) {
  return Random(seed, sample * 4 + static_cast<std::uint64_t>(stream));
}

/// Fisher and Yates.
void shuffle(std::vector<std::uint32_t>& items, std::size_t from, Random& random) {
  for (std::size_t left = items.size(); left > from + 1; --left) {
    const auto chosen = from + random.below(static_cast<std::uint32_t>(left - from));
    std::swap(items[left - 1], items[chosen]);
  }
}

std::vector<std::uint32_t> all_of(std::size_t count) {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

/// Indices of the evidence that the system retrieves, by rank.
std::vector<std::uint32_t> retrieved_evidence(const EvidenceLabels& labels, std::size_t system, std::size_t topic,
                                              std::size_t most) {
  const auto& evidence = labels.evidence(topic);
  std::unordered_map<std::uint32_t, std::uint32_t> index_of;
  for (std::uint32_t i = 0; i < evidence.size(); ++i) index_of.emplace(evidence[i], i);
  std::vector<std::uint32_t> found;
  for (const auto passage : labels.runs().ranking(system, topic)) {
    if (found.size() == most) break;
    const auto at = index_of.find(passage);
    if (at != index_of.end()) found.push_back(at->second);
  }
  return found;
}

}  // namespace

EvidenceLabels::EvidenceLabels(const JudgedRuns& runs, const measures::LabelScorer& scorer, double alpha)
    : runs_(runs), scorer_(scorer), alpha_(alpha), other_labels_(runs.labels()) {
  scorer.check_highest_grade(runs.highest_grade());
  compare_by_all_labels();
  rank_evidence();
  single_scores_.resize(runs.topic_count());
  tbb::parallel_for(std::size_t{0}, runs.topic_count(), [&](std::size_t topic) { score_single_labels(topic); });
}

void EvidenceLabels::compare_by_all_labels() {
  significance::CompareOptions options;
  options.test = significance::SignificanceTest::kTTest;
  options.alpha = alpha_;
  const auto scores = runs_.score(scorer_, runs_.labels());
  const auto comparison = significance::compare_systems(scores, options);
  means_ = comparison.means;
  for (std::size_t first = 0; first < means_.size(); ++first) {
    for (std::size_t second = first + 1; second < means_.size(); ++second) {
      const double difference = means_[first] - means_[second];
      p_values_.push_back(comparison.of(first, second).raw_p_value);
      reference_.push_back({std::abs(difference) <= statistics::kEqualScores ? 0 : difference, p_values_.back()});
    }
  }
}

void EvidenceLabels::rank_evidence() {
  const auto depth = scorer_.depth();
  for (std::size_t t = 0; t < runs_.topic_count(); ++t) {
    auto& evidence = evidence_.emplace_back(runs_.relevant(t, scorer_.min_grade()));
    const auto docids = runs_.docids(t);
    std::sort(evidence.begin(), evidence.end(), [&](auto a, auto b) { return docids[a] < docids[b]; });
    for (const auto passage : evidence) other_labels_[t].set(passage, measures::TopicLabels::kNone);
    auto& lower = lower_.emplace_back();
    for (const auto passage : runs_.relevant(t, 1)) {
      if (runs_.grade(t, passage) < scorer_.min_grade()) lower.push_back(passage);
    }
    std::sort(lower.begin(), lower.end(), [&](auto a, auto b) { return docids[a] < docids[b]; });
    for (const auto passage : lower) other_labels_[t].set(passage, measures::TopicLabels::kNone);
    for (std::size_t s = 0; s < runs_.systems().size(); ++s) {
      auto& ranked = ranked_.emplace_back();
      const auto ranking = runs_.ranking(s, t);
      for (std::uint32_t rank = 0; rank < std::min<std::size_t>(depth, ranking.size()); ++rank) {
        if (ranking[rank] < runs_.judged_count(t)) ranked.push_back({rank, ranking[rank]});
      }
    }
  }
}

void EvidenceLabels::score_single_labels(std::size_t topic) {
  const std::size_t systems = runs_.systems().size();
  auto labels = other_labels_[topic];
  auto& scores = single_scores_[topic];
  for (const auto passage : evidence_[topic]) {
    labels.set(passage, runs_.grade(topic, passage));
    for (std::size_t s = 0; s < systems; ++s) {
      const auto retrieved = static_cast<std::uint32_t>(runs_.ranking(s, topic).size());
      scores.push_back(scorer_.score(retrieved, ranked_[topic * systems + s], labels));
    }
    labels.set(passage, measures::TopicLabels::kNone);
  }
}

std::size_t EvidenceLabels::evidence_count() const noexcept {
  std::size_t count = 0;
  for (const auto& evidence : evidence_) count += evidence.size();
  return count;
}

std::size_t EvidenceLabels::topics_with_evidence() const noexcept {
  return static_cast<std::size_t>(
      std::count_if(evidence_.begin(), evidence_.end(), [](const auto& evidence) { return !evidence.empty(); }));
}

Outcome EvidenceLabels::single(const SingleSelection& selection, std::optional<std::size_t> without) const {
  TS_CHECK(selection.size() == evidence_.size(), "a choice for each topic");
  const std::size_t systems = runs_.systems().size();
  std::vector<std::vector<double>> columns;
  for (std::size_t t = 0; t < selection.size(); ++t) {
    if (selection[t] == kNoEvidence) continue;
    const auto first = single_scores_[t].begin() + static_cast<std::ptrdiff_t>(selection[t] * systems);
    std::vector<double> column(first, first + static_cast<std::ptrdiff_t>(systems));
    if (has_values(column)) columns.push_back(std::move(column));
  }
  return outcome(columns, without);
}

std::vector<Outcome> EvidenceLabels::growing(const EvidenceOrder& order, std::span<const double> fractions,
                                             std::optional<std::size_t> without) const {
  const std::size_t systems = runs_.systems().size();
  auto labels = other_labels_;
  std::vector<std::size_t> labelled(order.size());
  std::vector<Outcome> outcomes;
  for (const double fraction : fractions) {
    std::vector<std::vector<double>> columns;
    for (std::size_t t = 0; t < order.size(); ++t) {
      if (order[t].empty()) continue;
      const auto label = [&](std::uint32_t passage) { labels[t].set(passage, runs_.grade(t, passage)); };
      const auto wanted = std::max<std::size_t>(share_of(fraction, order[t].size()), 1);
      for (auto& count = labelled[t]; count < wanted; ++count) label(evidence_[t][order[t][count]]);
      for (std::size_t i = 0; i < share_of(fraction, lower_[t].size()); ++i) label(lower_[t][i]);
      std::vector<double> column(systems);
      for (std::size_t s = 0; s < systems; ++s) {
        const auto retrieved = static_cast<std::uint32_t>(runs_.ranking(s, t).size());
        column[s] = scorer_.score(retrieved, ranked_[t * systems + s], labels[t]);
      }
      if (has_values(column)) columns.push_back(std::move(column));
    }
    outcomes.push_back(outcome(columns, without));
  }
  return outcomes;
}

Outcome EvidenceLabels::outcome(std::span<const std::vector<double>> columns,
                                std::optional<std::size_t> without) const {
  const std::size_t systems = runs_.systems().size(), topics = columns.size();
  std::vector<double> values(systems * topics), means(systems);
  for (std::size_t t = 0; t < topics; ++t) {
    for (std::size_t s = 0; s < systems; ++s) {
      values[s * topics + t] = columns[t][s];
      means[s] += columns[t][s];
    }
  }
  for (auto& mean : means) mean /= static_cast<double>(topics);
  const auto decisions = significance::t_test_decisions(values, systems, topics, alpha_);
  std::vector<SystemRelation> reference, other;
  std::vector<double> p_values;
  std::size_t pair = 0;
  for (std::size_t first = 0; first < systems; ++first) {
    for (std::size_t second = first + 1; second < systems; ++second, ++pair) {
      if (without == first || without == second) continue;
      reference.push_back(reference_[pair]);
      p_values.push_back(p_values_[pair]);
      other.push_back({decisions[pair].difference, decisions[pair].significant ? 0.0 : 1.0});
    }
  }
  return {agreement::count_pairs(reference, other), agreement::concordance(reference, other, alpha_),
          agreement::pair_buckets(reference, other, p_values, alpha_), std::move(means)};
}

SingleSelection random_selection(const EvidenceLabels& labels, std::uint64_t seed, std::uint64_t sample) {
  auto random = random_of(seed, Stream::kSelections, sample);
  SingleSelection selection;
  for (std::size_t t = 0; t < labels.runs().topic_count(); ++t) {
    const auto count = static_cast<std::uint32_t>(labels.evidence(t).size());
    selection.push_back(count == 0 ? kNoEvidence : random.below(count));
  }
  return selection;
}

EvidenceOrder random_order(const EvidenceLabels& labels, std::uint64_t seed, std::uint64_t sample) {
  auto random = random_of(seed, Stream::kOrders, sample);
  EvidenceOrder order;
  for (std::size_t t = 0; t < labels.runs().topic_count(); ++t)
    shuffle(order.emplace_back(all_of(labels.evidence(t).size())), 0, random);
  return order;
}

EvidenceOrder order_by_number(const EvidenceLabels& labels,
                              const std::unordered_map<std::string, std::uint64_t>& numbers, bool descending) {
  EvidenceOrder order;
  for (std::size_t t = 0; t < labels.runs().topic_count(); ++t) {
    const auto& evidence = labels.evidence(t);
    std::vector<std::uint64_t> number;
    for (const auto passage : evidence) {
      const auto at = numbers.find(std::string(labels.runs().docids(t)[passage]));
      number.push_back(at == numbers.end() ? 0 : at->second);
    }
    auto& indices = order.emplace_back(all_of(evidence.size()));
    std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
      return descending ? number[a] > number[b] : number[a] < number[b];
    });
  }
  return order;
}

SingleSelection first_of(const EvidenceOrder& order) {
  SingleSelection selection;
  for (const auto& topic : order) selection.push_back(topic.empty() ? kNoEvidence : topic.front());
  return selection;
}

SingleSelection system_selection(const EvidenceLabels& labels, std::size_t system) {
  EvidenceOrder found;
  for (std::size_t t = 0; t < labels.runs().topic_count(); ++t)
    found.push_back(retrieved_evidence(labels, system, t, 1));
  return first_of(found);
}

EvidenceOrder system_order(const EvidenceLabels& labels, std::size_t system, std::uint64_t seed) {
  auto random = random_of(seed, Stream::kSystemOrders, system);
  EvidenceOrder order;
  for (std::size_t t = 0; t < labels.runs().topic_count(); ++t) {
    const auto count = labels.evidence(t).size();
    auto& indices = order.emplace_back(retrieved_evidence(labels, system, t, count));
    const auto retrieved = indices.size();
    std::vector<bool> is_retrieved(count);
    for (const auto index : indices) is_retrieved[index] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!is_retrieved[i]) indices.push_back(i);
    }
    shuffle(indices, retrieved, random);
  }
  return order;
}

}  // namespace touchstone::analysis::studies::partial
