#include "retrieval/searcher.hpp"

#include "common/error.hpp"
#include "retrieval/link_ranking.hpp"

#include <map>
#include <string_view>

namespace touchstone::retrieval {
namespace {

constexpr std::size_t kReordered = 1000;          ///< documents of the words that links reorder
constexpr std::size_t kMaxCachedTerms = 500'000;  ///< of documents of feedback, in a field and thread

Xapian::Query word_query(const std::vector<TermCount>& words) {
  std::vector<Xapian::Query> terms;
  for (const auto& [word, count] : words) terms.emplace_back(word, count);
  return Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end());
}

Xapian::Query weighted_query(const std::vector<WeightedTerm>& words) {
  std::vector<Xapian::Query> terms;
  for (const auto& [word, weight] : words)
    terms.emplace_back(Xapian::Query::OP_SCALE_WEIGHT, Xapian::Query(word), weight);
  return Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end());
}

}  // namespace

std::string Searcher::DocidOrder::operator()(const Xapian::Document& document) const {
  const auto order = index_.order(document.get_docid() - 1);
  return {static_cast<char>(order >> 24U), static_cast<char>(order >> 16U & 0xFFU),
          static_cast<char>(order >> 8U & 0xFFU), static_cast<char>(order & 0xFFU)};
}

Searcher::Searcher(const Index& index, const std::string& stemmer)
    : index_(index), tokenizer_(stemmer), order_(index) {}

Xapian::Database& Searcher::database(Field field) {
  auto& slot = databases_[static_cast<std::size_t>(field)];
  if (!slot) slot = index_.open(field);
  return *slot;
}

std::vector<TermCount> Searcher::words_of(const Topic& topic, Field field) {
  tokenizer_.add(topic.text);
  return take_terms(field);
}

std::vector<TermCount> Searcher::take_terms(Field field) {
  return info_of(field).is_stemmed ? tokenizer_.take_stems(false) : tokenizer_.take_words(false);
}

/// The words of a document as they went into the index of the field. Valid until the next call of trim().
const std::vector<TermCount>& Searcher::terms_of(std::uint32_t document, Field field) {
  auto& cache = caches_[static_cast<std::size_t>(field)];
  const auto found = cache.terms.find(document);
  if (found != cache.terms.end()) return found->second;
  const auto stored = index_.text(document);
  tokenizer_.add(stored.text);
  if (field == Field::kAll) tokenizer_.add(stored.title);
  const auto& terms = cache.terms.emplace(document, take_terms(field)).first->second;
  cache.term_count += terms.size();
  return terms;
}

/// Bounds the memory of a cache.
void Searcher::trim(FeedbackCache& cache) {
  if (cache.corpus.size() > kMaxCachedTerms) cache.corpus.clear();
  if (cache.term_count <= kMaxCachedTerms) return;
  cache.terms.clear();
  cache.term_count = 0;
}

/// The words of several documents with the sums of their counts, in byte order.
std::vector<TermCount> Searcher::terms_of(const Ranking& documents, Field field) {
  std::map<std::string_view, std::uint32_t> sums;
  for (const auto& hit : documents) {
    for (const auto& [term, count] : terms_of(hit.document, field)) sums[term] += count;
  }
  return {sums.begin(), sums.end()};
}

Ranking Searcher::run(Field field, WeightKind weight, const Xapian::Query& query, std::size_t depth) {
  Ranking ranking;
  if (query.empty()) return ranking;
  Xapian::Enquire enquire(database(field));
  enquire.set_weighting_scheme(*make_weight(weight));
  enquire.set_query(query);
  if (!index_.is_in_docid_order()) enquire.set_sort_by_relevance_then_key(&order_, false);
  const auto found = enquire.get_mset(0, static_cast<Xapian::doccount>(depth));
  ranking.reserve(found.size());
  for (auto hit = found.begin(); hit != found.end(); ++hit) {
    if (hit.get_weight() > 0) ranking.push_back({*hit - 1, hit.get_weight()});
  }
  return ranking;
}

Ranking Searcher::feedback(const System& system, const Topic& topic, std::size_t depth) {
  const FeedbackOptions options;
  const auto words = words_of(topic, system.field);
  const auto first = run(system.field, system.weight, word_query(words), options.documents);
  auto& cache = caches_[static_cast<std::size_t>(system.field)];
  trim(cache);
  const auto expanded =
      expand_query(database(system.field), words, terms_of(first, system.field), options.terms, &cache.corpus);
  return run(system.field, system.weight, weighted_query(expanded), depth);
}

Ranking Searcher::search(const System& system, const Topic& topic, std::size_t depth) {
  try {
    if (system.method == Method::kFeedback) return feedback(system, topic, depth);
    const auto query = word_query(words_of(topic, system.field));
    if (system.method == Method::kWords) return run(system.field, system.weight, query, depth);
    const auto by_words = run(system.field, system.weight, query, kReordered);
    return system.method == Method::kInlinks ? rank_by_inlinks(index_, by_words, depth)
                                             : rank_by_cocitation(index_, by_words, depth);
  } catch (const Xapian::Error& error) {
    throw StorageError("the index cannot be searched (" + error.get_description() +
                       "); delete its folder, and the next run builds it again");
  }
}

}  // namespace touchstone::retrieval
