#pragma once

#include "collection/automatic/locators.hpp"
#include "common/ids.hpp"
#include "formats/car/records.hpp"
#include "pipeline/automatic/page_items.hpp"
#include "pipeline/automatic/page_links.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/link_graph.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic {

/// What a page turned into, and what had no place in it.
struct ComposedPage {
  formats::car::Page page;
  PageId id;
  bool is_disambiguation = false;
  std::uint32_t damaged = 0;         ///< texts that were left out because they lack words, are code alone and the like
  std::uint32_t empty_headings = 0;  ///< sections whose heading has no text; what is in them belongs to their parent
  collection::automatic::PageOrigin origin;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", id)("is_disambiguation", is_disambiguation)("damaged", damaged)("empty_headings", empty_headings)(
        "origin", origin)("page", page);
  }
};

/// Makes a page in the form of TREC CAR from the records of the store. Thread-safe.
///
/// Sentences that lack words, and texts with other damage, are left out (collection/health/damage.hpp). Code stays with
/// the paragraph in front of it. Paragraphs, list items and images keep the order of the article. Notes ("Main article:
/// ...") are left out. Links lead to the page behind all redirects. A link to a page that the dump does not hold keeps
/// its title; a link to another namespace than that of articles has no page id, so it makes no entity.
class PageComposer {
 public:
  struct Options {
    bool list_items = false;  ///< list items are passages
    bool table_rows = false;  ///< each row of a table becomes a paragraph
    bool links = true;        ///< else all texts come without their links, which is much faster
    /// A paragraph with fewer joins its neighbour; alone in its section it is left out. So do list items that are
    /// passages within their list.
    std::size_t min_words = 0;
  };

  /// \param wiki  site part of all page ids
  PageComposer(const storage::Store& store, std::string wiki, Options options);

  /// Nothing for pages without a text (redirects, pages of other namespaces and content models), and for all pages with
  /// one title but the last of the dump.
  std::optional<ComposedPage> compose(PageId id, const storage::PageRecord& record) const;

  /// Adds the articles and disambiguation pages that link to a page, by title.
  /// \param left_out  pages that do not count. Query pages: who links to an entity would tell the query pages that it
  /// is
  ///                  relevant to
  void add_inlinks(PageId id, const std::function<bool(PageId)>& left_out, formats::car::PageMetadata& metadata) const;

  /// `<wiki>:Title` with what CAR escapes.
  std::string page_id(const Title& title) const;
  const corpus::TitleIndex& titles() const noexcept { return titles_; }

 private:
  formats::car::PageMetadata metadata_of(PageId id, const storage::AttributeRecord& attributes) const;

  const storage::Store& store_;
  storage::LinkGraph graph_;
  corpus::TitleIndex titles_;
  std::string wiki_;
  Options options_;
  std::optional<internal::PageItems> items_;  ///< with links
};

}  // namespace touchstone::pipeline::automatic
