#pragma once

#include "extractors/document.hpp"
#include "extractors/wikitext/blocks/element_stack.hpp"
#include "extractors/wikitext/blocks/recorders.hpp"
#include "extractors/wikitext/blocks/table_grid.hpp"
#include "extractors/wikitext/blocks/text_builder.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::blocks {

/// Takes tags and text in page order and builds the element tree as a browser would, as far as it decides where text
/// belongs. Stores the text as sections, blocks and table cells of a Document. Source:
/// html.spec.whatwg.org 13.2.6 (tree construction, read 2025-01), for the elements that wikitext allows.
class DocumentBuilder {
 public:
  DocumentBuilder(tokens::TokenContext& context, Document& document);

  void open(tokens::Tag tag, std::string_view attributes);
  void close(tokens::Tag tag);

  /// Wikitext without markup: character references are decoded.
  void text(std::string_view text) {
    if (ready_ != nullptr) {
      ready_->append(text);
    } else {
      add_text(text);
    }
  }
  /// The same as `text("\n")`.
  void newline();
  void literal(std::string_view text);
  void line_break();
  /// The text lacks words here.
  void note_gap();
  /// Whether the list item that begins now is nothing but links to other sites, and so a note.
  void item_of_addresses(bool is) { item_of_addresses_ = is; }

  /// A formatting element opens or ends. This matters only for text between the cells of a table.
  void formatting(bool opens) noexcept {
    if (in_gap_) gap_.change_depth(opens);
  }
  /// Apostrophes that open or end italics (2), bold (3) or both (5).
  void apostrophes(std::uint32_t mark) noexcept {
    if (in_gap_) gap_.toggle(mark);
  }

  /// A link with the text `text` followed by `trail`. \param number  as for `begin_link`, or kNoLink
  void plain_link(std::uint32_t number, std::string_view text, std::string_view trail);

  /// \param number  among the page's links; its strings are moved out when the surrounding text is complete
  void begin_link(std::uint32_t number);
  void end_link();

  /// The text up to `end_image` is the caption of an image, wherever else it goes.
  ///
  /// \param number  among the page's images
  void begin_image(std::uint32_t number);
  void end_image() {
    images_.close();
    ready_ = nullptr;
  }
  const tokens::FoundImage& found_image(std::uint32_t number) const noexcept { return context_.images[number]; }
  const tokens::FoundLink& found_link(std::uint32_t number) const noexcept { return context_.links[number]; }
  /// For captions that are no text of the page.
  internal::ImageRecorder& open_images() noexcept { return images_; }

  std::string_view owned_text(std::uint32_t number) const noexcept { return context_.owned_texts[number]; }

  /// Closes everything that is open.
  void finish();

 private:
  struct OpenTable {
    Table table;
    internal::TextBuilder caption;
    internal::TextBuilder cell;
    internal::WrittenCell written;
    std::vector<internal::WrittenRow> rows;
    std::size_t number = 0;        // place among the page's tables
    std::size_t cell_emitted = 0;  // bytes of the open cell's text that Document::text has already
    std::size_t first_image = 0;   // images in front of it
    std::size_t text_begin = 0;    // bytes of Document::text in front of it
    std::string before;            // what Document::text gets there: text that was written between its cells
    bool navigation = false;
    bool in_cell = false;
    bool in_caption = false;
  };
  /// Text in a table outside of its cells. A browser moves it in front of the table: each run of text between two tags
  /// as a whole, unless it is blank.
  struct Gap {
    std::uint32_t depth = 0;  ///< open formatting elements, in which blanks stay
    std::uint32_t marks = 0;  ///< bits of open italics and bold
    bool run_has_text = false, run_has_blank = false;

    void end_run() noexcept { run_has_text = run_has_blank = false; }
    void change_depth(bool opens) noexcept {
      depth = opens ? depth + 1 : depth - (depth > 0);
      end_run();
    }
    void toggle(std::uint32_t mark) noexcept {
      marks ^= mark == 2 ? 1U : mark == 3 ? 2U : 3U;
      end_run();
    }
  };

  void add_text(std::string_view text);
  void push(tokens::Tag tag);
  void pop();
  void innermost_changed() noexcept;
  void forget_target() noexcept { cached_target_ = ready_ = nullptr; }
  void pop_to(std::size_t index);
  void close_paragraph();
  void close_list_item(tokens::Tag tag);
  void clear_to_table(bool keep_row);
  void open_table(std::string_view attributes);
  void open_row();
  void open_cell(tokens::Tag tag, std::string_view attributes);
  void open_heading(tokens::Tag tag);
  void finish_heading();
  void finish_caption(OpenTable& table);
  void finish_cell();
  void finish_table();
  void emit_cell(OpenTable& table, std::string& out);
  void put_aside(std::vector<Link>& links);
  void put_aside(Table& table);

  void boundary();
  void flush_block();
  void flush_loose();
  internal::TextBuilder& target();
  internal::TextBuilder& start_text();
  bool is_lost_blank(std::string_view text);
  internal::TextBuilder* flow_text();
  OpenTable* innermost_cell() noexcept;
  void start_block();
  void emit_line(std::string_view text);
  std::uint32_t section() const noexcept { return static_cast<std::uint32_t>(document_.sections.size() - 1); }
  std::uint32_t blocks_in_front() const noexcept {
    return static_cast<std::uint32_t>(document_.blocks.size() + (block_open_ && !block_.empty() ? 1 : 0));
  }
  void settle_link(internal::TextBuilder& builder);

  tokens::TokenContext& context_;
  Document& document_;
  internal::ElementStack elements_;
  std::deque<OpenTable> tables_;
  internal::TextBuilder block_, heading_, loose_, muted_;
  bool has_loose_ = false;  // `loose_` or `muted_` was used since they were flushed
  BlockKind block_kind_ = BlockKind::kParagraph;
  std::size_t note_ = 0;  ///< open elements up to the outermost note; 0: none is open
  std::string block_marker_;
  bool item_of_addresses_ = false;
  std::uint32_t block_section_ = 0;
  bool block_open_ = false;
  std::uint32_t heading_section_ = 0;
  std::uint32_t link_ = tokens::kNoLink;  // the open one
  bool link_pending_ = false;             // opened, but no builder holds it yet
  internal::TextBuilder* cached_target_ = nullptr;
  internal::TextBuilder* ready_ = nullptr;  // the target, while there is nothing to do but to append to it
  internal::TextPlace cached_place_ = internal::TextPlace::kBlock;
  std::optional<internal::FlowRecorder> flow_;  ///< on request
  internal::ImageRecorder images_;
  bool in_gap_ = false;  ///< the innermost element is a table or row
  Gap gap_;
  internal::GridBudget grid_budget_;
};

}  // namespace touchstone::extractors::wikitext::blocks
