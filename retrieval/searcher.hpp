#pragma once

#include "retrieval/document.hpp"
#include "retrieval/system.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace touchstone::retrieval {

/// Answers topics from one index. One object for one thread.
class Searcher {
 public:
  /// \param stemmer  that of the index
  /// The index outlives this object.
  Searcher(const Index& index, const std::string& stemmer);
  ~Searcher();
  Searcher(Searcher&&) noexcept;

  /// The best `depth` documents; equal scores by docid in byte order. Empty if no document has a word of the topic.
  /// Throws StorageError if the index is damaged.
  Ranking search(const System& system, const Topic& topic, std::size_t depth);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::retrieval
