#pragma once

#include "common/records/row_index.hpp"
#include "common/records/sorter.hpp"
#include "common/records/stored_bytes.hpp"
#include "formats/car/records.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What query pages tell of themselves, in bounded memory, so that other pages can be compared with any number of them.
namespace touchstone::collection::automatic {

/// By what a page can be found.
enum class LeakKey : std::uint8_t { kId, kTitle, kQid, kRedirect, kText, kDocid };

/// Titles are compared without regard to underscores and the case of the first letter.
std::uint64_t leak_key(LeakKey kind, std::string_view text);

/// Which texts are compared, and how.
struct LeakTextRules {
  /// Texts of fewer words are not copies: headings of tables and "See also:" are on many pages. Words are parted by
  /// white space; a text in a script without blanks counts a word for every four characters.
  std::size_t min_text_words = 8;
  /// As in DerivationOptions: near-duplicates are copies too.
  std::function<std::string(std::string_view paragraph_id)> representative = {};
};

/// Calls `visit` for all texts of a page: paragraphs and list items, and those in captions and infoboxes.
void for_each_text(const formats::car::Page& page, const std::function<void(const formats::car::Paragraph&)>& visit);

/// The keys of a text but for case and white space, and of its docid; nothing for short texts.
struct LeakTextKeys {
  std::uint64_t text = 0, docid = 0;
};
std::optional<LeakTextKeys> leak_keys_of(const formats::car::Paragraph& paragraph, const LeakTextRules& rules);

/// A query page and all by which it can be found.
struct QueryPageFacts {
  std::string id;
  std::vector<std::uint64_t> keys;

  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("keys", keys);
  }
};

/// Thread-safe if `representative` is.
QueryPageFacts query_page_facts(const formats::car::Page& page, const LeakTextRules& rules);

/// Finds query pages by their keys; of those that share one, the first one has it. Memory: 8 bytes for each 64 keys,
/// and what StoredBytes keeps. Thread-safe.
class LeakIndex {
 public:
  /// Reads the folder that a writer finished. Throws StorageError if its files cannot be read.
  explicit LeakIndex(const std::filesystem::path& folder);

  /// The query page with the key, as a number for `id`. Throws StorageError if the file cannot be read any more.
  std::optional<std::uint64_t> find(std::uint64_t key) const;
  std::string id(std::uint64_t page) const;

 private:
  friend class LeakIndexWriter;
  struct Row {
    std::uint64_t key = 0;
    std::uint64_t page = 0;  ///< where its id is in the file of ids
    friend auto operator<=>(const Row&, const Row&) = default;
  };

  LeakIndex(records::StoredBytes rows, records::StoredBytes ids) : rows_(std::move(rows)), ids_(std::move(ids)) {}

  records::RowIndex<Row> rows_;
  records::StoredBytes ids_;
};

/// Makes a LeakIndex. Memory: 48 MiB; the rest is in unnamed files in `folder`. Not thread-safe. Throws
/// StorageError.
class LeakIndexWriter {
 public:
  /// \param folder  for temporary files
  explicit LeakIndexWriter(const std::filesystem::path& folder);

  void add(const QueryPageFacts& facts);
  /// One of these, once: the index itself, or the folder from which it is read, which is made if it is not there.
  LeakIndex finish();
  void finish(const std::filesystem::path& folder);

 private:
  /// Calls `write` for the rows of the index in ascending order.
  void for_each_row(const std::function<void(const LeakIndex::Row&)>& write);

  std::filesystem::path folder_;
  records::StoredBytes ids_;
  records::Sorter<LeakIndex::Row> rows_;
};

}  // namespace touchstone::collection::automatic
