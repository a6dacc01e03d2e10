#pragma once

#include "common/ids.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Answers questions about titles and pages of a store. Thread-safe for reading.
class TitleIndex {
 public:
  explicit TitleIndex(const storage::Store& store);
  /// The same with the language of the texts in `site().language`, where the options name one.
  TitleIndex(const storage::Store& store, const TextOptions& text);

  const extractors::site::SiteInfo& site() const noexcept { return site_; }

  std::optional<PageId> find(const Title& title) const;
  std::optional<storage::PageRecord> page(PageId id) const;

  /// The page that a title leads to, redirects followed. Nothing for titles without a page and for circles of
  /// redirects.
  struct Resolved {
    PageId id;
    storage::PageRecord page;
  };
  std::optional<Resolved> resolve(const Title& title) const;

  /// A page by what a user types: the title of an article to the letter, or with namespace prefix in any form that
  /// MediaWiki takes. Redirects are not followed.
  std::optional<PageId> find_text(std::string_view title) const;

  /// The title that a user who typed this one may mean: the same in other letters, a little misspelt, or a longer one
  /// that begins so. Nothing if there is none among the first million titles with the same first letter.
  std::optional<std::string> nearest(std::string_view title) const;

  /// Titles of the redirects that lead to a page, sorted by their text.
  /// \param with_sections  also those that lead to one of its sections, which name a part and not the page
  std::vector<Title> redirects_to(PageId id, bool with_sections) const;

  /// The Wikidata item of a page. Nothing if no source says it; without facts if no dump of Wikidata was read.
  std::optional<storage::EntityRecord> item(PageId id) const;
  /// "Q42" for it; empty if there is none.
  std::string qid(PageId id) const;
  /// What sources beside the page dump call the page: labels and aliases of its item, and its titles in wikis of other
  /// languages. Distinct.
  std::vector<std::string> other_names(PageId id) const;

  /// The categories of a page: those of its text, and behind them those that only the wiki's tables know.
  std::vector<Title> categories(PageId id, std::vector<Title> of_text) const;

  std::string prefixed(const Title& title) const { return site_.prefixed(title); }

 private:
  const storage::Store& store_;
  extractors::site::SiteInfo site_;
};

}  // namespace touchstone::pipeline::corpus
