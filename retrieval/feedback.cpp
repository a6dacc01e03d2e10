#include "retrieval/feedback.hpp"

#include <algorithm>
#include <cmath>
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
  std::vector<WeightedTerm> best;
  const auto corpus = static_cast<double>(database.get_doccount());
  for (const auto& [term, frequency] : in_documents)
    best.emplace_back(term, bo1_weight(static_cast<double>(frequency), in_corpus(term), corpus));
  std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  best.resize(std::min(best.size(), terms));
  std::map<std::string, double> weights;
  std::uint32_t most = 1;
  for (const auto& [term, count] : query) most = std::max(most, count);
  for (const auto& [term, count] : query) weights[term] += static_cast<double>(count) / most;
  for (const auto& [term, weight] : best) weights[term] += weight / best.front().second;
  return {weights.begin(), weights.end()};
}

}  // namespace touchstone::retrieval
