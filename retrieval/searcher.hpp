#pragma once

#include "retrieval/document.hpp"
#include "retrieval/feedback.hpp"
#include "retrieval/system.hpp"
#include "retrieval/tokenizer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <xapian.h>

namespace touchstone::retrieval {

/// Answers topics from one index. One object for one thread.
class Searcher {
 public:
  /// \param stemmer  that of the index
  /// The index outlives this object.
  Searcher(const Index& index, const std::string& stemmer);

  /// The best `depth` documents; equal scores by docid in byte order. Empty if no document has a word of the topic.
  /// Throws StorageError if the index is damaged.
  Ranking search(const System& system, const Topic& topic, std::size_t depth);

 private:
  /// Orders documents with equal weights by docid.
  class DocidOrder : public Xapian::KeyMaker {
   public:
    explicit DocidOrder(const Index& index) : index_(index) {}
    std::string operator()(const Xapian::Document& document) const override;

   private:
    const Index& index_;
  };

  /// What feedback has read from one field. Topics of one page find the same documents again and again.
  struct FeedbackCache {
    std::unordered_map<std::uint32_t, std::vector<TermCount>> terms;  ///< by document
    std::size_t term_count = 0;
    CorpusCounts corpus;
  };

  Xapian::Database& database(Field field);
  std::vector<TermCount> words_of(const Topic& topic, Field field);
  std::vector<TermCount> take_terms(Field field);
  const std::vector<TermCount>& terms_of(std::uint32_t document, Field field);
  std::vector<TermCount> terms_of(const Ranking& documents, Field field);
  static void trim(FeedbackCache& cache);
  Ranking run(Field field, WeightKind weight, const Xapian::Query& query, std::size_t depth);
  Ranking feedback(const System& system, const Topic& topic, std::size_t depth);

  const Index& index_;
  Tokenizer tokenizer_;
  DocidOrder order_;
  std::array<std::optional<Xapian::Database>, kFields.size()> databases_;
  std::array<FeedbackCache, kFields.size()> caches_;  ///< by field
};

}  // namespace touchstone::retrieval
