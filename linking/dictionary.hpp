#pragma once

#include "common/mapped_bytes.hpp"
#include "linking/dictionary_format.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::linking {

/// What a phrase links to, and on how many pages.
struct Meaning {
  std::uint32_t entity = 0;
  std::uint32_t pages = 0;
};

/// A phrase that is the text of links.
struct Anchor {
  std::uint32_t number = 0;
  std::uint32_t linked_pages = 0, pages = 0;
  std::span<const Meaning> meanings;  ///< the most frequent first

  /// Share of the pages with the phrase on which it is a link ("keyphraseness" of Mihalcea and Csomai, "Wikify!", CIKM
  /// 2007). Pages are counted, since editors link the first mention only.
  double link_probability() const noexcept {
    return pages == 0 ? 0 : static_cast<double>(linked_pages) / static_cast<double>(pages);
  }
};

/// A phrase as the dictionary knows it.
struct PhraseFinding {
  std::optional<Anchor> anchor;
  bool continues = false;  ///< a longer anchor begins with it
};

/// The texts of links of a wiki with what they link to, and who links to whom: a memory-mapped file, so that one of any
/// size opens at once. Thread-safe.
///
/// The file is foreign: its header is checked when it is opened, and each reference when it is followed. Both throw
/// FormatError with one sentence.
class Dictionary {
 public:
  /// Throws StorageError if the file cannot be read, FormatError if it is not a dictionary, truncated, or of another
  /// version.
  explicit Dictionary(const std::filesystem::path& path);

  /// \param phrase  its number (linking/phrases.hpp)
  PhraseFinding find(std::uint64_t phrase) const;

  std::string_view title(std::uint32_t entity) const;
  /// Number of the Wikidata item; 0: not known.
  std::uint32_t qid(std::uint32_t entity) const;
  /// Pages that link to an entity, ascending by a number that says nothing but which page it is. The first ones of a
  /// list are a random sample of it.
  std::span<const std::uint32_t> sources(std::uint32_t entity) const;
  /// Pages that links were counted on.
  std::uint32_t source_pages() const noexcept { return header_.source_pages; }

  std::uint64_t anchors() const noexcept { return anchors_.size() - 1; }
  std::uint64_t entities() const noexcept { return entities_.size() - 1; }
  /// What the dictionary says of itself: "wiki", "held_out", ...
  const std::map<std::string, std::string, std::less<>>& facts() const noexcept { return facts_; }
  /// A fact; empty if it is not there.
  std::string fact(std::string_view name) const;

 private:
  void read_header();
  void read_facts();
  std::string_view bytes_of(internal::Section number) const;
  template <class Row>
  std::span<const Row> section(internal::Section number) const;
  const internal::EntityRow& row_of(std::uint32_t entity) const;
  Anchor anchor(std::uint32_t number) const;
  [[noreturn]] void damaged(const std::string& what) const;
  [[noreturn]] void truncated(std::uint64_t wanted) const;

  const std::filesystem::path path_;
  const MappedBytes mapped_;
  const std::string_view bytes_;
  internal::Header header_{};
  std::map<std::string, std::string, std::less<>> facts_;
  std::span<const std::uint32_t> buckets_, values_, sources_;
  std::span<const std::uint64_t> phrases_;
  std::span<const internal::AnchorRow> anchors_;
  std::span<const Meaning> meanings_;
  std::span<const internal::EntityRow> entities_;
  std::string_view titles_;
};

}  // namespace touchstone::linking
