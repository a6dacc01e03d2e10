#include "analysis/studies/partial/evidence_orders.hpp"

#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace touchstone::analysis::studies::partial {
namespace {

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
