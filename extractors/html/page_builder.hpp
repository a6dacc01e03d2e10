#pragma once

#include "extractors/document.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::html {

/// Collects the text of one block: white space folded, offsets of links counted in code points.
class InlineText {
 public:
  /// Adds text as it is in the page. Bytes that are no UTF-8 become U+FFFD.
  void append(std::string_view text);
  /// Adds text of preformatted blocks: line ends and blanks stay.
  void append_as_written(std::string_view text);
  /// A blank, unless one is there.
  void blank() noexcept { blank_ = true; }

  /// Where a link that starts now begins.
  std::uint32_t length() const noexcept { return length_ + (blank_ && length_ > 0 ? 1U : 0U); }
  /// The text since `begin` links to `target`. Links without text have begin == end.
  void link(std::uint32_t begin, Link target);

  bool empty() const noexcept { return length_ == 0 && content_.links.empty(); }
  /// The content, links ascending; this object is empty afterwards.
  RichText take();

 private:
  void add(char32_t code_point);

  RichText content_;
  std::uint32_t length_ = 0;  ///< code points
  bool blank_ = false;        ///< white space was met behind the text
};

/// Finds the page that a link leads to.
class LinkResolver {
 public:
  virtual ~LinkResolver() = default;
  /// \param href  as written, percent signs included
  /// \return      nothing for links out of the source; begin and end are not set
  virtual std::optional<Link> resolve(std::string_view href) const = 0;
};

/// Fills a Document block by block, in the order of the page. Readers of HTML and of CNXML use it.
class PageBuilder {
 public:
  PageBuilder() { document_.sections.resize(1); }

  InlineText& text() noexcept { return text_; }

  /// Ends the running block. `kind` is that of the text since the last block.
  void flush(BlockKind kind = BlockKind::kParagraph, std::string_view list_marker = {});
  /// Begins a section. Levels out of 1 to 6 are brought into it.
  /// \param anchor  its id within the page; may be empty
  void open_section(int level, RichText heading, std::string anchor = {});
  void add_table(Table table);
  void add_image(std::string_view source, RichText caption);
  void add_other_links(const RichText& content);

  Document& document() noexcept { return document_; }
  Document take() && { return std::move(document_); }

 private:
  std::uint32_t section() const noexcept { return static_cast<std::uint32_t>(document_.sections.size() - 1); }

  Document document_;
  InlineText text_;
};

/// Takes the heading above all others out of the outline; what was in front of it and below it is the lead. Of several
/// headings of one level, the first one is above the others if the page has its title.
/// \param head_title  in the head of the page; may be empty
std::string take_title(Document& document, std::string_view head_title);

/// Turns rows of written cells into a rectangular grid with spans written out; at most kMaxCells cells.
class TableBuilder {
 public:
  void begin_row();
  void add_cell(Cell cell);
  /// \param left_out  grows by the cells beyond the bound
  Table take(std::uint64_t& left_out) &&;

 private:
  struct Written {
    std::size_t row;
    Cell cell;
  };
  std::vector<Written> cells_;
  std::size_t rows_ = 0;
};

}  // namespace touchstone::extractors::html
