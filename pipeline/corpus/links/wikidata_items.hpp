#pragma once

#include "common/ids.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikidata/entity_dump.hpp"
#include "pipeline/corpus/links/title_join.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus::links {

/// The item of a page, by its sitelink.
struct WikidataItem {
  std::uint32_t page = 0;
  bool by_redirect = false;  ///< the sitelink names a redirect to the page
  std::uint64_t item = 0;
  std::vector<std::string> labels, aliases;  ///< as in storage::ItemFacts
  std::vector<std::uint64_t> types;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> statements;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("by_redirect", by_redirect)("item", item)("labels", labels)("aliases", aliases)(
        "types", types)("statements", statements);
  }
  friend auto operator<=>(const WikidataItem&, const WikidataItem&) = default;
};

/// An item that is a subclass of others.
struct ItemClass {
  std::uint64_t item = 0;
  std::string label;
  std::vector<std::uint64_t> superclasses;  ///< ascending

  template <class Fields>
  void fields(Fields& field) {
    field("item", item)("label", label)("superclasses", superclasses);
  }
  friend auto operator<=>(const ItemClass&, const ItemClass&) = default;
};

/// What is wanted of Wikidata's dump.
struct WikidataNeeds {
  std::string site;                       ///< database name of the wiki whose sitelinks count
  std::vector<std::string> languages;     ///< of labels and aliases, the preferred one first
  std::vector<std::uint32_t> properties;  ///< whose statements are kept
  int threads = 1;
  std::filesystem::path folder;  ///< for what does not fit in memory
  std::size_t memory_bytes = 0;
};

/// The items of a wiki's pages, and the classes of Wikidata, from Wikidata's JSON dump. Call in this order: `read` for
/// each file, `join`, then `next_page` and `next_class` to their ends. Not thread-safe.
class WikidataItems {
 public:
  explicit WikidataItems(WikidataNeeds needs);

  /// Keeps what is wanted of a dump. Throws FormatError for a file without an entity.
  extractors::wikidata::DumpCounts read(const std::string& file, const extractors::site::SiteInfo& site,
                                        const StopFlag& stop);

  /// Finds the pages that the sitelinks name.
  /// \param next_page  gives the TitledPages, ascending, then nothing
  /// \param follow     the page that a page leads to: itself, or what a redirect leads to; nothing for a circle
  void join(const std::function<std::optional<TitledPage>()>& next_page,
            const std::function<std::optional<PageId>(PageId)>& follow);

  /// The next page that has an item, ascending. Of two items of a page the one whose sitelink names the page itself
  /// counts, and of those the lower one.
  std::optional<WikidataItem> next_page();
  /// The next class, ascending.
  std::optional<ItemClass> next_class();

  std::uint64_t sitelinks() const noexcept { return sitelinks_; }        ///< of the wiki
  std::uint64_t without_page() const noexcept { return without_page_; }  ///< of these, those that name no page

 private:
  /// An item by the title that its sitelink names.
  struct TitledItem {
    std::uint64_t hash = 0;
    WikidataItem of_page;  ///< without the page

    template <class Fields>
    void fields(Fields& field) {
      field("title_hash", hash)("item", of_page);
    }
    friend auto operator<=>(const TitledItem&, const TitledItem&) = default;
  };

  void add(const extractors::wikidata::Entity& entity, const extractors::site::SiteInfo& site);

  WikidataNeeds needs_;
  records::Sorter<TitledItem> titled_;
  records::Sorter<WikidataItem> pages_;
  records::Sorter<ItemClass> classes_;
  std::optional<WikidataItem> page_ahead_;
  std::optional<ItemClass> class_ahead_;
  std::uint64_t sitelinks_ = 0, without_page_ = 0;
};

}  // namespace touchstone::pipeline::corpus::links
