#pragma once

#include "common/stop.hpp"
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
  void watch(const std::string& stem) { frequencies_.try_emplace(stem); }
  /// Counts one passage for every registered word of `terms`.
  void add_passage(const std::vector<text::Term>& terms);
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
  std::unordered_map<std::string, Count> frequencies_;
  std::uint64_t passages_ = 0;
};

/// Counts the words that `watched` has registered over all passages of the corpus, in parallel. Throws Interrupted on a
/// stop request.
/// \param stemmer  Snowball's name, or empty for none
CorpusStatistics count_corpus(const passages::PassageCorpus& passages, const std::string& stemmer,
                              const CorpusStatistics& watched, const StopFlag& stop);

}  // namespace touchstone::pipeline::judging::lexical
