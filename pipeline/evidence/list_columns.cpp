#include "pipeline/evidence/list_columns.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

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

/// Words with a letter or sign of a script other than Latin; long runs without blanks count as several.
std::size_t count_words(std::string_view text) {
  constexpr std::size_t kLongestWord = 24;
  std::size_t words = 0, bytes = 0;
  const auto flush = [&] {
    words += bytes == 0 ? 0 : 1 + bytes / kLongestWord;
    bytes = 0;
  };
  for (const char c : text) {
    if (c == ' ')
      flush();
    else if (static_cast<unsigned char>(c) >= 0x80 || std::isalpha(static_cast<unsigned char>(c)))
      ++bytes;
  }
  flush();
  return words;
}

bool ends_with_label(std::string_view before) {
  before = before.substr(0, before.find_last_not_of(' ') + 1);
  return before.ends_with(':') || before.ends_with("：") || before.ends_with('-') || before.ends_with("–") ||
         before.ends_with("—");
}

/// Whether the item's link stands behind words that the item is about.
bool stands_behind_subject(const MemberCell& cell) {
  constexpr std::size_t kMostWords = 2;  // "Mount [[Amber]]", "The [[Amber]]"
  ByteCounter positions(cell.text);
  const auto before =
      std::string_view(cell.text).substr(0, positions.at_code_point(static_cast<std::uint32_t>(cell.link_begin)));
  const auto words = count_words(before);
  if (words == 0 || ends_with_label(before)) return false;
  const auto open = std::max(before.rfind('(') + 1, before.rfind("（") + 1);
  const auto close = std::max(before.rfind(')') + 1, before.rfind("）") + 1);
  return words > kMostWords || open > std::max<std::size_t>(close, 1);
}

}  // namespace

std::uint32_t header_row_count(const TableRecord& table) {
  std::uint32_t rows = 0;
  while (rows < table.rows() && all_headers(table, rows) && !(rows > 0 && is_separator(table, rows))) ++rows;
  if (rows == 0 && table.rows() > 0 && mostly_headers(table, 0)) rows = 1;
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

std::vector<MemberCell> member_items(const storage::SectionTextRecord& section, const std::vector<Title>& targets) {
  std::vector<MemberCell> cells;
  for (const auto& paragraph : section.paragraphs) {
    const bool item = paragraph.kind == storage::ParagraphKind::kListItem && !paragraph.list_marker.empty() &&
                      (paragraph.list_marker.back() == '*' || paragraph.list_marker.back() == '#');
    if (!item) continue;
    MemberCell found;
    found.row = static_cast<std::uint32_t>(cells.size());
    found.text = paragraph.text;
    if (paragraph.text.empty()) {
      found.kind = MemberCellKind::kEmpty;
    } else {
      take_first_article(paragraph.links, targets, found);
    }
    cells.push_back(std::move(found));
  }
  return cells;
}

std::string what_items_say(const std::vector<MemberCell>& cells) {
  constexpr std::size_t kLeast = 3;
  std::size_t linked = 0, behind = 0;
  for (const auto& cell : cells) {
    if (!cell.target) continue;
    ++linked;
    behind += stands_behind_subject(cell);
  }
  if (linked < kLeast || behind * 2 <= linked) return {};
  return fmt::format("in {} of {} items the link stands behind what the item is about", behind, linked);
}

}  // namespace touchstone::pipeline::evidence
