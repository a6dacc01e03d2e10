#pragma once

#include "common/stop.hpp"
#include "pipeline/corpus/hashed_words.hpp"
#include "pipeline/corpus/results_before.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "text/terms.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// How many passages of the corpus hold each word that matters for the topics at hand.
class CorpusStatistics {
 public:
  /// Registers a word.
  void watch(const std::string& stem) { frequencies_.try_emplace(corpus::hash_of_stem(stem)); }
  /// Counts one passage for every registered word of `terms`.
  void add_passage(const std::vector<text::Term>& terms);
  /// The same. \param words  of the passage, distinct
  void add_passage(const corpus::HashedWords& words);
  void merge(const CorpusStatistics& other);

  std::uint64_t passages() const noexcept { return passages_; }
  std::uint64_t frequency(const std::string& stem) const;
  /// True if fewer than half of the passages with this word have it in lower case: it is part of names. So is a word
  /// that no passage has.
  bool is_name(const std::string& stem) const;
  /// ln(1 + (N - n + 0.5) / (n + 0.5)), as BM25 weighs a word; never negative.
  double idf(const std::string& stem) const;

 private:
  struct Count {
    std::uint64_t passages = 0, in_lower_case = 0;
  };
  std::unordered_map<std::uint64_t, Count> frequencies_;  ///< by hash_of_stem
  std::uint64_t passages_ = 0;
};

/// Counts the words that `watched` has registered over all passages of the corpus, in parallel. Throws Interrupted on a
/// stop request.
/// \param stemmer  Snowball's name, or empty for none
/// \param kept     folders of the words of passages
CorpusStatistics count_corpus(const passages::PassageCorpus& passages, const std::string& stemmer,
                              const CorpusStatistics& watched, const corpus::ResultPlaces& kept, const StopFlag& stop);

}  // namespace touchstone::pipeline::judging::lexical
