#pragma once

#include "extractors/document.hpp"
#include "extractors/html/inline_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::html {

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
  void open_section(int level, RichText heading);
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
