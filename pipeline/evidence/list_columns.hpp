#pragma once

#include "storage/records.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Number of rows at the top of a table that hold headers: rows in which every cell that is not empty is a header cell.
/// A first row with more header cells than others counts as well.
std::uint32_t header_row_count(const storage::TableRecord& table);

/// Header text of a column: the distinct texts of its header rows from top to bottom, joined by a blank.
std::string header_text(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column);

/// What one cell below the header says about the column's members.
enum class MemberCellKind {
  kNoCell,     ///< no cell of this column begins here: a span, a separator row or a repeated header row covers it
  kEmpty,      ///< a cell without text and links
  kNoArticle,  ///< text, but no link to an article
  kLink,       ///< its first link to an article is `target`
};
struct MemberCell {
  MemberCellKind kind = MemberCellKind::kNoCell;
  std::uint32_t row = 0;
  std::string text;
  std::optional<Title> target;
  std::size_t link_begin = 0;  ///< where the link stands in the text, in code points
};

/// Cells of a column below its header, in row order, without kNoCell ones. Links without anchor text (of icons) and
/// links to other namespaces are ignored.
std::vector<MemberCell> member_cells(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                                     const std::vector<Title>& targets);

/// Bulleted and numbered items of a section, read as the cells of one column. The first link to an article in an item
/// is its member. `row` counts the items.
std::vector<MemberCell> member_items(const storage::SectionTextRecord& section, const std::vector<Title>& targets);

/// Why the links of list items are not what the list lists: in most items the first link stands in a sentence or in
/// parentheses, behind the words that the item is about ("Director - equal to the [[Sixth Rank]]"). Empty if they are.
/// A label ("1990: ", "Ostrand - ") directly in front of a link does not count.
std::string what_items_say(const std::vector<MemberCell>& cells);

}  // namespace touchstone::pipeline::evidence
