#include "retrieval/feedback.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include <xapian.h>

namespace touchstone::retrieval {

double bo1_weight(double in_documents, double in_corpus, double documents) {
  const double p = in_corpus / documents;
  return in_documents * std::log2((1 + p) / p) + std::log2(1 + p);
}

std::vector<WeightedTerm> expand_query(const Xapian::Database& database,
                                       std::span<const std::pair<std::string, std::uint32_t>> query,
                                       std::span<const std::pair<std::string, std::uint32_t>> in_documents,
                                       std::size_t terms, CorpusCounts* known) {
  CorpusCounts own;
  CorpusCounts& counts = known != nullptr ? *known : own;
  const auto in_corpus = [&](const std::string& term) {
    const auto [entry, is_new] = counts.try_emplace(term, 0);
    if (is_new) entry->second = static_cast<double>(database.get_collection_freq(term));
    return entry->second;
  };
  const auto corpus = static_cast<double>(database.get_doccount());
  std::vector<std::pair<double, std::size_t>> best;  // weight, and index of the term
  best.reserve(in_documents.size());
  for (const auto& [term, frequency] : in_documents)
    best.emplace_back(bo1_weight(static_cast<double>(frequency), in_corpus(term), corpus), best.size());
  const auto kept = static_cast<std::ptrdiff_t>(std::min(best.size(), terms));
  std::partial_sort(best.begin(), best.begin() + kept, best.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  best.resize(static_cast<std::size_t>(kept));
  std::map<std::string, double> weights;
  std::uint32_t most = 1;
  for (const auto& [term, count] : query) most = std::max(most, count);
  for (const auto& [term, count] : query) weights[term] += static_cast<double>(count) / most;
  for (const auto& [weight, index] : best) weights[in_documents[index].first] += weight / best.front().first;
  return {weights.begin(), weights.end()};
}

}  // namespace touchstone::retrieval
