#include "pipeline/corpus/links/wikidata_items.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::wikidata::Entity;
using extractors::wikidata::LanguageText;

/// The distinct items that an entity's statements of a property name, ascending.
std::vector<std::uint64_t> items_of(const Entity& entity, std::uint32_t property) {
  std::vector<std::uint64_t> items;
  for (const auto& statement : entity.statements) {
    if (statement.property == property) items.push_back(statement.item);
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

/// Adds the texts in the order of the languages, each once.
/// \param known  texts that are left out
void add_texts(const std::vector<LanguageText>& texts, const std::vector<std::string>& languages,
               const std::vector<std::string>& known, std::vector<std::string>& out) {
  const auto has = [](const auto& list, const auto& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  for (const auto& language : languages) {
    for (const auto& text : texts) {
      if (text.language == language && !text.text.empty() && !has(known, text.text) && !has(out, text.text))
        out.push_back(text.text);
    }
  }
}

}  // namespace

WikidataItems::WikidataItems(WikidataNeeds needs)
    : needs_(std::move(needs)),
      titled_(needs_.folder, needs_.memory_bytes / 3),
      pages_(needs_.folder, needs_.memory_bytes / 3),
      classes_(needs_.folder, needs_.memory_bytes / 3) {}

extractors::wikidata::DumpCounts WikidataItems::read(const std::string& file, const extractors::site::SiteInfo& site,
                                                     const StopFlag& stop) {
  extractors::wikidata::DumpOptions options;
  options.entities.languages = needs_.languages;
  options.entities.site = needs_.site;
  options.entities.properties = {extractors::wikidata::kInstanceOf, extractors::wikidata::kSubclassOf};
  auto& wanted = options.entities.properties;
  wanted.insert(wanted.end(), needs_.properties.begin(), needs_.properties.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  options.threads = needs_.threads;
  extractors::dump::ByteSourceOptions source;
  source.digests = false;
  source.decompress_threads = needs_.threads;
  source.stop = &stop;
  auto counts = extractors::wikidata::read_entities(extractors::dump::open_byte_source(file, source), options, stop,
                                                    [&](Entity&& entity) { add(entity, site); });
  if (counts.entities == 0) {
    throw FormatError(fmt::format("{}: holds no entity of Wikidata{}; touchstone wikidata tells what is wrong", file,
                                  counts.bad == 0 ? "" : fmt::format(", only {} lines that are none", counts.bad)));
  }
  return counts;
}

void WikidataItems::add(const Entity& entity, const extractors::site::SiteInfo& site) {
  const auto item = entity.item();
  if (item == 0) return;
  std::vector<std::string> labels;
  add_texts(entity.labels, needs_.languages, {}, labels);
  if (auto superclasses = items_of(entity, extractors::wikidata::kSubclassOf); !superclasses.empty())
    classes_.add({item, labels.empty() ? "" : labels.front(), std::move(superclasses)});
  if (entity.sitelinks.empty()) return;
  ++sitelinks_;
  const auto title = site.parse_title(entity.sitelinks.front().title);
  if (!title || !title->interwiki.empty()) {
    ++without_page_;
    return;
  }
  TitledItem titled;
  titled.hash = title_hash(title->title);
  titled.of_page.item = item;
  add_texts(entity.aliases, needs_.languages, labels, titled.of_page.aliases);
  titled.of_page.labels = std::move(labels);
  titled.of_page.types = items_of(entity, extractors::wikidata::kInstanceOf);
  auto& kept = titled.of_page.statements;
  for (const auto& statement : entity.statements) {
    if (std::find(needs_.properties.begin(), needs_.properties.end(), statement.property) != needs_.properties.end())
      kept.emplace_back(statement.property, statement.item);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  titled_.add(std::move(titled));
}

void WikidataItems::join(const std::function<std::optional<TitledPage>()>& next_page,
                         const std::function<std::optional<PageId>(PageId)>& follow) {
  const auto answer = [&](TitledItem& titled, std::uint32_t page) {
    const auto end = page == 0 ? std::nullopt : follow(PageId{page});
    if (!end) {
      ++without_page_;
      return;
    }
    titled.of_page.page = end->value;
    titled.of_page.by_redirect = end->value != page;
    pages_.add(std::move(titled.of_page));
  };
  join_titles(
      next_page, [&] { return titled_.next(); }, answer, [](std::uint32_t) {});
}

std::optional<WikidataItem> WikidataItems::next_page() {
  if (!page_ahead_) page_ahead_ = pages_.next();
  auto page = std::exchange(page_ahead_, std::nullopt);
  if (!page) return page;
  while ((page_ahead_ = pages_.next()) && page_ahead_->page == page->page) {
  }
  return page;
}

std::optional<ItemClass> WikidataItems::next_class() {
  if (!class_ahead_) class_ahead_ = classes_.next();
  auto found = std::exchange(class_ahead_, std::nullopt);
  if (!found) return found;
  while ((class_ahead_ = classes_.next()) && class_ahead_->item == found->item) {
  }
  return found;
}

}  // namespace touchstone::pipeline::corpus::links
