#pragma once

#include "pipeline/headings/phrase_set.hpp"
#include "storage/records.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Number of rows at the top of a table that hold headers: rows in which every cell that is not empty is a header cell.
/// A first row with more header cells than others counts as well, and so do rows above the headers whose one cell
/// reaches over the whole width: they are titles of the table.
std::uint32_t header_row_count(const storage::TableRecord& table);

/// Rows below the headers that say something of one thing: not those that part groups of rows or repeat the headers.
std::uint32_t content_row_count(const storage::TableRecord& table, std::uint32_t header_rows);

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
  std::size_t link_begin = 0;  ///< where the link is in the text, in code points
};

/// Cells of a column below its header, in row order, without kNoCell ones. Links without anchor text (of icons) and
/// links to other namespaces are ignored.
std::vector<MemberCell> member_cells(const storage::TableRecord& table, std::uint32_t header_rows, std::uint32_t column,
                                     const std::vector<Title>& targets);

/// Bulleted and numbered items of a section, read as the cells of one column. The member of an item is the link to an
/// article at its beginning, behind dates, numbers and articles at most ("3 May 1990: [[Amber]]"); an item with words
/// in front of its first link is about something else. Where items have items below them, those of the level with the
/// most such links are read. `row` counts the items. \param dates  what is a date in the wiki's language
std::vector<MemberCell> member_items(const storage::SectionTextRecord& section, const std::vector<Title>& targets,
                                     const headings::PhraseSet& dates);

/// Takes apart the cells of a column that hold lists ("Amber, Basil", one name a line): each item becomes a cell of its
/// own, whose member is the link at its beginning. A column has lists if a third of its cells, and two at least, have
/// several items with little text besides; pairs with a comma ("Amber, Ostrand") are one name and where it is.
void split_lists(const storage::TableRecord& table, const std::vector<Title>& targets, const headings::PhraseSet& dates,
                 std::uint32_t column, std::vector<MemberCell>& cells);

/// The links in the cells of a table without headers, which only sets out a list in columns, each read like an item.
/// Nothing if fewer than two of its cells hold several links and little else.
std::vector<MemberCell> member_links(const storage::TableRecord& table, const std::vector<Title>& targets);

}  // namespace touchstone::pipeline::evidence
