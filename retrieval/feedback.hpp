#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace Xapian {
class Database;
}

namespace touchstone::retrieval {

/// A term of a query and its weight.
using WeightedTerm = std::pair<std::string, double>;

/// How often terms occur in the corpus, by term.
using CorpusCounts = std::unordered_map<std::string, double>;

struct FeedbackOptions {
  std::size_t documents = 3;  ///< that are taken as relevant
  std::size_t terms = 10;     ///< that are added, at most
};

/// Bo1 weight of a term: f log2((1 + p) / p) + log2(1 + p) with p = F / N.
/// \param in_documents  f, occurrences in the documents that are taken as relevant
/// \param in_corpus  F, occurrences in the corpus. \pre > 0
/// \param documents  N, documents of the corpus
/// Source: G. Amati, Probability Models for Information Retrieval based on Divergence from Randomness, 2003, 7.2.1:
/// Bose-Einstein statistics.
double bo1_weight(double in_documents, double in_corpus, double documents);

/// The query with the best terms of the first documents: each term has the sum of its share of the query (occurrences
/// in the query, over the most of any term) and its Bo1 weight over that of the best term. Words of the query stay,
/// also where the documents do not have them. Equal weights: the term that is first in byte order.
/// \param in_documents  the terms of the documents that are taken as relevant, in byte order, each once
/// \param known  counts that earlier calls have read from this database; new ones are added. Null: none are kept
std::vector<WeightedTerm> expand_query(const Xapian::Database& database,
                                       std::span<const std::pair<std::string, std::uint32_t>> query,
                                       std::span<const std::pair<std::string, std::uint32_t>> in_documents,
                                       std::size_t terms, CorpusCounts* known = nullptr);

}  // namespace touchstone::retrieval
