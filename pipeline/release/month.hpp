#pragma once

#include "common/ids.hpp"
#include "common/title.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::release {

/// Titles as (namespace, text).
using TitleSet = std::set<std::pair<std::int32_t, std::string>>;

/// What one month's pages, lists and passages say, as far as the history of labels asks. Memory: the groups, and the
/// articles that were asked for since `forget`. Not thread-safe.
class Month {
 public:
  /// `store` and `passages` must outlive this. Throws StorageError and FormatError if `groups_file` cannot be read.
  Month(const storage::Store& store, const passages::PassageCorpus& passages, const std::filesystem::path& groups_file);

  const corpus::TitleIndex& titles() const noexcept { return titles_; }
  const passages::PassageRepeats& repeats() const noexcept { return passages_.repeats(); }

  std::optional<storage::PageRecord> page(PageId id) const { return titles_.page(id); }
  /// The page has a text of its own: it was read, and is no redirect.
  bool has_text(PageId id) const;
  /// The column with this topic id, discarded or not; null if the lists have none.
  const evidence::Group* group(const std::string& topic) const;

  /// The article, repeats among its passages; without passages if there is none. Valid until `forget`.
  const passages::PagePassages& article(PageId id) const;
  /// Null if there is none.
  const passages::Passage* passage(const passages::PassagePlace& place) const;
  void forget() const { articles_.clear(); }

  /// What the links of a page, or of one of its passages, say: all titles, and those that lead to a page.
  TitleSet linked_titles(PageId source) const;
  TitleSet titles_to(PageId source, PageId target) const;
  TitleSet linked_titles(PageId source, const passages::Passage& passage) const;
  TitleSet titles_to(PageId source, const passages::Passage& passage, PageId target) const;

 private:
  std::vector<Title> link_titles(PageId source) const;

  const storage::Store& store_;
  const passages::PassageCorpus& passages_;
  corpus::TitleIndex titles_;
  std::map<std::string, evidence::Group> groups_;  ///< by topic
  mutable std::map<PageId, passages::PagePassages> articles_;
};

/// The ordinal at the end of a docid of a collection. Throws FormatError for texts that are no docid.
passages::PassagePlace place_of_docid(std::string_view docid);

}  // namespace touchstone::pipeline::release
