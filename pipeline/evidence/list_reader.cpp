#include "pipeline/evidence/list_reader.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/headings/index_heading.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

using storage::Family;

/// Why a column of a list page is not read.
enum class ColumnReject : std::uint8_t { kOtherHeader, kAttribute };

const RejectReason& describe(ColumnReject reason) {
  static constexpr RejectReason kReasons[] = {
      {"column not taken: its header does not match groups.header"},
      {"column not taken: it says something about what is listed, and has no links"},
  };
  return kReasons[static_cast<std::size_t>(reason)];
}

constexpr std::size_t kTopicIdDigits = 12;

std::size_t count_members(const ColumnDraft& draft) {
  return static_cast<std::size_t>(
      std::count_if(draft.cells.begin(), draft.cells.end(), [](const auto& cell) { return cell.target.has_value(); }));
}

/// A box beside or below a text, which leads to other pages or sums up its own.
bool is_box(const storage::TableRecord& table) {
  constexpr std::string_view kBoxes[] = {"navbox", "sidebar", "infobox", "metadata", "ambox", "mbox", "toc"};
  const auto css_class = " " + lower_case(table.css_class);
  return std::any_of(std::begin(kBoxes), std::end(kBoxes), [&](auto box) {
    const auto at = css_class.find(box);
    if (at == std::string::npos || (css_class[at - 1] != ' ' && css_class[at - 1] != '-')) return false;
    const auto end = at + box.size();
    return end == css_class.size() || css_class[end] == ' ' || css_class[end] == '-' || css_class[end] == '_';
  });
}

/// Puts a draft below the heading above its own.
void move_up(ColumnDraft& draft) {
  auto& group = draft.group;
  auto path = std::move(group.section_path);
  path.pop_back();
  auto moved = named_group({group.page, group.page_id, group.pages}, path, group.column);
  moved.subject = group.subject;
  moved.tables = std::move(group.tables);
  group = std::move(moved);
}

void append(ColumnDraft&& draft, ColumnDraft& into) {
  auto& tables = into.group.tables;
  tables.insert(tables.end(), draft.group.tables.begin(), draft.group.tables.end());
  std::move(draft.cells.begin(), draft.cells.end(), std::back_inserter(into.cells));
}

}  // namespace

Group named_group(const ListPages& list, const std::vector<std::string>& section_path, std::string column) {
  Group group;
  group.page = list.title;
  group.page_id = list.page;
  group.pages = list.pages;
  for (const auto& heading : section_path) {
    if (headings::is_index_heading(heading)) continue;
    const std::string whole(without_index_letters(heading));  // "Tools A–M" below "Tools"
    if (group.section_path.empty() || group.section_path.back() != whole) group.section_path.push_back(whole);
  }
  group.column = std::move(column);
  group.structured = list.title;
  for (const auto& heading : group.section_path) group.structured += " » " + heading;
  group.structured += " » " + group.column;
  group.topic = sha256_hex(group.structured).substr(0, kTopicIdDigits);
  return group;
}

ListReader::ListReader(const storage::Store& store, const corpus::TitleIndex& titles, const GroupsOptions& options,
                       std::vector<std::string> list_words, flow::StageReport& report)
    : store_(store),
      options_(options),
      report_(report),
      prefixes_(std::move(list_words)),
      english_(titles.site().language == "simple" || titles.site().language.starts_with("en")),
      words_(headings::wiki_heading_words(titles.site().language)),
      kinds_(titles.site().language) {
  const auto pattern = options.header_for(titles.site().language);
  if (!pattern.empty()) header_.emplace(pattern);
}

bool ListReader::wants(MemberSource source) const {
  return std::find(options_.sources.begin(), options_.sources.end(), source) != options_.sources.end();
}

std::vector<ColumnDraft> ListReader::read(const ListPages& list) {
  std::vector<ColumnDraft> drafts;
  for (const auto page : list.pages) read_page(list, page, drafts);
  if (options_.mode == GroupsMode::kLenient)
    join_siblings(std::string(without_list_words(list.title, prefixes_)), drafts);
  return drafts;
}

void ListReader::read_page(const ListPages& list, PageId page, std::vector<ColumnDraft>& drafts) {
  std::string bytes;
  if (!store_.get(Family::kOutline, storage::page_key(page), bytes)) return;
  const auto outline = storage::decode_outline(bytes);
  storage::LinkRecord links;
  if (store_.get(Family::kLink, storage::page_key(page), bytes)) links = storage::decode_links(bytes);
  read_tables(list, page, outline, links.targets, drafts);
  for (std::uint32_t section = 0; wants(MemberSource::kListItem) && section < outline.sections.size(); ++section) {
    if (!store_.get(Family::kParagraph, storage::page_part_key(page, section), bytes)) continue;
    auto cells = member_items(storage::decode_section_text(bytes), links.targets, words_.dates);
    if (cells.empty()) continue;
    add({named_group(list, passages::section_path(outline, section), kListItemColumn), std::move(cells), {}, {}},
        drafts);
  }
}

void ListReader::read_tables(const ListPages& list, PageId page, const storage::OutlineRecord& outline,
                             const std::vector<Title>& targets, std::vector<ColumnDraft>& drafts) {
  std::string bytes;
  for (std::uint32_t number = 0; number < outline.table_count; ++number) {
    if (!store_.get(Family::kTable, storage::page_part_key(page, number), bytes)) continue;
    const auto table = storage::decode_table(bytes);
    if (is_box(table)) continue;
    const auto path = passages::section_path(outline, table.section);
    if (wants(MemberSource::kListItem)) {
      if (auto cells = member_links(table, targets); !cells.empty())
        add({named_group(list, path, kListItemColumn), std::move(cells), {}, {}}, drafts);
    }
    if (!wants(MemberSource::kTable)) continue;
    auto columns = wanted_columns(table, targets, list.title);
    if (by_subject()) kinds_.mark(surroundings(list.title, path), columns);
    const auto headers = telling_headers(columns);
    for (auto& column : columns) {
      if (!column.other_kind.empty() && column.linked_articles == 0) {
        report_.reject(ColumnReject::kAttribute, list.title + ": " + column.header);
        continue;
      }
      Group group = named_group(list, path, std::move(column.header));
      group.subject = by_subject() && column.other_kind.empty();
      group.tables = {number};
      add({std::move(group), std::move(column.cells), std::move(column.other_kind), headers}, drafts);
    }
  }
}

/// The headers of a table that say more than something of what it lists, to tell tables of one form.
std::string ListReader::telling_headers(const std::vector<TableColumn>& columns) const {
  std::string headers;
  for (const auto& column : columns) {
    if (!words_.attributes.matches(column.header) && !words_.forbidden.matches(column.header))
      headers += lower_case(column.header) + "\n";
  }
  return headers;
}

ColumnKinds::Surroundings ListReader::surroundings(const std::string& title,
                                                   const std::vector<std::string>& path) const {
  const auto listed = without_list_words(title, prefixes_);
  ColumnKinds::Surroundings around{listed.empty() ? title : std::string(listed), "", title, !listed.empty()};
  for (const auto& heading : path) {
    around.said += " " + heading;
    const bool names = !headings::is_index_heading(heading) && !words_.dates.matches(heading) &&
                       !words_.ordering.matches(heading) && !words_.miscellaneous.matches(heading);
    if (names) around.heading = heading;
  }
  return around;
}

/// The columns of a table that the options ask for. Without an expression for headers these are all with a header.
std::vector<TableColumn> ListReader::wanted_columns(const storage::TableRecord& table,
                                                    const std::vector<Title>& targets, const std::string& title) {
  std::vector<TableColumn> columns;
  const auto header_rows = header_row_count(table);
  const auto* item_dates = by_subject() && options_.mode == GroupsMode::kLenient ? &words_.dates : nullptr;
  std::string last_header;
  for (std::uint32_t column = 0; column < table.columns; ++column) {
    const auto header = header_text(table, header_rows, column);
    const bool covered =
        header_rows > 0 && column > 0 && header == last_header && table.cell(header_rows - 1, column).repeated;
    last_header = header;
    // A header over several columns names the first of them; the others hold what belongs to it.
    if (header.empty() || covered) continue;
    if (!header_ || header_->found_in(header))
      columns.push_back(table_column(table, header_rows, column, header, targets, item_dates));
    else
      report_.reject(ColumnReject::kOtherHeader, title + ": " + header);
  }
  return columns;
}

/// In lenient mode the parts of one list, such as its sections "A" and "B", are one column before it is decided whether
/// that has enough members. In strict mode each column represents itself.
void ListReader::add(ColumnDraft draft, std::vector<ColumnDraft>& drafts) const {
  const auto same = std::find_if(drafts.begin(), drafts.end(), [&](const auto& other) {
    return other.group.topic == draft.group.topic && other.other_kind.empty() == draft.other_kind.empty();
  });
  if (options_.mode == GroupsMode::kStrict || same == drafts.end())
    drafts.push_back(std::move(draft));
  else
    append(std::move(draft), *same);
}

namespace {

/// Sections below one heading whose tables have one header, or that hold items.
struct Siblings {
  std::set<std::vector<std::string>> sections;
  std::size_t small = 0;                       ///< with too few members each to be groups
  std::size_t members = 0, small_members = 0;  ///< of all, of the small ones
  std::size_t unnamed = 0;                     ///< whose headings mean nothing alone: "1990s", "Other"
  bool above = false;                          ///< the heading above has a part of the list itself
};

using Place = std::tuple<std::vector<std::string>, std::string, std::string>;

Place place_of(const ColumnDraft& draft) {
  auto above = draft.group.section_path;
  above.pop_back();
  return {std::move(above), lower_case(draft.group.column), draft.headers};
}

}  // namespace

/// Whether a draft may be part of a list that other sections hold as well.
bool ListReader::may_join(const ColumnDraft& draft, std::size_t depth) const {
  if (draft.group.section_path.size() != depth || !draft.other_kind.empty()) return false;
  const auto& heading = draft.group.section_path.back();
  return !words_.forbidden.matches(heading) && !words_.navigation.matches(heading) && !words_.prose.matches(heading);
}

/// Whether a page's title or the headings above say what the sections below them list.
bool ListReader::says_what(const ColumnDraft& draft, const std::string& listed) {
  const auto& path = draft.group.section_path;
  const auto sorts = [&](const std::string& heading) { return words_.ordering.matches(heading); };
  const auto tells = std::find_if_not(path.rbegin() + 1, path.rend(), sorts);
  const auto& above = tells == path.rend() ? draft.group.page : *tells;
  if (!listed.empty() || (english_ && names_things(above))) return true;
  std::string said = draft.group.page;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) said += " " + path[i];
  return draft.group.column != kListItemColumn && kinds_.is_said(draft.group.column, said);
}

/// Sibling sections with one header are parts of one list if their headings mean nothing alone, or if half of them or
/// more, with a quarter of the members, are too small to be alone and title or headings say what they list. Then all
/// of them are joined below the heading above, from the innermost outwards. What is called "Other" belongs to the list
/// directly below the heading above; beside sections that are alone it is not a topic.
void ListReader::join_siblings(const std::string& listed, std::vector<ColumnDraft>& drafts) {
  std::size_t depth = 0;
  for (const auto& draft : drafts) depth = std::max(depth, draft.group.section_path.size());
  for (; depth > 0; --depth) {
    std::map<Place, Siblings> places;
    for (const auto& draft : drafts) {
      if (draft.group.section_path.size() + 1 == depth && draft.other_kind.empty())
        places[{draft.group.section_path, lower_case(draft.group.column), draft.headers}].above = true;
      if (!may_join(draft, depth)) continue;
      auto& siblings = places[place_of(draft)];
      if (!siblings.sections.insert(draft.group.section_path).second) continue;
      const auto& heading = draft.group.section_path.back();
      const bool rest = words_.miscellaneous.matches(heading);
      siblings.unnamed += rest || words_.dates.matches(heading) ? 1 : 0;
      const auto members = count_members(draft);
      const bool small = members < static_cast<std::size_t>(options_.min_members);
      siblings.members += members;
      siblings.small += small ? 1 : 0;
      siblings.small_members += small ? members : 0;
    }
    std::vector<ColumnDraft> joined;
    for (auto& draft : drafts) {
      if (may_join(draft, depth)) {
        const auto& siblings = places.at(place_of(draft));
        const auto count = siblings.sections.size();
        const bool mostly_small = 2 * siblings.small >= count && 4 * siblings.small_members >= siblings.members;
        const bool parts = siblings.unnamed == count || (mostly_small && says_what(draft, listed));
        const bool rest = words_.miscellaneous.matches(draft.group.section_path.back());
        if ((count > 1 && parts) || (rest && siblings.above))
          move_up(draft);
        else if (rest && count > 1)
          draft.other_kind = "the rest of a list whose other sections are topics of their own";
      }
      add(std::move(draft), joined);
    }
    drafts = std::move(joined);
  }
}

}  // namespace touchstone::pipeline::evidence
