#include "common/digest.hpp"
#include "common/error.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/column_kinds.hpp"
#include "pipeline/evidence/equal_groups.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/list_columns.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/headings/heading_words.hpp"
#include "pipeline/headings/index_heading.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using corpus::TitleIndex;
using flow::StageContext;
using flow::StageReport;
using storage::Family;

/// Why a column of a list page gives no group.
enum class ColumnReject : std::uint8_t { kDiscarded, kOtherHeader };

constexpr RejectReason kColumnRejects[] = {
    {"column discarded: "},  // the text goes on with the DiscardReason
    {"column not taken: its header does not match groups.header"},
};

const RejectReason& describe(ColumnReject reason) {
  return kColumnRejects[static_cast<std::size_t>(reason)];
}

constexpr std::size_t kTopicIdDigits = 12;

/// A column with the cells that its group is filled from.
struct ColumnDraft {
  Group group;
  std::vector<MemberCell> cells;
  std::string other_kind;  ///< why its members are of another kind than the list; empty if they are not
};

class GroupsStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store);
    HeaderPattern pattern(context.options<GroupsOptions>().header_for(titles.site().language));
    const auto words = headings::wiki_heading_words(titles.site().language);
    ColumnKinds kinds(titles.site().language);
    StageReport report;
    std::vector<Group> groups;
    const auto pages = list_pages(context, titles, report);
    context.progress.total = pages.size();
    for (const auto& [id, page] : pages) {
      context.stop.check();
      for (auto& draft : read_page(context, pattern, kinds, id, page, report)) {
        fill(context, titles, draft.cells, draft.group);
        discard_other_kind(draft);
        groups.push_back(std::move(draft.group));
      }
      ++context.progress.done;
    }
    for (auto& group : groups) discard_forbidden(group, words);
    merge_equal(groups);
    discard_equal_groups(groups, context.options<GroupsOptions>().max_overlap, words.copies);
    for (const auto& group : groups) {
      ++report.counts["columns"];
      if (group.kept()) {
        ++report.counts["groups"];
        report.counts["members"] += group.members.size();
      } else {
        report.reject(ColumnReject::kDiscarded,
                      group.structured + (group.detail.empty() ? "" : " (" + group.detail + ")"),
                      to_string(*group.discarded));
      }
    }
    if (report.counts["groups"] == 0) {
      report.warnings.push_back(
          pages.empty() ? "no list pages: no article title matches groups.list_prefixes; set it for this wiki"
                        : "no group was found; touchstone status shows why columns were not taken");
    }
    context.progress.records = groups.size();
    write_groups(context.output(kGroupsFile), groups);
    return report;
  }

 private:
  static std::map<PageId, std::string> list_pages(StageContext& context, const TitleIndex& titles,
                                                  StageReport& report) {
    const auto prefixes = context.options<GroupsOptions>().list_prefixes_for(titles.site().language);
    std::map<PageId, std::string> pages;
    for (const auto& prefix : prefixes) {
      auto cursor = context.store.cursor(Family::kTitle);
      const std::string_view start = prefix.starts_with('*') ? std::string_view{} : std::string_view(prefix);
      for (cursor.seek(storage::title_key(0, start)); cursor.valid(); cursor.next()) {
        const auto key = storage::read_title_key(cursor.key());
        if (!key || key->ns != 0 || !key->text.starts_with(start)) break;
        const auto id = storage::read_page_key(cursor.value());
        if (!id || !is_list_title(key->text, prefix)) continue;
        const auto page = titles.page(*id);
        if (page && !page->is_redirect) pages.emplace(*id, page->title.text);
      }
    }
    report.counts["list pages"] = pages.size();
    return pages;
  }

  static std::vector<ColumnDraft> read_page(StageContext& context, HeaderPattern& pattern, ColumnKinds& kinds,
                                            PageId id, const std::string& title, StageReport& report) {
    std::vector<ColumnDraft> drafts;
    std::string bytes;
    if (!context.store.get(Family::kOutline, storage::page_key(id), bytes)) return drafts;
    const auto outline = storage::decode_outline(bytes);
    storage::LinkRecord links;
    if (context.store.get(Family::kLink, storage::page_key(id), bytes)) links = storage::decode_links(bytes);
    const auto& options = context.options<GroupsOptions>();
    const auto wanted = [&](MemberSource source) {
      return std::find(options.sources.begin(), options.sources.end(), source) != options.sources.end();
    };
    for (std::uint32_t number = 0; wanted(MemberSource::kTable) && number < outline.table_count; ++number) {
      if (!context.store.get(Family::kTable, storage::page_part_key(id, number), bytes)) continue;
      const auto table = storage::decode_table(bytes);
      auto columns = wanted_columns(table, links.targets, pattern, title, report);
      if (options.columns == ColumnChoice::kSubject) kinds.mark(title, columns);
      for (auto& column : columns) {
        Group group = named_group(id, title, corpus::section_path(outline, table.section), std::move(column.header));
        group.tables = {number};
        add_draft(options.mode, {std::move(group), std::move(column.cells), std::move(column.other_kind)}, drafts);
      }
    }
    for (std::uint32_t section = 0; wanted(MemberSource::kListItem) && section < outline.sections.size(); ++section) {
      if (!context.store.get(Family::kParagraph, storage::page_part_key(id, section), bytes)) continue;
      auto cells = member_items(storage::decode_section_text(bytes), links.targets);
      if (cells.empty()) continue;
      Group group = named_group(id, title, corpus::section_path(outline, section), kListItemColumn);
      auto other_kind = options.columns == ColumnChoice::kSubject ? what_items_say(cells) : "";
      add_draft(options.mode, {std::move(group), std::move(cells), std::move(other_kind)}, drafts);
    }
    return drafts;
  }

  /// The columns of a table whose header matches.
  static std::vector<TableColumn> wanted_columns(const storage::TableRecord& table, const std::vector<Title>& targets,
                                                 HeaderPattern& pattern, const std::string& title,
                                                 StageReport& report) {
    std::vector<TableColumn> columns;
    const auto header_rows = header_row_count(table);
    std::string last_header;
    for (std::uint32_t column = 0; column < table.columns; ++column) {
      const auto header = header_text(table, header_rows, column);
      const bool covered =
          header_rows > 0 && column > 0 && header == last_header && table.cell(header_rows - 1, column).repeated;
      last_header = header;
      // A header over several columns names the first of them; the others hold what belongs to it.
      if (header.empty() || covered) continue;
      if (pattern.found_in(header))
        columns.push_back(table_column(table, header_rows, column, header, targets));
      else
        report.reject(ColumnReject::kOtherHeader, title + ": " + header);
    }
    return columns;
  }

  /// In lenient mode the parts of one list, such as its sections "A" and "B", are one column before it is decided
  /// whether that has enough members. In strict mode each column stands for itself.
  static void add_draft(GroupsMode mode, ColumnDraft draft, std::vector<ColumnDraft>& drafts) {
    const auto same = std::find_if(drafts.begin(), drafts.end(), [&](const auto& other) {
      return other.group.topic == draft.group.topic && other.other_kind.empty() == draft.other_kind.empty();
    });
    if (mode == GroupsMode::kStrict || same == drafts.end()) {
      drafts.push_back(std::move(draft));
      return;
    }
    auto& tables = same->group.tables;
    tables.insert(tables.end(), draft.group.tables.begin(), draft.group.tables.end());
    std::move(draft.cells.begin(), draft.cells.end(), std::back_inserter(same->cells));
  }

  static void discard_other_kind(ColumnDraft& draft) {
    if (draft.other_kind.empty() || !draft.group.kept()) return;
    draft.group.discarded = DiscardReason::kOtherKind;
    draft.group.detail = draft.other_kind;
  }

  /// Sections such as "See also" hold no members of the list, nor do the list items of sections such as "History".
  static void discard_forbidden(Group& group, const headings::HeadingWords& words) {
    const auto heading = std::find_if(group.section_path.begin(), group.section_path.end(), [&](const auto& text) {
      const bool innermost = &text == &group.section_path.back();
      return words.forbidden.matches(text) ||
             (innermost && group.column == kListItemColumn && words.prose.matches(text));
    });
    if (heading == group.section_path.end()) return;
    group.discarded = DiscardReason::kForbiddenHeading;
    group.detail = *heading;
  }

  static Group named_group(PageId id, const std::string& title, const std::vector<std::string>& path,
                           std::string column) {
    Group group;
    group.page = title;
    group.page_id = id;
    std::copy_if(path.begin(), path.end(), std::back_inserter(group.section_path),
                 [](const auto& heading) { return !headings::is_index_heading(heading); });
    group.column = std::move(column);
    group.structured = title;
    for (const auto& heading : group.section_path) group.structured += " » " + heading;
    group.structured += " » " + group.column;
    group.topic = sha256_hex(group.structured).substr(0, kTopicIdDigits);
    return group;
  }

  /// Resolves a column's cells and decides whether it is kept.
  static void fill(StageContext& context, const TitleIndex& titles, const std::vector<MemberCell>& cells,
                   Group& group) {
    const auto& config = context.options<GroupsOptions>();
    const bool strict = config.mode == GroupsMode::kStrict;
    std::set<PageId> seen;
    const auto discard = [&](DiscardReason reason, std::string detail) {
      if (group.discarded) return;
      group.discarded = reason;
      group.detail = std::move(detail);
    };
    std::uint64_t resolved_cells = 0;
    for (const auto& cell : cells) {
      ++group.cells;
      if (cell.kind == MemberCellKind::kEmpty) {
        ++group.empty_cells;
        if (strict) discard(DiscardReason::kEmptyCell, fmt::format("row {}", cell.row + 1));
        continue;
      }
      const auto page = cell.target ? titles.resolve(*cell.target) : std::nullopt;
      const bool is_article = page && page->page.title.ns == 0 && page->page.content == storage::PageContent::kRead &&
                              !page->page.is_disambiguation && page->id != group.page_id;
      if (!is_article) {
        ++group.unresolved_cells;
        if (strict) discard(DiscardReason::kCellWithoutArticle, fmt::format("row {}: {}", cell.row + 1, cell.text));
        continue;
      }
      ++resolved_cells;
      if (!seen.insert(page->id).second) continue;
      group.members.push_back({page->id, page->page.title.text, ""});
      std::string bytes;
      const auto sources = context.store.get(Family::kBacklink, storage::page_key(page->id), bytes)
                               ? storage::backlink_source_count(bytes)
                               : 0;
      if (sources > static_cast<std::uint64_t>(config.max_backlinks)) {
        discard(DiscardReason::kTooManyBacklinks, fmt::format("{}: {} articles", page->page.title.text, sources));
      }
    }
    const auto non_empty = group.cells - group.empty_cells;
    if (group.members.empty()) {
      discard(DiscardReason::kNoMember, fmt::format("{} cells, {} empty, {} without an article", group.cells,
                                                    group.empty_cells, group.unresolved_cells));
    }
    if (!strict) {
      if (group.members.size() < static_cast<std::size_t>(config.min_members)) {
        discard(DiscardReason::kTooFewMembers, fmt::format("{} of {} cells", group.members.size(), group.cells));
      } else if (static_cast<double>(resolved_cells) < config.min_resolved_ratio * static_cast<double>(non_empty)) {
        discard(DiscardReason::kTooFewArticles, fmt::format("{} of {} cells", resolved_cells, non_empty));
      }
    }
  }

  /// Columns with the same structured query are one information need: the kept ones become one group.
  static void merge_equal(std::vector<Group>& groups) {
    std::map<std::string, std::size_t> first_kept;
    std::vector<Group> merged;
    for (auto& group : groups) {
      const auto found = first_kept.find(group.topic);
      if (!group.kept() || found == first_kept.end()) {
        if (group.kept()) first_kept[group.topic] = merged.size();
        merged.push_back(std::move(group));
        continue;
      }
      Group& into = merged[found->second];
      if (into.structured != group.structured) {
        throw Error("two topics have the same id " + group.topic + ": \"" + into.structured + "\" and \"" +
                    group.structured + "\"; please report it");
      }
      into.tables.insert(into.tables.end(), group.tables.begin(), group.tables.end());
      into.cells += group.cells;
      into.empty_cells += group.empty_cells;
      into.unresolved_cells += group.unresolved_cells;
      for (auto& member : group.members) {
        const bool known = std::any_of(into.members.begin(), into.members.end(),
                                       [&](const auto& other) { return other.page == member.page; });
        if (!known) into.members.push_back(std::move(member));
      }
    }
    groups = std::move(merged);
  }
};

}  // namespace

flow::StageInfo groups_stage() {
  return {.name = "groups",
          .summary = "Find list tables and the members of their columns",
          .format_version = 4,
          .inputs = {flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kTitle),
                     flow::family(Family::kOutline), flow::family(Family::kParagraph), flow::family(Family::kTable),
                     flow::family(Family::kLink), flow::family(Family::kBacklink)},
          .outputs = {flow::file(kGroupsFile)},
          // The language decides how titles of list pages start.
          .options = {flow::reads<corpus::LanguageOptions>(), flow::reads<GroupsOptions>()},
          .progress_unit = "pages",
          .progress_records = "columns",
          .make = flow::make_stage<GroupsStage>,
          .topic_counts = {"groups"}};
}

}  // namespace touchstone::pipeline::evidence
