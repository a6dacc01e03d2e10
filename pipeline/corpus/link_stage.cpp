#include "common/error.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/corpus/item_records.hpp"
#include "pipeline/corpus/links/backlinks.hpp"
#include "pipeline/corpus/links/link_parts.hpp"
#include "pipeline/corpus/links/sql_links.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/redirect_map.hpp"
#include "pipeline/corpus/sql_page_records.hpp"
#include "pipeline/corpus/stages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/corpus/wikidata_topics.hpp"
#include "pipeline/flow/merged_parts.hpp"
#include "storage/bulk_loader.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::sql::WikiTable;
using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using links::AskedTitle;
using links::Backlink;
using links::PageLinks;
using links::RedirectPage;
using links::SqlTables;
using links::TitledPage;
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
         "instead of those that the text shows; linktarget: needed for links of 2024 or later; redirect: where "
         "redirects "
         "lead; page_props: the Wikidata items of pages, and which categories are hidden; categorylinks: categories "
         "that templates give; langlinks: titles in other languages as further names; page: whether the dump has all "
         "pages."},
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
enum class LinkReject : std::uint8_t { kNoTarget, kMissingTarget, kCircle, kDoubleTitle, kNoLinkTarget };

constexpr RejectReason kLinkRejects[] = {
    {"redirect to another wiki or to no legal title"},
    {"redirect to a page that is not in the dump"},
    {"redirects that lead in a circle"},
    {"two pages with one title (the one with the lower id counts)"},
    {"rows of pagelinks whose target is not in linktarget"},
};

const RejectReason& describe(LinkReject reason) {
  return kLinkRejects[static_cast<std::size_t>(reason)];
}

constexpr std::uint32_t kRedirect = UINT32_MAX;

/// A title that is asked for.
struct Question {
  std::uint64_t hash;
  std::uint32_t cut, number;  ///< of an AskedTitle; or kRedirect and the page that is one
  bool to_section;            ///< the redirect names a section
  friend auto operator<=>(const Question&, const Question&) = default;
};

/// The page that has an AskedTitle, redirects not followed.
struct Answer {
  std::uint32_t cut, number;
  std::uint32_t page;
  friend auto operator<=>(const Answer&, const Answer&) = default;
};

PageId key_of(const storage::Cursor& cursor) {
  const auto id = storage::read_page_key(cursor.key());
  if (!id) throw StorageError("the store holds a page key it should not; build it again");
  return *id;
}

/// Reading links is quick, and the merge reads parts of all cuts at once.
constexpr CutBytes kCutBytes{.least = std::uint64_t{64} << 20U, .most = UINT64_MAX, .cuts = 32};
constexpr std::uint32_t kNotInDump = UINT32_MAX;

/// The SQL dumps that the user names. Throws FormatError if they do not fit each other or the wiki.
SqlTables open_tables(const ReadContext& context) {
  const auto& files = context.options<LinkOptions>().sql_dumps;
  SqlTables tables(files, context.stop);
  if (!files.empty()) tables.check_wiki(TitleIndex(context.store).site().db_name);
  return tables;
}

/// All pages by their titles, for join_titles.
std::function<std::optional<TitledPage>()> walk_titles(const flow::Parts& parts) {
  const auto titles = std::make_shared<flow::MergedParts<TitledPage>>(parts, links::kTitlesPart);
  return [titles]() -> std::optional<TitledPage> {
    if (const auto item = titles->next()) return item->record;
    return std::nullopt;
  };
}

/// Takes titles and links of each cut out of the store. The merge resolves the titles of redirects, then those of link
/// targets, and files each link under the page it leads to.
class LinkStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override {
    open_tables(context);
    check_wikidata_site(context);
    return page_cuts(context.store, kCutBytes);
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    links::LinkPartWriter writer(parts, context.scratch(),
                                 memory_of(context) / static_cast<std::size_t>(context.threads));
    for_each_page(context, cut, [&](PageId id, const storage::PageRecord& page) { writer.add_page(id, page); });
    auto cursor = context.store.cursor(Family::kLink);
    std::uint64_t pages = 0;
    for (cursor.seek(storage::page_key(PageId{static_cast<std::uint32_t>(cut.first)})); cursor.valid(); cursor.next()) {
      const auto id = key_of(cursor);
      if (id.value >= cut.end) break;
      if ((++pages & 1023) == 0) context.stop.check();
      writer.add_links(id, cursor.value());
    }
    writer.finish();
    kill_point("link.read");
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    StageReport report;
    const auto memory = memory_of(context);
    const auto folder = context.scratch();
    const auto tables = open_tables(context);
    RedirectMap redirects;
    records::Sorter<Answer> answers(folder, memory / 4);
    resolve_titles(context, tables, parts, redirects, answers, report);
    storage::BulkLoader loader(context.store);
    records::Sorter<Backlink> backlinks(folder, memory / 2);
    auto sources = write_link_targets(context, parts, redirects, answers, backlinks, loader, report);
    if (tables.has(WikiTable::kPagelinks))
      sources = merged(sources, add_table_links(context, tables, parts, redirects, backlinks, report));
    links::write_backlinks(backlinks, storage::SourcePages(std::move(sources)), tables.has(WikiTable::kPagelinks),
                           loader, report);
    write_aliases(redirects, loader, report);
    write_items(
        context, tables, memory / 2, [&] { return walk_titles(parts); }, redirects, loader, report);
    write_sql_pages(context, tables, memory / 2, loader, report);
    kill_point("link.before_commit");
    loader.commit();
    return report;
  }

 private:
  static std::size_t memory_of(const ReadContext& context) {
    return static_cast<std::size_t>(context.options<LinkOptions>().sort_memory_bytes);
  }

  /// Finds the pages that redirects and link targets name.
  static void resolve_titles(WriteContext& context, const SqlTables& tables, const flow::Parts& parts,
                             RedirectMap& redirects, records::Sorter<Answer>& answers, StageReport& report) {
    records::Sorter<Question> of_redirects(context.scratch(), memory_of(context) / 2);
    ask_redirects(tables, parts, of_redirects, report);
    flow::MergedParts<AskedTitle> of_links(parts, links::kTargetsPart);
    const auto next_of_links = [&]() -> std::optional<Question> {
      if (const auto item = of_links.next()) return Question{item->record.hash, item->cut, item->record.number, false};
      return std::nullopt;
    };
    auto redirect = of_redirects.next(), link = next_of_links();
    const auto next_question = [&] {
      if (redirect && (!link || redirect->hash < link->hash)) return std::exchange(redirect, of_redirects.next());
      return std::exchange(link, next_of_links());
    };
    const auto answer = [&](const Question& question, std::uint32_t page) {
      if (question.cut != kRedirect) {
        if (page != 0) answers.add({question.cut, question.number, page});
      } else if (page != 0) {
        redirects.add(PageId{question.number}, PageId{page}, question.to_section);
      } else {
        report.reject(LinkReject::kMissingTarget, fmt::format("page {}", question.number));
      }
    };
    links::join_titles(walk_titles(parts), next_question, answer, [&](std::uint32_t page) {
      report.reject(LinkReject::kDoubleTitle, fmt::format("page {}", page));
    });
    context.stop.check();
  }

  static void ask_redirects(const SqlTables& tables, const flow::Parts& parts, records::Sorter<Question>& asked,
                            StageReport& report) {
    std::unordered_set<std::uint32_t> open;  // redirects whose target the table may say
    const bool has_table = tables.has(WikiTable::kRedirect);
    if (has_table) {
      parts.for_each<RedirectPage>(links::kRedirectsPart, [&](const auto& redirect) { open.insert(redirect.page); });
      ask_redirects_of_table(tables, open, asked, report);
    }
    std::uint64_t count = 0;
    parts.for_each<RedirectPage>(links::kRedirectsPart, [&](const RedirectPage& redirect) {
      ++count;
      if (has_table && !open.contains(redirect.page)) return;
      if (redirect.target)
        asked.add({*redirect.target, kRedirect, redirect.page, redirect.to_section});
      else
        report.reject(LinkReject::kNoTarget, redirect.title);
    });
    if (count > 0) report.counts["redirects"] = count;
  }

  /// Asks for the targets that the redirect table names, and takes the redirects it has out of `open`.
  static void ask_redirects_of_table(const SqlTables& tables, std::unordered_set<std::uint32_t>& open,
                                     records::Sorter<Question>& asked, StageReport& report) {
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
      asked.add({links::title_hash(namespace_number(row, ns, in), text), kRedirect, id,
                 fragment && !row[*fragment].is_null && !row[*fragment].text.empty()});
    });
  }

  /// Writes where each link target leads, and collects the links by the page they lead to.
  /// \return the sources of these links, ascending
  static std::vector<PageId> write_link_targets(WriteContext& context, const flow::Parts& parts,
                                                const RedirectMap& redirects, records::Sorter<Answer>& answers,
                                                records::Sorter<Backlink>& backlinks, storage::BulkLoader& loader,
                                                StageReport& report) {
    std::vector<PageId> sources;
    auto next = answers.next();
    std::uint64_t pages = 0, to_pages = 0, elsewhere = 0;
    for (std::uint32_t cut = 0; cut < parts.cuts(); ++cut) {
      std::vector<std::uint32_t> ends;  // pages by the number of the title; 0: redirects lead in a circle
      for (; next && next->cut == cut; next = answers.next()) {
        ends.resize(next->number + 1, kNotInDump);
        const auto end = redirects.follow(PageId{next->page});
        ends.back() = end ? end->page.value : 0;
      }
      records::RecordFile<PageLinks>::for_each(parts.path(cut, links::kLinksPart), [&](const PageLinks& of_page) {
        if ((++pages & 1023) == 0) context.stop.check();
        storage::LinkTargetRecord record;
        std::vector<bool> is_page;
        for (const auto number : of_page.targets) {
          is_page.push_back(number < ends.size() && ends[number] != kNotInDump);
          record.pages.push_back(PageId{is_page.back() ? ends[number] : 0});
        }
        const auto places = storage::decode_link_places(of_page.places, of_page.targets.size());
        context.progress.records += places.size();
        for (const auto& place : places) {
          ++(is_page.at(place.target) ? to_pages : elsewhere);
          const PageId end = record.pages[place.target];
          if (end.value == 0) continue;
          backlinks.add({end.value, of_page.page, place.paragraph});
          if (sources.empty() || sources.back().value != of_page.page) sources.push_back(PageId{of_page.page});
        }
        loader.add(Family::kLinkTarget, storage::page_key(PageId{of_page.page}), encode(record));
      });
    }
    if (pages > 0) report.counts["links"] = to_pages + elsewhere;
    if (to_pages > 0) report.counts["links to pages of the dump"] = to_pages;
    if (elsewhere > 0) report.counts["links to pages that are not in the dump"] = elsewhere;
    return sources;
  }

  static std::vector<PageId> merged(const std::vector<PageId>& a, const std::vector<PageId>& b) {
    std::vector<PageId> all;
    std::ranges::set_union(a, b, std::back_inserter(all));
    return all;
  }

  /// Adds the links of pagelinks between pages that were read, redirects followed.
  /// \return their sources, ascending
  static std::vector<PageId> add_table_links(WriteContext& context, const SqlTables& tables, const flow::Parts& parts,
                                             const RedirectMap& redirects, records::Sorter<Backlink>& backlinks,
                                             StageReport& report) {
    std::vector<PageId> read;
    parts.for_each<TitledPage>(links::kTitlesPart, [&](const TitledPage& page) {
      if (page.is_read) read.push_back(PageId{page.page});
    });
    std::sort(read.begin(), read.end());
    std::vector<bool> is_source(read.size());
    std::uint64_t from_others = 0;
    const auto counts = links::for_each_sql_link(
        tables, {context.scratch(), memory_of(context) / 2, [&] { return walk_titles(parts); }},
        [&](PageId source, PageId target) {
          const auto at = std::lower_bound(read.begin(), read.end(), source);
          if (at == read.end() || *at != source) {
            ++from_others;
            return;
          }
          const auto end = redirects.follow(target);
          if (!end) return;
          backlinks.add({end->page.value, source.value, links::kInTable});
          is_source[static_cast<std::size_t>(at - read.begin())] = true;
        });
    report.counts["rows of pagelinks"] = counts.rows;
    if (from_others > 0) report.counts["rows of pagelinks from pages that were not read"] = from_others;
    if (counts.unknown_numbers > 0)
      report.reject(LinkReject::kNoLinkTarget, fmt::format("{} rows", counts.unknown_numbers));
    std::size_t row = 0;
    std::erase_if(read, [&](PageId) { return !is_source[row++]; });
    return read;
  }

  static void write_aliases(const RedirectMap& redirects, storage::BulkLoader& loader, StageReport& report) {
    for (const auto page : redirects.circles()) report.reject(LinkReject::kCircle, fmt::format("page {}", page.value));
    for (const auto& [page, record] : redirects.aliases())
      loader.add(Family::kAlias, storage::page_key(page), encode(record));
  }
};

std::string files_fingerprint(const Settings& settings) {
  auto fingerprint = links::files_digest(settings.get<LinkOptions>().sql_dumps);
  if (const auto& wikidata = settings.get<WikidataOptions>().files; !wikidata.empty())
    fingerprint += links::files_digest(wikidata) + settings.get<TextOptions>().text_language;
  for (const auto property : settings.get<WikidataTopicsOptions>().properties())
    fingerprint += fmt::format(" P{}", property);
  return fingerprint;
}

}  // namespace

/// Most of the work is the merge, because a link can lead to any page and so needs the titles of all cuts.
flow::StageInfo link_stage() {
  return {
      .name = "link",
      .summary = "Resolve titles and redirects, invert links",
      .format_version = 3,
      .inputs = {flow::family(Family::kPage), flow::family(Family::kLink), flow::family(Family::kAttribute),
                 flow::meta(storage::kMetaSite)},
      .outputs = {flow::family(Family::kBacklink),  // of older versions, whose lists are removed
                  flow::family(Family::kBacklinkSource), flow::family(Family::kBacklinkList),
                  flow::family(Family::kBacklinkPlace), flow::family(Family::kAlias), flow::family(Family::kLinkTarget),
                  flow::family(Family::kEntity), flow::family(Family::kClass), flow::family(Family::kSqlPage)},
      .options = {flow::reads<LinkOptions>(), flow::reads<SqlPageOptions>(), flow::reads<WikidataOptions>(),
                  flow::reads_in_part<WikidataTopicsOptions>(), flow::reads_in_part<TextOptions>()},
      .progress_unit = "pages",
      .progress_records = "links",
      .make = flow::make_stage<LinkStage>,
      .is_cut = true,
      .extra_fingerprint = files_fingerprint,
      .shorthands = {{"--sql-dump", "link.sql_dumps",
                      "SQL dumps of the wiki's tables: pagelinks, linktarget, redirect, page_props, categorylinks, "
                      "langlinks, page",
                      "FILE", true, true},
                     {"--wikidata", "link.wikidata", "JSON dumps of Wikidata: items, other names and types of pages",
                      "FILE", true, true}}};
}

}  // namespace touchstone::pipeline::corpus
