#include "common/error.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/corpus/links/sql_items.hpp"
#include "pipeline/corpus/links/sql_links.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"
#include "pipeline/corpus/links/title_join.hpp"
#include "pipeline/corpus/redirect_map.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "storage/bulk_loader.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::sql::WikiTable;
using flow::StageReport;
using flow::WriteContext;
using links::SqlTables;
using links::TitleJoin;
using storage::Family;

/// How links are inverted.
struct LinkOptions {
  std::int64_t sort_memory_bytes = 128 << 20;
  std::vector<std::string> sql_dumps;

  static std::vector<Option<LinkOptions>> options() {
    constexpr double kGiB = 1024.0 * 1024 * 1024;
    return {
        {"link.sort_memory_bytes", &LinkOptions::sort_memory_bytes, between(1 << 20, 256 * kGiB), OptionEffect::kNone,
         "Memory for sorting links; the rest is spilled to the work directory."},
        {"link.sql_dumps", &LinkOptions::sql_dumps,
         "SQL dumps of the wiki's tables (.sql or .gz), of the date of the page dump. pagelinks: backlinks are its "
         "links "
         "instead of those that the text shows; linktarget: needed for a pagelinks of 2024 or later; redirect: where "
         "redirects lead; page_props: the Wikidata items of pages."},
    };
  }
  static std::vector<std::string> problems(const Settings& settings) {
    std::vector<std::string> problems;
    for (const auto& file : settings.get<LinkOptions>().sql_dumps) {
      if (!std::filesystem::exists(file))
        problems.push_back(file + ": no such file; name it from the folder the command runs in");
    }
    return problems;
  }
};

/// What link cannot resolve.
enum class LinkReject : std::uint8_t { kNoTarget, kMissingTarget, kCircle, kDoubleTitle, kNoLinkTarget, kNoItem };

constexpr RejectReason kLinkRejects[] = {
    {"redirect to another wiki or to no legal title"},
    {"redirect to a page that is not in the dump"},
    {"redirects that lead in a circle"},
    {"two pages with one title (the one with the lower id counts)"},
    {"rows of pagelinks whose target is not in linktarget"},
    {"rows of page_props whose Wikidata item is not written as Q and a number"},
};

const RejectReason& describe(LinkReject reason) {
  return kLinkRejects[static_cast<std::size_t>(reason)];
}

/// The page that a target of a page's link record names, redirects not followed.
struct NamedTarget {
  std::uint32_t source, target;  ///< page and index of the target
  std::uint32_t page;
  friend auto operator<=>(const NamedTarget&, const NamedTarget&) = default;
};

/// A place that links to a page.
struct Backlink {
  std::uint32_t target, source, place;
  friend auto operator<=>(const Backlink&, const Backlink&) = default;
};

/// The place of a link that pagelinks has; behind all places of a text.
constexpr std::uint32_t kInTable = UINT32_MAX;

PageId key_of(const storage::Cursor& cursor) {
  const auto id = storage::read_page_key(cursor.key());
  if (!id) throw StorageError("the store holds a page key it should not; build it again");
  return *id;
}

/// Resolves the titles of redirects and link targets in one join, then goes over the links again and files each under
/// the page it leads to.
class LinkStage : public flow::Stage {
 public:
  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    StageReport report;
    const auto memory = static_cast<std::size_t>(context.options<LinkOptions>().sort_memory_bytes);
    const auto folder = context.scratch();
    const SqlTables tables(context.options<LinkOptions>().sql_dumps, context.stop);
    if (!context.options<LinkOptions>().sql_dumps.empty()) tables.check_wiki(TitleIndex(context.store).site().db_name);
    RedirectMap redirects;
    records::Sorter<NamedTarget> named(folder, memory / 4);
    resolve_titles(context, tables, memory * 3 / 4, redirects, named, report);
    storage::BulkLoader loader(context.store);
    records::Sorter<Backlink> backlinks(folder, memory / 2);
    write_link_targets(context, redirects, named, backlinks, loader, report);
    if (tables.has(WikiTable::kPagelinks)) add_table_links(context, tables, memory / 2, redirects, backlinks, report);
    write_backlinks(backlinks, tables.has(WikiTable::kPagelinks), loader, report);
    write_aliases(redirects, loader, report);
    write_entities(context, tables, memory / 2, loader, report);
    kill_point("link.before_commit");
    loader.commit();
    return report;
  }

 private:
  static constexpr std::uint32_t kRedirectTag = UINT32_MAX;  ///< asked by a redirect; else the index of a link target

  static void resolve_titles(WriteContext& context, const SqlTables& tables, std::size_t memory, RedirectMap& redirects,
                             records::Sorter<NamedTarget>& named, StageReport& report) {
    TitleJoin join(context.scratch(), memory);
    const auto to_section = add_pages(context, tables, join, report);
    add_link_targets(context, join);
    kill_point("link.read");
    join.finish(
        [&](TitleJoin::Question question, std::uint32_t page) {
          if (question.tag == kRedirectTag) {
            redirects.add(PageId{question.page}, PageId{page}, to_section.contains(question.page));
          } else {
            named.add({question.page, question.tag, page});
          }
        },
        [&](TitleJoin::Question question) {
          if (question.tag == kRedirectTag)
            report.reject(LinkReject::kMissingTarget, fmt::format("page {}", question.page));
        },
        [&](std::uint32_t page) { report.reject(LinkReject::kDoubleTitle, fmt::format("page {}", page)); });
    context.stop.check();
  }

  /// Adds all pages with their titles, and what redirects ask for. Returns the redirects that name a section.
  static std::unordered_set<std::uint32_t> add_pages(WriteContext& context, const SqlTables& tables, TitleJoin& join,
                                                     StageReport& report) {
    std::unordered_set<std::uint32_t> to_section;
    std::unordered_set<std::uint32_t> open;  // redirects whose target the table may say
    for (auto cursor = context.store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
      const auto id = key_of(cursor).value;
      const auto page = storage::decode_page(cursor.value());
      ++context.progress.total;
      join.add_page(page.title, id);
      if (!page.is_redirect) continue;
      ++report.counts["redirects"];
      if (tables.has(WikiTable::kRedirect))
        open.insert(id);
      else
        ask_redirect(page, id, join, to_section, report);
    }
    ask_redirects_of_table(tables, open, join, to_section, report);
    std::vector<std::uint32_t> left(open.begin(), open.end());
    std::sort(left.begin(), left.end());
    std::string bytes;
    for (const auto id : left) {
      if (context.store.get(Family::kPage, storage::page_key(PageId{id}), bytes))
        ask_redirect(storage::decode_page(bytes), id, join, to_section, report);
    }
    return to_section;
  }

  /// Asks for the target that the page's text names.
  static void ask_redirect(const storage::PageRecord& page, std::uint32_t id, TitleJoin& join,
                           std::unordered_set<std::uint32_t>& to_section, StageReport& report) {
    if (page.redirect.text.empty()) {
      report.reject(LinkReject::kNoTarget, page.title.text);
      return;
    }
    join.ask(page.redirect, {id, kRedirectTag});
    if (!page.redirect_fragment.empty()) to_section.insert(id);
  }

  /// Asks for the targets that the redirect table names, and takes the redirects it has out of `open`.
  static void ask_redirects_of_table(const SqlTables& tables, std::unordered_set<std::uint32_t>& open, TitleJoin& join,
                                     std::unordered_set<std::uint32_t>& to_section, StageReport& report) {
    if (!tables.has(WikiTable::kRedirect)) return;
    const auto& table = tables.table(WikiTable::kRedirect);
    const auto from = table.column("rd_from").value(), ns = table.column("rd_namespace").value();
    const auto title = table.column("rd_title").value();
    const auto interwiki = table.column("rd_interwiki"), fragment = table.column("rd_fragment");
    report.counts["rows of redirect"] = tables.for_each_row(WikiTable::kRedirect, [&](const auto& row, const auto& in) {
      const auto id = page_number(row, from, in);
      if (open.erase(id) == 0) return;
      const auto text = extractors::sql::title_text(row[title].text);
      if (interwiki && !row[*interwiki].is_null && !row[*interwiki].text.empty()) {
        report.reject(LinkReject::kNoTarget, text);
        return;
      }
      join.ask({namespace_number(row, ns, in), text}, {id, kRedirectTag});
      if (fragment && !row[*fragment].is_null && !row[*fragment].text.empty()) to_section.insert(id);
    });
  }

  static void add_link_targets(WriteContext& context, TitleJoin& join) {
    for (auto cursor = context.store.cursor(Family::kLink); cursor.valid(); cursor.next()) {
      if ((++context.progress.done & 1023) == 0) context.stop.check();
      const auto id = key_of(cursor).value;
      const auto titles = storage::decode_link_titles(cursor.value());
      for (std::uint32_t i = 0; i < titles.size(); ++i) join.ask(titles[i], {id, i});
    }
  }

  /// Writes where each link target leads, and collects the links by the page they lead to.
  static void write_link_targets(WriteContext& context, const RedirectMap& redirects,
                                 records::Sorter<NamedTarget>& named, records::Sorter<Backlink>& backlinks,
                                 storage::BulkLoader& loader, StageReport& report) {
    auto next = named.next();
    std::uint64_t pages = 0, to_pages = 0, elsewhere = 0;
    for (auto cursor = context.store.cursor(Family::kLink); cursor.valid(); cursor.next()) {
      if ((++pages & 1023) == 0) context.stop.check();
      const auto source = key_of(cursor).value;
      const auto record = storage::decode_link_places(cursor.value());
      context.progress.records += record.places.size();
      report.counts["links"] += record.places.size();
      std::vector<bool> is_page(record.targets, false);
      storage::LinkTargetRecord ends;
      ends.pages.resize(record.targets);
      for (; next && next->source == source; next = named.next()) {
        is_page.at(next->target) = true;
        if (const auto end = redirects.follow(PageId{next->page})) ends.pages[next->target] = end->page;
      }
      for (const auto& place : record.places) {
        ++(is_page[place.target] ? to_pages : elsewhere);
        const PageId end = ends.pages[place.target];
        if (end.value != 0) backlinks.add({end.value, source, place.paragraph});
      }
      loader.add(Family::kLinkTarget, cursor.key(), encode(ends));
    }
    if (to_pages > 0) report.counts["links to pages of the dump"] = to_pages;
    if (elsewhere > 0) report.counts["links to pages that are not in the dump"] = elsewhere;
  }

  /// Adds the links of pagelinks between pages that were read, redirects followed.
  static void add_table_links(WriteContext& context, const SqlTables& tables, std::size_t memory,
                              const RedirectMap& redirects, records::Sorter<Backlink>& backlinks, StageReport& report) {
    std::vector<std::uint32_t> read;  // ids of the pages that were read, ascending
    const auto add_titles = [&](TitleJoin& join) {
      for (auto cursor = context.store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
        const auto page = storage::decode_page(cursor.value());
        const auto id = key_of(cursor).value;
        join.add_page(page.title, id);
        if (page.content == storage::PageContent::kRead) read.push_back(id);
      }
    };
    std::uint64_t from_others = 0;
    const auto counts =
        links::for_each_sql_link(tables, {context.scratch(), memory, add_titles}, [&](PageId source, PageId target) {
          if (!std::binary_search(read.begin(), read.end(), source.value)) {
            ++from_others;
            return;
          }
          if (const auto end = redirects.follow(target)) backlinks.add({end->page.value, source.value, kInTable});
        });
    report.counts["rows of pagelinks"] = counts.rows;
    if (from_others > 0) report.counts["rows of pagelinks from pages that were not read"] = from_others;
    if (counts.unknown_numbers > 0)
      report.reject(LinkReject::kNoLinkTarget, fmt::format("{} rows", counts.unknown_numbers));
  }

  /// \param by_table  a page is a source if pagelinks says so; the places are those of its text, or "elsewhere"
  static void write_backlinks(records::Sorter<Backlink>& backlinks, bool by_table, storage::BulkLoader& loader,
                              StageReport& report) {
    storage::BacklinkRecord record;
    std::uint32_t target = 0;
    std::uint64_t places = 0, bytes = 0, only_in_text = 0, only_in_table = 0;
    bool in_table = false;
    const auto end_source = [&] {
      if (record.sources.empty() || !by_table) return;
      auto& at = record.sources.back().places;
      if (!in_table) {
        ++only_in_text;
        places -= at.size();
        record.sources.pop_back();
      } else if (at.empty()) {
        ++only_in_table;
        ++places;
        at.push_back(0);
      }
    };
    const auto flush = [&] {
      end_source();
      if (record.sources.empty()) return;
      const auto value = encode(record);
      bytes += value.size();
      loader.add(Family::kBacklink, storage::page_key(PageId{target}), value);
      ++report.counts["pages with backlinks"];
      report.counts["pairs of pages with a link"] += record.sources.size();
      record.sources.clear();
    };
    std::uint32_t source = 0;
    for (bool first = true; const auto link = backlinks.next(); first = false) {
      const bool new_target = first || link->target != target;
      if (new_target) flush();
      if (new_target || link->source != source) {
        if (!new_target) end_source();
        record.sources.push_back({PageId{link->source}, {}});
        in_table = false;
      }
      target = link->target;
      source = link->source;
      if (link->place == kInTable) {
        in_table = true;
        continue;
      }
      auto& at = record.sources.back().places;
      if (!at.empty() && at.back() == link->place) continue;
      at.push_back(link->place);
      ++places;
    }
    flush();
    report.counts["backlinks"] = places;
    report.counts["bytes of backlinks before compression"] = bytes;
    if (!by_table) {
      report.counts.erase("pairs of pages with a link");
      return;
    }
    report.counts["links that only pagelinks has"] = only_in_table;
    report.counts["links that only the text has (left out)"] = only_in_text;
  }

  /// Writes the Wikidata items of the pages in the store.
  static void write_entities(WriteContext& context, const SqlTables& tables, std::size_t memory,
                             storage::BulkLoader& loader, StageReport& report) {
    if (!tables.has(WikiTable::kPageProps)) return;
    std::uint64_t written = 0;
    std::string bytes;
    const auto counts =
        links::for_each_sql_item(tables, context.scratch(), memory, [&](PageId page, std::uint64_t item) {
          const auto key = storage::page_key(page);
          if (!context.store.get(Family::kPage, key, bytes)) return;
          loader.add(Family::kEntity, key, encode(storage::EntityRecord{item}));
          ++written;
        });
    report.counts["rows of page_props with a Wikidata item"] = counts.rows;
    report.counts["pages with a Wikidata item"] = written;
    for (const auto& text : counts.malformed) report.reject(LinkReject::kNoItem, text);
  }

  static void write_aliases(const RedirectMap& redirects, storage::BulkLoader& loader, StageReport& report) {
    for (const auto page : redirects.circles()) report.reject(LinkReject::kCircle, fmt::format("page {}", page.value));
    for (const auto& [page, record] : redirects.aliases())
      loader.add(Family::kAlias, storage::page_key(page), encode(record));
  }
};

std::string sql_fingerprint(const Settings& settings) {
  return links::files_digest(settings.get<LinkOptions>().sql_dumps);
}

}  // namespace

flow::StageInfo link_stage() {
  return {.name = "link",
          .summary = "Resolve titles and redirects, invert links",
          .format_version = 2,
          .inputs = {flow::family(Family::kPage), flow::family(Family::kLink), flow::meta(storage::kMetaSite)},
          .outputs = {flow::family(Family::kBacklink), flow::family(Family::kAlias), flow::family(Family::kLinkTarget),
                      flow::family(Family::kEntity)},
          .options = {flow::reads<LinkOptions>()},
          .progress_unit = "pages",
          .progress_records = "links",
          .make = flow::make_stage<LinkStage>,
          .extra_fingerprint = sql_fingerprint,
          .shorthands = {{"--sql-dump", "link.sql_dumps",
                          "SQL dumps of the wiki's tables: pagelinks, linktarget, redirect, page_props", "FILE", true,
                          true}}};
}

}  // namespace touchstone::pipeline::corpus
