#pragma once

#include "pipeline/corpus/new_pages.hpp"
#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace touchstone::pipeline::evidence {

/// Tells passages that are newer than a day: those of pages that are (corpus::NewPages), but for those that their page
/// had in the previous work directory, wherever they were on it. Thread-safe.
class NewPassages {
 public:
  /// \param day       such as "2026-05-31"
  /// \param previous  a work directory, or empty
  /// Throws as corpus::NewPages, and StorageError if it has no passages.
  NewPassages(const storage::Store& store, std::string day, const std::filesystem::path& previous);

  /// Leaves out the passages that are not newer, and those that repeat one of a page that is not.
  void keep_new(passages::PagePassages& article, const passages::PassageRepeats& repeats) const;

 private:
  corpus::NewPages pages_;
  std::optional<passages::PassageCorpus> old_;  ///< of the previous work directory
};

}  // namespace touchstone::pipeline::evidence
