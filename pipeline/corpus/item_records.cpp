#include "pipeline/corpus/item_records.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "pipeline/corpus/links/sql_items.hpp"
#include "pipeline/corpus/links/wikidata_items.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/corpus/wikidata_topics.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using links::WikidataItem;
using links::WikidataItems;
using storage::Family;

/// Of labels and aliases that hold in all languages, such as names of people.
constexpr std::string_view kAllLanguages = "mul";

/// What of items cannot be read.
enum class ItemReject : std::uint8_t { kNoItem, kBadLine };

const RejectReason& describe(ItemReject reason) {
  static constexpr RejectReason kReasons[] = {
      {"rows of page_props whose Wikidata item is not written as Q and a number"},
      {"lines of Wikidata's dump that are not an entity"},
  };
  return kReasons[static_cast<std::size_t>(reason)];
}

std::string site_of(const ReadContext& context) {
  const auto& given = context.options<WikidataOptions>().site;
  return given.empty() ? TitleIndex(context.store).site().db_name : given;
}

std::vector<std::string> languages_of(const ReadContext& context) {
  auto languages = context.options<WikidataOptions>().languages;
  if (languages.empty()) languages = {TitleIndex(context.store, context.options<TextOptions>()).site().language};
  if (std::find(languages.begin(), languages.end(), kAllLanguages) == languages.end())
    languages.emplace_back(kAllLanguages);
  return languages;
}

void read_dumps(const WriteContext& context, WikidataItems& items, StageReport& report) {
  const auto site = TitleIndex(context.store).site();
  auto& entities = report.counts["entities of Wikidata"];
  for (const auto& file : context.options<WikidataOptions>().files) {
    log_info("link: reading {}", display_text(file));  // it takes hours for a whole dump
    const auto counts = items.read(file, site, context.stop);
    entities += counts.entities;
    std::vector<std::string> samples;
    for (const auto& line : counts.bad_lines)
      samples.push_back(fmt::format("{} at byte {}: {}", std::filesystem::path(file).filename().string(), line.offset,
                                    line.error.reason()));
    if (counts.bad > 0) report.add(describe(ItemReject::kBadLine), {}, samples, counts.bad);
    if (!counts.complete)
      report.warnings.push_back(file +
                                " ends without the line ] of a whole dump; download it again unless it is a part "
                                "of one");
  }
}

storage::ItemFacts facts_of(WikidataItem& item) {
  storage::ItemFacts facts{std::move(item.labels), std::move(item.aliases), std::move(item.types)};
  for (const auto& [property, value] : item.statements) facts.statements.push_back({property, value});
  return facts;
}

/// Writes the record of each page that has an item. That of page_props counts before that of Wikidata's dump, whose
/// facts are kept in any case.
class EntityWriter {
 public:
  EntityWriter(WriteContext& context, WikidataItems* items, storage::BulkLoader& loader)
      : context_(context), items_(items), loader_(loader) {
    if (items_ != nullptr) ahead_ = items_->next_page();
  }

  /// \pre pages ascend
  void add(PageId page, std::uint64_t item) {
    write_up_to(page.value);
    storage::EntityRecord record{item, std::nullopt};
    if (items_ != nullptr) record.facts.emplace();
    if (ahead_ && ahead_->page == page.value) {
      others_ += ahead_->item == item ? 0 : 1;
      record.facts = facts_of(*ahead_);
      ahead_ = items_->next_page();
    }
    write(page, record);
  }

  void finish(StageReport& report) {
    write_up_to(UINT64_MAX);
    report.counts["pages with a Wikidata item"] = written_;
    if (others_ > 0) report.counts["pages whose item in page_props is not the one of Wikidata's dump"] = others_;
  }

 private:
  void write_up_to(std::uint64_t end) {
    for (; ahead_ && ahead_->page < end; ahead_ = items_->next_page()) {
      const PageId page{ahead_->page};
      const auto item = ahead_->item;
      write(page, {item, facts_of(*ahead_)});
    }
  }

  void write(PageId page, const storage::EntityRecord& record) {
    if ((++written_ & 1023) == 0) context_.stop.check();
    loader_.add(Family::kEntity, storage::page_key(page), encode(record));
  }

  WriteContext& context_;
  WikidataItems* items_;
  storage::BulkLoader& loader_;
  std::optional<WikidataItem> ahead_;
  std::uint64_t written_ = 0, others_ = 0;
};

}  // namespace

std::vector<Option<WikidataOptions>> WikidataOptions::options() {
  return {
      {"link.wikidata", &WikidataOptions::files,
       "JSON dumps of Wikidata (.json, .gz, .bz2 or .zst), one entity a line. They give each page its item, with other "
       "names and types (docs/wikidata.md)."},
      {"link.wikidata_site", &WikidataOptions::site,
       "Database name under which sitelinks of Wikidata know the wiki, such as enwiki. Empty: the one that the page "
       "dump "
       "gives."},
      {"link.wikidata_languages", &WikidataOptions::languages,
       "Languages of labels and aliases that are taken from Wikidata, the preferred one first. Those for all languages "
       "(mul) come last in any case. Empty: the language of the wiki's texts."},
  };
}

std::vector<std::string> WikidataOptions::problems(const Settings& settings) {
  std::vector<std::string> problems;
  for (const auto& file : settings.get<WikidataOptions>().files) {
    if (!std::filesystem::exists(file))
      problems.push_back(file + ": no such file; name it from the folder the command runs in");
  }
  return problems;
}

void check_wikidata_site(const ReadContext& context) {
  if (context.options<WikidataOptions>().files.empty() || !site_of(context).empty()) return;
  throw ConfigError(
      "the pages do not say which wiki they are of, so that no sitelink of Wikidata fits them; set link.wikidata_site "
      "to "
      "its database name, such as enwiki");
}

void write_items(WriteContext& context, const links::SqlTables& tables, std::size_t memory_bytes,
                 const std::function<std::function<std::optional<links::TitledPage>()>()>& titles,
                 const RedirectMap& redirects, storage::BulkLoader& loader, StageReport& report) {
  const bool has_dumps = !context.options<WikidataOptions>().files.empty();
  const bool has_props = tables.has(extractors::sql::WikiTable::kPageProps);
  if (!has_dumps && !has_props) return;
  std::optional<WikidataItems> items;
  if (has_dumps) {
    const auto site = site_of(context);
    items.emplace(links::WikidataNeeds{site, languages_of(context),
                                       context.options<WikidataTopicsOptions>().properties(), context.threads,
                                       context.scratch(), memory_bytes / 2});
    read_dumps(context, *items, report);
    items->join(titles(), [&](PageId page) -> std::optional<PageId> {
      const auto end = redirects.follow(page);
      return end ? std::optional(end->page) : std::nullopt;
    });
    report.counts["sitelinks of Wikidata to the wiki"] = items->sitelinks();
    if (items->without_page() > 0)
      report.counts["sitelinks of Wikidata to pages that are not in the dump"] = items->without_page();
    if (items->sitelinks() == 0)
      report.warnings.push_back("no entity of Wikidata has a sitelink to " + site +
                                "; set link.wikidata_site to the database name of the wiki");
  }
  EntityWriter writer(context, items ? &*items : nullptr, loader);
  std::string bytes;
  const auto counts =
      links::for_each_sql_item(tables, context.scratch(), memory_bytes / 2, [&](PageId page, std::uint64_t item) {
        if (context.store.get(Family::kPage, storage::page_key(page), bytes)) writer.add(page, item);
      });
  if (has_props) report.counts["rows of page_props with a Wikidata item"] = counts.rows;
  writer.finish(report);
  for (const auto& text : counts.malformed) report.reject(ItemReject::kNoItem, text);
  if (!items) return;
  auto& classes = report.counts["classes of Wikidata"];
  while (const auto found = items->next_class()) {
    loader.add(Family::kClass, storage::item_key(found->item),
               encode(storage::ClassRecord{found->label, found->superclasses}));
    if ((++classes & 1023) == 0) context.stop.check();
  }
}

}  // namespace touchstone::pipeline::corpus
