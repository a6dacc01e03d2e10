#pragma once

#include "common/records/sorter.hpp"
#include "pipeline/entities/linked_pages.hpp"
#include "text/terms.hpp"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::entities {

/// A title that pages link to and no page has.
struct MissingTitle {
  std::string key;  ///< equal for titles that may mean the same
  std::string title;
  std::uint64_t pages = 0;  ///< that link to it
  bool is_common = false;   ///< its last word is written in lower case somewhere, so it is no name

  template <class Fields>
  void fields(Fields& field) {
    field("key", key)("title", title)("pages", pages)("is_common", is_common);
  }
  friend auto operator<=>(const MissingTitle&, const MissingTitle&) = default;
};

/// Collects the missing titles of pages. One object for one thread.
class MissingTitleCounter {
 public:
  /// \param stemmer  Snowball's name ("english"), or empty for none
  explicit MissingTitleCounter(std::string_view stemmer) : terms_(stemmer) {}

  void add(const LinkedPage& page);
  /// Calls `take(MissingTitle)` for each.
  void for_each(const std::function<void(MissingTitle)>& take);

 private:
  std::string key_of(const std::string& title);

  struct Uses {
    std::uint64_t pages = 0;
    bool is_common = false;
  };
  std::map<std::string, Uses> titles_;
  text::TermSplitter terms_;
};

/// Missing titles that are other forms of one entity's title, "Lenses" and "lens" of "Lens". They differ in case; or in
/// case and the ending of the last word, with one stem, if that word is written in lower case somewhere in both: names
/// such as "Williams" and "William" stay apart. The entity has the title that most pages link to, of several the first
/// by its bytes. A title of a page is never one of them. Immutable and thread-safe.
class MissingTitles {
 public:
  MissingTitles() = default;
  /// Reads what `write` wrote. Throws StorageError.
  explicit MissingTitles(const std::filesystem::path& file);
  /// \param titles    of all pages; one may come several times
  /// \param language  of the wiki, whose endings differ
  MissingTitles(records::Sorter<MissingTitle>& titles, std::string_view language);

  void write(const std::filesystem::path& file) const;

  /// The title of the entity that a missing title names.
  const std::string& entity(const std::string& title) const;
  std::size_t size() const noexcept { return entities_.size(); }

 private:
  void add_group(const std::vector<MissingTitle>& titles, bool is_english);

  std::unordered_map<std::string, std::string> entities_;  ///< only of titles that differ from it
};

}  // namespace touchstone::pipeline::entities
