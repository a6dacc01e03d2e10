#pragma once

#include "common/descriptor.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "formats/car/records.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What query pages tell of themselves, on the disk, so that other pages can be compared with any number of them.
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

/// Writes the folder that LeakIndex reads. Of query pages that share a key, the first one has it. Memory: 32 MiB; what
/// is sorted beyond that is in `folder`, without a name. Not thread-safe. Throws StorageError.
class LeakIndexWriter {
 public:
  /// \param folder  is made if it is not there
  explicit LeakIndexWriter(const std::filesystem::path& folder);

  void add(const QueryPageFacts& facts);
  void finish();

 private:
  struct Row {
    std::uint64_t key = 0;
    std::uint64_t page = 0;  ///< where its id is in the file of ids
    friend auto operator<=>(const Row&, const Row&) = default;
  };

  AtomicFile keys_, ids_;
  records::Sorter<Row> rows_;
};

/// Finds query pages by their keys. Memory: 8 bytes for each 64 keys; the rest stays in the files, which are open as
/// long as this object lives. Thread-safe.
class LeakIndex {
 public:
  /// Throws StorageError if the files cannot be read or are not those that a writer finished.
  explicit LeakIndex(const std::filesystem::path& folder);

  /// The query page with the key, as a number for `id`. Throws StorageError if the file cannot be read any more.
  std::optional<std::uint64_t> find(std::uint64_t key) const;
  std::string id(std::uint64_t page) const;

 private:
  std::filesystem::path keys_path_, ids_path_;
  Descriptor keys_, ids_;
  std::uint64_t rows_ = 0;
  std::vector<std::uint64_t> first_;  ///< key of each block of rows
};

}  // namespace touchstone::collection::automatic
