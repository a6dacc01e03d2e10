#pragma once

#include "extractors/document.hpp"
#include "extractors/internal/expander.hpp"
#include "extractors/internal/html_tags.hpp"
#include "extractors/internal/table_grid.hpp"
#include "extractors/internal/text_builder.hpp"
#include "extractors/internal/tokens.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::internal {

/// Takes tags and text in the order of the page and keeps the element tree that a browser would build of them, as far
/// as it decides where text belongs; files the text as sections, blocks and table cells of a Document. Source:
/// html.spec.whatwg.org 13.2.6 (tree construction, read 2025-01), for the elements that wikitext allows.
class DocumentBuilder {
 public:
  DocumentBuilder(PageContext& context, Document& document);

  void open(Tag tag, std::string_view attributes);
  void close(Tag tag);

  /// Wikitext without markup: character references are decoded.
  void text(std::string_view text);
  /// The same as `text("\n")`.
  void newline();
  void literal(std::string_view text);
  void line_break();

  /// \param number  among the page's links; its strings are moved out when the text around it is done
  void begin_link(std::uint32_t number);
  void end_link();
  const FoundLink& link(std::uint32_t number) const noexcept { return context_.links[number]; }

  /// Closes everything that is open.
  void finish();

 private:
  struct OpenTable {
    Table table;
    TextBuilder caption;
    TextBuilder cell;
    WrittenCell written;
    std::vector<WrittenRow> rows;
    std::size_t number = 0;        // place among the page's tables
    std::size_t cell_emitted = 0;  // bytes of the open cell's text that Document::text has already
    std::size_t text_begin = 0;    // bytes of Document::text in front of it
    bool navigation = false;
    bool in_cell = false;
    bool in_caption = false;
  };
  enum class Place : std::uint8_t { kBlock, kCell, kCaption, kHeading, kLoose };

  bool has(Tag tag) const noexcept { return counts_[static_cast<std::size_t>(tag)] != 0; }
  void push(Tag tag);
  void pop();
  void pop_to(std::size_t index);
  std::optional<std::size_t> find_in_scope(Tag tag, bool list_item_scope) const noexcept;
  std::optional<std::size_t> find_table_part(Tag tag) const noexcept;
  void close_paragraph();
  void close_list_item(Tag tag);
  void clear_to_table(bool keep_row);
  void open_table(std::string_view attributes);
  void open_row();
  void open_cell(Tag tag, std::string_view attributes);
  void open_heading(Tag tag);
  void finish_heading();
  void finish_cell();
  void finish_table();
  void emit_cell();
  void move_links(Table& table);

  void boundary();
  void flush_block();
  void flush_loose();
  TextBuilder& target();
  Place find_place(bool& fostered) const noexcept;
  TextBuilder& start_text();
  void start_block();
  std::string list_marker() const;
  void emit_line(std::string_view text);
  std::uint32_t section() const noexcept { return static_cast<std::uint32_t>(document_.sections.size() - 1); }
  void settle_link(TextBuilder& builder);

  PageContext& context_;
  Document& document_;
  std::vector<Tag> stack_;
  std::vector<std::uint32_t> counts_;
  std::deque<OpenTable> tables_;
  TextBuilder block_, heading_, loose_;
  BlockKind block_kind_ = BlockKind::kParagraph;
  std::string block_marker_;
  std::uint32_t block_section_ = 0;
  bool block_open_ = false;
  bool block_bare_ = false;
  std::uint32_t heading_section_ = 0;
  std::uint32_t link_ = kNoLink;  // the open one
  bool link_pending_ = false;  // opened, but no builder holds it yet
  TextBuilder* cached_target_ = nullptr;
  Place cached_place_ = Place::kBlock;
  std::size_t cell_budget_;
};

}  // namespace touchstone::extractors::internal
