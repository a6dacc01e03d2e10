#pragma once

#include "common/ids.hpp"
#include "common/title.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::entities {

/// A link that an editor set in a text, also by a template such as {{ill}}.
struct EditorsLink {
  std::uint32_t text = 0;            ///< number of the text
  std::uint32_t begin = 0, end = 0;  ///< code points
  PageId page;                       ///< redirects followed; 0: the store has no such page
  Title target;                      ///< as written, for links without a page
};

/// The running text of an article with the links in it.
struct LinkedPage {
  PageId id;
  std::string title;
  std::vector<std::string> texts;       ///< paragraphs, list items and notes, in page order
  std::vector<std::uint32_t> ordinals;  ///< of the texts, on the page
  std::vector<EditorsLink> links;       ///< without those that templates make, and those within others
  std::vector<PageId> targets;          ///< of all links of the page, also those outside of its texts
  std::vector<Title> missing;           ///< targets of all links of the page that the store has no page for
};

/// The links and texts of an article, without its title. Thread-safe. Throws StorageError.
LinkedPage read_linked_page(const storage::Store& store, PageId page);

/// The articles of a store, without redirects and disambiguation pages, with their links. Thread-safe.
class LinkedPages {
 public:
  /// Reads the list of articles. Throws StorageError as the store does.
  explicit LinkedPages(const storage::Store& store);

  /// Ascending.
  const std::vector<PageId>& articles() const noexcept { return articles_; }
  const corpus::TitleIndex& titles() const noexcept { return titles_; }

  /// \pre it is one of the articles
  LinkedPage read(PageId page) const;
  std::string title_of(PageId page) const;

 private:
  const storage::Store& store_;
  corpus::TitleIndex titles_;
  std::vector<PageId> articles_;
};

/// Whether a page is among the share of pages that is set aside, by a hash of its title.
bool is_held_out(const std::string& title, double share);

}  // namespace touchstone::pipeline::entities
