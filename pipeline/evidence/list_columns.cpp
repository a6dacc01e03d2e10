#include "pipeline/evidence/list_columns.hpp"

#include "common/unicode.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

using storage::CellRecord;
using storage::TableRecord;

bool is_empty(const CellRecord& cell) {
  return cell.missing || (cell.text.empty() && cell.links.empty());
}

/// Returns true if the row has a cell with content and all such cells are header cells.
bool all_headers(const TableRecord& table, std::uint32_t row) {
  bool any = false;
  for (std::uint32_t column = 0; column < table.columns; ++column) {
    const auto& cell = table.cell(row, column);
    if (is_empty(cell)) continue;
    if (!cell.header) return false;
    any = true;
  }
  return any;
}

bool mostly_headers(const TableRecord& table, std::uint32_t row) {
  std::uint32_t headers = 0, others = 0;
  for (std::uint32_t column = 0; column < table.columns; ++column) {
    const auto& cell = table.cell(row, column);
    if (!is_empty(cell)) ++(cell.header ? headers : others);
  }
  return headers > others;
}

/// A row whose first own cell reaches over the whole width, such as "Northern islands" between groups of rows.
bool is_separator(const TableRecord& table, std::uint32_t row) {
  const auto& first = table.cell(row, 0);
  if (first.column_span >= table.columns && table.columns > 1) return true;
  return first.header && first.column_span > 1;
}

/// Sets `cell`'s kind and target by the first link with a text of its own that leads to an article.
void take_first_article(const std::vector<storage::TextLink>& links, const std::vector<Title>& targets,
                        MemberCell& cell) {
  const auto link = std::find_if(links.begin(), links.end(), [&](const auto& candidate) {
    return candidate.end > candidate.begin && candidate.target < targets.size() && targets[candidate.target].ns == 0;
  });
  cell.kind = link == links.end() ? MemberCellKind::kNoArticle : MemberCellKind::kLink;
  if (link == links.end()) return;
  cell.target = targets[link->target];
  cell.link_begin = link->begin;
}

/// A row whose one cell reaches over the whole width, above the headers.
bool is_title_row(const TableRecord& table, std::uint32_t row) {
  return table.columns > 1 && table.cell(row, 0).column_span >= table.columns;
}

/// Articles in front of a name, in the languages that write them apart.
constexpr std::string_view kArticles[] = {"the", "a",  "an",  "le",  "la", "les", "der", "die",
                                          "das", "el", "los", "las", "il", "lo",  "os",  "as"};

/// Whether nothing but a date, a number or an article is in front of a link.
bool is_leading(std::string_view before, const headings::PhraseSet& dates) {
  constexpr std::string_view kSigns = " :,;.-()[]\"'/";
  std::string text(before);
  for (const std::string_view sign : {"–", "—", "“", "”", "„", "«", "»", "「", "『", "•", "·", "：", "（", "）"}) {
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign)) text.replace(at, sign.size(), " ");
  }
  text = lower_case(text::trimmed(text, kSigns));
  if (text.empty()) return true;
  const bool digits_only = text.find_first_not_of("0123456789 .,:/-#°%+") == std::string::npos;
  return digits_only || std::find(std::begin(kArticles), std::end(kArticles), text) != std::end(kArticles) ||
         dates.matches(text);
}

/// Takes the member of an item or line out of its text and links.
MemberCell item_of(const std::string& text, const std::vector<storage::TextLink>& links,
                   const std::vector<Title>& targets, const headings::PhraseSet& dates) {
  MemberCell found;
  found.text = text;
  if (text.empty()) {
    found.kind = MemberCellKind::kEmpty;
    return found;
  }
  take_first_article(links, targets, found);
  if (found.kind != MemberCellKind::kLink) return found;
  ByteCounter positions(found.text);
  const auto begin = positions.at_code_point(static_cast<std::uint32_t>(found.link_begin));
  if (is_leading(std::string_view(found.text).substr(0, begin), dates)) return found;
  found.kind = MemberCellKind::kNoArticle;
  found.target.reset();
  return found;
}

void number(std::vector<MemberCell>& cells) {
  for (std::uint32_t row = 0; row < cells.size(); ++row) cells[row].row = row;
}

std::size_t count_members(const std::vector<MemberCell>& cells) {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return cell.target.has_value(); }));
}

/// Whether a cell holds several links, and little text besides.
bool is_list_of_links(const CellRecord& cell) {
  constexpr std::size_t kLeastLinks = 2;
  constexpr double kLeastShare = 0.8;
  std::size_t linked = 0, links = 0;
  for (const auto& link : cell.links) {
    linked += link.end - link.begin;
    links += link.end > link.begin ? 1 : 0;
  }
  const auto blanks = static_cast<std::size_t>(std::count(cell.text.begin(), cell.text.end(), ' '));
  const auto points = count_code_points(cell.text);
  return links >= kLeastLinks && static_cast<double>(linked + blanks) >= kLeastShare * static_cast<double>(points);
}

/// What is between the links of a cell, at the level outside of parentheses.
struct Gap {
  std::string before, after;  ///< text on both sides of the last separator; without one, all of it is in `before`
  bool separates = false;     ///< a separator, or nothing but blanks or "and"
  bool comma = false;         ///< the separator is a comma
};

/// \param depth  parentheses that are open; updated
Gap read_gap(std::string_view text, bool first, int& depth) {
  constexpr std::string_view kJoins[] = {"", "and", "&", "or", "und", "et", "y", "e", "og", "och", "и", "i", "a", "+"};
  Gap gap;
  for (std::size_t at = 0; at < text.size();) {
    const auto start = at;
    const auto sign = next_code_point(text, at);
    const bool opens = sign == U'(' || sign == U'（' || sign == U'[',
               closes = sign == U')' || sign == U'）' || sign == U']';
    if (opens) ++depth;
    if (closes) depth = std::max(0, depth - 1);
    if (depth > 0 || closes) continue;
    if (std::u32string_view(U",;/|\n·•、，；").find(sign) == std::u32string_view::npos) {
      (gap.separates ? gap.after : gap.before) += text.substr(start, at - start);
      continue;
    }
    gap.comma = sign == U',' || sign == U'，';
    if (gap.separates) gap.before += gap.after;
    gap.after.clear();
    gap.separates = true;
  }
  if (depth > 0 || gap.separates) return gap;
  const auto word = lower_case(text::trimmed(gap.before));
  if (first) {
    gap.after = std::exchange(gap.before, {});
    gap.separates = true;
  } else if (std::find(std::begin(kJoins), std::end(kJoins), word) != std::end(kJoins)) {
    gap.before.clear();
    gap.separates = true;
  }
  return gap;
}

/// The items of one cell.
struct CellItems {
  std::vector<MemberCell> items;
  bool pair_with_comma = false;
};

/// \return  no items if the cell is not a list: text before a link or between items that describes
CellItems items_of(const CellRecord& cell, std::uint32_t row, const std::vector<Title>& targets,
                   const headings::PhraseSet& dates) {
  constexpr std::size_t kMostWords = 3;  // of an item besides its link
  CellItems found;
  ByteCounter positions(cell.text);
  std::size_t last_end = 0;
  int depth = 0;
  bool comma = false;
  for (const auto& link : cell.links) {
    if (link.end <= link.begin || link.target >= targets.size() || targets[link.target].ns != 0) continue;
    const auto begin = positions.at_code_point(link.begin);
    if (begin < last_end) return {};
    const auto gap = read_gap(std::string_view(cell.text).substr(last_end, begin - last_end), last_end == 0, depth);
    last_end = positions.at_code_point(link.end);
    if (text::count_words(gap.before) > kMostWords) return {};
    if (depth > 0 || !gap.separates) continue;
    if (!is_leading(gap.after, dates)) return {};
    comma |= gap.comma && !found.items.empty();
    found.items.push_back(
        {MemberCellKind::kLink, row, cell.text.substr(begin, last_end - begin), targets[link.target], 0});
  }
  if (text::count_words(read_gap(std::string_view(cell.text).substr(last_end), false, depth).before) > kMostWords)
    return {};
  found.pair_with_comma = comma && found.items.size() == 2;
  return found;
}

}  // namespace

void split_lists(const TableRecord& table, const std::vector<Title>& targets, const headings::PhraseSet& dates,
                 std::uint32_t column, std::vector<MemberCell>& cells) {
  constexpr std::size_t kLeastCells = 2, kLeastPart = 3;
  std::vector<MemberCell> split;
  std::size_t lists = 0, pairs = 0, filled = 0;
  for (const auto& cell : cells) {
    filled += cell.kind == MemberCellKind::kEmpty ? 0 : 1;
    auto found = items_of(table.cell(cell.row, column), cell.row, targets, dates);
    if (found.items.size() < 2) {
      split.push_back(cell);
      continue;
    }
    ++lists;
    pairs += found.pair_with_comma ? 1 : 0;
    std::move(found.items.begin(), found.items.end(), std::back_inserter(split));
  }
  if (lists >= kLeastCells && kLeastPart * lists >= filled && pairs < lists) cells = std::move(split);
}

std::uint32_t header_row_count(const TableRecord& table) {
  std::uint32_t first = 0;
  while (first < table.rows() && is_title_row(table, first)) ++first;
  auto rows = first;
  while (rows < table.rows() && all_headers(table, rows) && !(rows > first && is_separator(table, rows))) ++rows;
  if (rows == first && rows < table.rows() && mostly_headers(table, rows)) ++rows;
  return rows == first ? 0 : rows;
}

std::uint32_t content_row_count(const TableRecord& table, std::uint32_t header_rows) {
  std::uint32_t rows = 0;
  for (auto row = header_rows; row < table.rows(); ++row)
    rows += is_separator(table, row) || all_headers(table, row) ? 0 : 1;
  return rows;
}

std::string header_text(const TableRecord& table, std::uint32_t header_rows, std::uint32_t column) {
  std::string text, last;
  for (std::uint32_t row = 0; row < header_rows; ++row) {
    const auto& cell = table.cell(row, column);
    if (cell.text.empty() || cell.text == last) continue;
    if (cell.column_span >= table.columns && table.columns > 1) continue;  // a title across the table, not a header
    text += (text.empty() ? "" : " ") + cell.text;
    last = cell.text;
  }
  return text;
}

std::vector<MemberCell> member_cells(const TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                                     const std::vector<Title>& targets) {
  std::vector<MemberCell> cells;
  for (std::uint32_t row = header_rows; row < table.rows(); ++row) {
    const auto& cell = table.cell(row, column);
    if (cell.repeated || is_separator(table, row) || all_headers(table, row)) continue;
    MemberCell found;
    found.row = row;
    found.text = cell.text;
    if (is_empty(cell)) {
      found.kind = MemberCellKind::kEmpty;
    } else {
      take_first_article(cell.links, targets, found);
    }
    cells.push_back(std::move(found));
  }
  return cells;
}

std::vector<MemberCell> member_items(const storage::SectionTextRecord& section, const std::vector<Title>& targets,
                                     const headings::PhraseSet& dates) {
  std::map<std::size_t, std::vector<MemberCell>> levels;
  for (const auto& paragraph : section.paragraphs) {
    const bool item = paragraph.kind == storage::ParagraphKind::kListItem && !paragraph.list_marker.empty() &&
                      (paragraph.list_marker.back() == '*' || paragraph.list_marker.back() == '#');
    if (item) levels[paragraph.list_marker.size()].push_back(item_of(paragraph.text, paragraph.links, targets, dates));
  }
  const auto best = std::max_element(levels.begin(), levels.end(), [](const auto& a, const auto& b) {
    return count_members(a.second) < count_members(b.second);
  });
  if (best == levels.end()) return {};
  number(best->second);
  return std::move(best->second);
}

std::vector<MemberCell> member_links(const TableRecord& table, const std::vector<Title>& targets) {
  constexpr std::size_t kLeastCells = 2;
  std::vector<MemberCell> members;
  std::size_t lists = 0;
  if (header_row_count(table) > 0) return members;
  for (const auto& cell : table.cells) {
    if (cell.repeated || cell.missing || !is_list_of_links(cell)) continue;
    ++lists;
    for (const auto& link : cell.links) {
      MemberCell member;
      member.text = cell.text;
      take_first_article({link}, targets, member);
      members.push_back(std::move(member));
    }
  }
  if (lists < kLeastCells) return {};
  number(members);
  return members;
}

}  // namespace touchstone::pipeline::evidence
