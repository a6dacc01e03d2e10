#pragma once

#include "common/title.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors {

/// What made a link appear.
enum class LinkOrigin : std::uint8_t {
  kText,      ///< written as `[[...]]` in the page's own wikitext, including template arguments that are shown
  kTemplate,  ///< made by a template rule, such as {{sortname|..}} or {{ill|..}}: nobody wrote `[[...]]`
};

/// A link to a page of the same wiki.
struct Link {
  Title target;
  std::string fragment;     ///< section part, without '#'
  std::uint32_t begin = 0;  ///< anchor text: code points [begin, end) of the text that holds the link
  std::uint32_t end = 0;
  LinkOrigin origin = LinkOrigin::kText;
  bool shown = true;  ///< false for links that only count: in an image's alternative text, `link=` of an image
};

/// Text as a reader sees it: markup gone, white space folded to single spaces (paragraphs: no line breaks), NFC not
/// enforced. Offsets count Unicode code points.
struct RichText {
  std::string text;
  std::vector<Link> links;  ///< ascending by begin
};

/// A heading, or the lead (level 0, empty heading; always `sections[0]`).
struct Section {
  std::uint8_t level = 0;    ///< 1-6 as in `= h =` .. `====== h ======`
  std::uint32_t parent = 0;  ///< index of the enclosing section; 0 for top-level headings and the lead itself
  RichText heading;
  /// What links name the place by where the section begins: an id within the page, or `file#id` where the page is made
  /// of several files. Empty: none is known.
  std::string anchor = {};
};

/// Index of the section that a section of `level` belongs to, if it is put behind `sections`.
inline std::uint32_t enclosing_section(const std::vector<Section>& sections, std::uint8_t level) {
  auto above = static_cast<std::uint32_t>(sections.size() - 1);
  while (above > 0 && sections[above].level >= level) above = sections[above].parent;
  return above;
}

/// A note leads to other pages and says nothing itself: "Main article: ...".
enum class BlockKind : std::uint8_t { kParagraph, kListItem, kPreformatted, kNote };

/// A paragraph or list item of running text, outside tables, reference lists, galleries and image captions.
struct Block {
  BlockKind kind = BlockKind::kParagraph;
  std::uint32_t section = 0;  ///< index into Document::sections
  std::string list_marker;    ///< for list items, the markers of this item: "*", "#", "**", ";", ":" ...
  RichText content;
  /// Code points of the text at which a sentence lacks words, because a call that may show them is not known.
  /// Ascending.
  std::vector<std::uint32_t> gaps;
};

/// One position of a rectangular grid.
struct Cell {
  RichText content;
  std::uint32_t row_span = 1, column_span = 1;  ///< as clipped to the grid
  bool header = false;
  bool repeated = false;  ///< this position is covered by the span of a cell further up or left
  bool missing = false;   ///< no cell was written here (short row): padding
};

/// A table with row and column spans written out. cells[row][column]; all rows have the same length.
struct Table {
  std::uint32_t section = 0;
  std::uint32_t block = 0;  ///< number of blocks that begin in front of it
  std::uint16_t depth = 0;  ///< 0 for a table of the page, 1 for a table inside its cell, ...
  std::string css_class;
  RichText caption;
  std::vector<std::vector<Cell>> cells;

  std::size_t row_count() const noexcept { return cells.size(); }
  std::size_t column_count() const noexcept { return cells.empty() ? 0 : cells.front().size(); }
};

/// An image that the page shows: in a frame, in a line of text, in a cell, or in a gallery.
struct Image {
  std::uint32_t section = 0;  ///< index into Document::sections
  std::uint32_t block = 0;    ///< number of blocks that begin in front of it
  std::string file;           ///< title without its namespace; empty if it is not known
  /// The text below the image, or the one that a browser shows when the mouse is over it. Its links are among the
  /// other links of the page, or among those of the cell that holds the image.
  RichText caption;
};

/// A list item as the elements of the page nest.
struct ListItem {
  std::string_view tag;       ///< "li", "dt" or "dd"
  std::string_view list;      ///< "ul", "ol" or "dl"; empty for an item that is in no list
  std::uint32_t depth = 0;    ///< lists around it
  std::uint32_t section = 0;  ///< index into Document::sections
  std::string text;           ///< with that of the items below it
};

/// List items and paragraphs outside of tables and lists of footnotes, each with all text inside of it.
struct Flow {
  std::vector<ListItem> items;  ///< an item in front of those below it
  std::vector<std::string> paragraphs;
};

/// Why a value is not known: what it depends on is not in the dump, or is not computed.
enum class UnknownCause : std::uint8_t {
  kTemplate,   ///< a template that was dropped
  kModule,     ///< a Lua module; modules are not run
  kVariable,   ///< a property of the revision or of the running wiki
  kCount,      ///< a number of pages, users, edits or bytes
  kDate,       ///< the current date, if it is not given
  kMessage,    ///< an interface message that is not a page of the wiki
  kExistence,  ///< whether a page exists
  kStatement,  ///< a statement of Wikidata
  kLimit,      ///< a construct that exceeds the bounds of the reader
  kFunction,   ///< a parser function of an extension that is not computed here
};

/// By the number of the cause.
inline constexpr std::array<std::string_view, 10> kUnknownCauses = {
    "dropped template", "module",    "page variable",        "count",          "current date", "interface message",
    "existing page",    "statement", "bounds of the reader", "parser function"};

/// Things met while reading that a user may want to know of.
struct DocumentCounters {
  std::uint32_t templates_rendered = 0;  ///< by a rule
  std::uint32_t templates_silent = 0;    ///< by a rule that shows nothing
  std::uint32_t templates_dropped = 0;   ///< no rule, or a rule that could not render these arguments
  std::uint32_t limits_hit = 0;          ///< nesting or size bounds that made the reader give up on a construct
  std::uint64_t cells_left_out = 0;      ///< of tables that exceed the bound of cells
  /// Page variables, calls of parser functions and links that show nothing because of something unknown, by
  /// UnknownCause.
  std::array<std::uint32_t, kUnknownCauses.size()> unknown{};
  std::uint32_t call_errors = 0;  ///< calls for which MediaWiki shows an error message
};

/// What became of the calls of one template in text that is shown. Calls inside the arguments of a dropped one do not
/// count.
struct TemplateUse {
  std::uint32_t rendered = 0;  ///< by a rule, or from its page
  std::uint32_t dropped = 0;   ///< shown by nothing, though it may carry text
  /// Shown by nothing, and known to have no running text: boxes, notes, marks for editors, rules that show nothing.
  std::uint32_t aside = 0;
};

/// Everything that is extracted from one page's wikitext.
struct Document {
  std::optional<Title> redirect;  ///< target of `#REDIRECT [[...]]`
  std::string redirect_fragment;
  std::vector<Section> sections;  ///< at least the lead
  std::vector<Block> blocks;      ///< in page order
  std::vector<Table> tables;      ///< in page order, an outer table before its inner ones
  std::vector<Image> images;      ///< in page order, an outer image before those in its caption
  std::vector<Link> other_links;  ///< in references, captions, galleries, image maps, ...: no text, offsets 0
  std::vector<Title> categories;
  std::vector<std::string> templates_used;  ///< names as written, normalised as titles, without duplicates, sorted
  std::string text;                         ///< all visible text, one line a block, cell or heading; only on request
  Flow flow;                                ///< only on request, like `text`
  std::map<std::string, TemplateUse> template_uses;  ///< by title; only on request
  std::map<std::string, std::uint32_t> call_errors;  ///< MediaWiki's messages with their numbers; only on request
  DocumentCounters counters;
};

}  // namespace touchstone::extractors
