#include "pipeline/survey/wiki_census.hpp"

#include "extractors/site/site_info.hpp"
#include "pipeline/automatic/page_composer.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/survey/page_shape.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace touchstone::pipeline::survey {
namespace {

using automatic::selection::AutomaticOptions;
using automatic::selection::PageOutcome;
using extractors::site::SiteInfo;
using storage::Family;

/// What one page adds to the facts.
struct PageFacts {
  PageId id;
  std::int32_t ns = 0;
  bool is_redirect = false, is_article = false, is_list = false;
  std::string title;
  std::uint64_t parts = 0;
  std::vector<std::string> headings;
};

/// Calls `use` with a context in which `walk_pages` goes over the store of the place.
template <class Use>
void with_walk(const TrialPlace& place, const Use& use) {
  static const flow::StageInfo row{.name = "survey", .summary = "Look at all pages"};
  const Settings none(std::span<const OptionGroup* const>{});
  ProgressCounters progress;
  flow::RunObjects objects;
  const flow::ReadContext context(row, {.settings = none,
                                        .paths = {place.folder},
                                        .store = place.store,
                                        .stop = place.stop,
                                        .progress = progress,
                                        .objects = objects,
                                        .threads = place.threads});
  use(context);
}

/// Whether a page is an article or, in a namespace of its own, a list.
bool may_hold_lists(const SiteInfo& site, const storage::PageRecord& page) {
  return (page.title.ns == kNamespaceMain || extractors::site::is_list_namespace(site, page.title.ns)) &&
         !page.is_redirect && page.content == storage::PageContent::kRead;
}

PageFacts facts_of_page(const TrialPlace& place, const SiteInfo& site, const HeadingCensus& census, PageId id,
                        const storage::PageRecord& record) {
  PageFacts facts;
  facts.id = id;
  facts.ns = record.title.ns;
  facts.is_redirect = record.is_redirect;
  facts.is_article = may_hold_lists(site, record);
  if (!facts.is_article) return facts;
  facts.title = site.prefixed(record.title);
  std::string bytes;
  if (!place.store.get(Family::kOutline, storage::page_key(id), bytes)) return facts;
  const auto outline = storage::decode_outline(bytes);
  const auto shape = shape_of(place.store, id, outline);
  facts.is_list = shape.is_list() && !record.is_disambiguation;
  facts.parts = shape.parts + shape.listed_links;
  for (const auto& section : outline.sections) {
    if (census.knows(section.heading)) facts.headings.push_back(section.heading);
  }
  return facts;
}

}  // namespace

WikiCensus take_census(const TrialPlace& place, const Settings& settings) {
  WikiCensus facts;
  facts.site = corpus::TitleIndex(place.store).site();
  std::vector<PageId> lists;  // ascending
  with_walk(place, [&](const flow::ReadContext& context) {
    corpus::walk_pages<PageFacts>(
        context,
        [&](PageId id, const storage::PageRecord& record) {
          return facts_of_page(place, facts.site, facts.headings, id, record);
        },
        [&](PageFacts page) {
          if (!page.is_redirect) ++facts.namespaces[page.ns];
          if (!page.is_article) return;
          ++facts.articles;
          facts.list_parts += page.parts;
          for (const auto& heading : page.headings) facts.headings.add(heading);
          if (!page.is_list) return;
          facts.affixes.add_list(page.title);
          lists.push_back(page.id);
        });
  });
  facts.list_pages = lists.size();
  facts.affixes.begin_counting(settings.get<evidence::GroupsOptions>().list_prefixes_for(facts.site.language));
  for (auto cursor = place.store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
    place.stop.check();
    const auto id = storage::read_page_key(cursor.key());
    const auto page = storage::decode_page(cursor.value());
    if (!id || !may_hold_lists(facts.site, page)) continue;
    facts.affixes.count(facts.site.prefixed(page.title), std::binary_search(lists.begin(), lists.end(), *id));
  }
  return facts;
}

std::vector<SelectionAlternative> survey_selection(const TrialPlace& place, const AutomaticOptions& options) {
  const automatic::PageComposer composer(place.store, "wiki",
                                         {.list_items = options.include_lists,
                                          .table_rows = options.include_tables,
                                          .links = false,
                                          .min_words = static_cast<std::size_t>(options.min_passage_words)});
  std::vector<SelectionAlternative> results;
  std::vector<std::unique_ptr<automatic::QueryPages>> rules;
  for (auto least = options.min_sections; least >= 1 || results.empty(); --least) {
    auto changed = options;
    changed.min_sections = least;
    results.push_back({least, {}});
    rules.push_back(std::make_unique<automatic::QueryPages>(changed, composer.titles().site()));
  }
  using Outcomes = std::vector<PageOutcome>;
  const auto assess = [&](PageId id, const storage::PageRecord& record) {
    Outcomes outcomes;
    auto composed = composer.compose(id, record);
    if (!composed) return outcomes;
    for (const auto& rule : rules) {
      // A page that is long enough for more sections is so for fewer.
      const bool chosen = !outcomes.empty() && outcomes.back().is_query_page();
      outcomes.push_back(chosen ? outcomes.back() : rule->assess(composed->page));
    }
    return outcomes;
  };
  with_walk(place, [&](const flow::ReadContext& context) {
    corpus::walk_pages<Outcomes>(context, assess, [&](const Outcomes& outcomes) {
      for (std::size_t i = 0; i < outcomes.size(); ++i) results[i].counts.add(outcomes[i]);
    });
  });
  return results;
}

}  // namespace touchstone::pipeline::survey
