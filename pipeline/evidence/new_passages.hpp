#pragma once

#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace touchstone::pipeline::evidence {

/// Tells passages that are newer than a day: what a model that was trained up to it cannot have read. A page is newer
/// if its revision is of a later day. With a previous work directory whose newest revision is not, its passages are
/// older wherever they are on their page. Thread-safe.
class NewPassages {
 public:
  /// \param day       such as "2026-05-31"
  /// \param previous  a work directory, or empty
  /// Throws as corpus::open_previous, and StorageError if it has no passages.
  NewPassages(const storage::Store& store, std::string day, const std::filesystem::path& previous);

  /// Leaves out the passages that are not newer, and those that repeat one of a page that is not.
  void keep_new(passages::PagePassages& article, const passages::PassageRepeats& repeats) const;

 private:
  bool is_new(PageId page) const;

  const storage::Store& store_;
  const std::string day_;
  std::unique_ptr<storage::Store> previous_;
  std::optional<passages::PassageCorpus> old_;  ///< of the previous work directory
};

}  // namespace touchstone::pipeline::evidence
