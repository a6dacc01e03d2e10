#include "extractors/wikitext/blocks/document_builder.hpp"

#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::wikitext::blocks {
using namespace internal;
using namespace scan;
using namespace tokens;
namespace {

constexpr std::size_t kMaxOpenElements = 256;

/// Whether a <div> is a note that leads to other pages, by what wikis in all languages call it: its role, the class
/// that keeps it out of MediaWiki's own search index, or the class of such notes.
bool is_note(Tag tag, std::string_view attributes) {
  if (tag != Tag::kDiv || attributes.empty()) return false;
  if (attribute_value(attributes, "role") == "note") return true;
  bool note = false;
  for_each_part(attribute_value(attributes, "class"), ' ', [&](std::string_view name) {
    note = note || name == "hatnote" || name == "dablink" || name == "rellink" || name == "navigation-not-searchable";
  });
  return note;
}

}  // namespace

DocumentBuilder::DocumentBuilder(TokenContext& context, Document& document)
    : context_(context),
      document_(document),
      images_(document.images),
      grid_budget_{context.options.limits.max_table_cells, context.options.limits.max_repeated_bytes} {
  if (document_.sections.empty()) document_.sections.emplace_back();
  if (context.options.collect_text) flow_.emplace(document.flow);
}

void DocumentBuilder::push(Tag tag) {
  if (flow_ && !elements_.has(Tag::kReferences)) flow_->open(tag, section());
  elements_.push(tag);
  innermost_changed();
}

void DocumentBuilder::pop() {
  const Tag tag = elements_.innermost();
  if (!is_table_part(tag)) boundary();
  if (is_heading(tag)) finish_heading();
  if (is_cell(tag)) finish_cell();
  if (tag == Tag::kCaption && !tables_.empty()) {
    finish_caption(tables_.back());
    emit_line(tables_.back().table.caption.text);
    tables_.back().in_caption = false;
  }
  elements_.pop();
  if (elements_.size() < note_) note_ = 0;
  innermost_changed();
  if (tag == Tag::kTable) {
    finish_table();
    boundary();
  }
  if (flow_ && !elements_.has(Tag::kReferences)) flow_->close(tag);
}

void DocumentBuilder::innermost_changed() noexcept {
  forget_target();
  in_gap_ = !elements_.empty() && (elements_.innermost() == Tag::kTable || elements_.innermost() == Tag::kTr);
  gap_ = {};
}

void DocumentBuilder::pop_to(std::size_t index) {
  while (elements_.size() > index) pop();
}

void DocumentBuilder::close_paragraph() {
  if (const auto at = elements_.find_in_scope(Tag::kParagraph, false)) pop_to(*at);
}

/// A new list item ends the one before it, unless a list or another block is between.
void DocumentBuilder::close_list_item(Tag tag) {
  if (const auto at = elements_.find_item_to_end(tag)) pop_to(*at);
}

/// Closes what is open inside the innermost table, or inside its row.
void DocumentBuilder::clear_to_table(bool keep_row) {
  while (!elements_.empty() && elements_.innermost() != Tag::kTable && !(keep_row && elements_.innermost() == Tag::kTr))
    pop();
}

void DocumentBuilder::open(Tag tag, std::string_view attributes) {
  switch (tag) {
    case Tag::kNone:
    case Tag::kInline:
      return;
    case Tag::kBreak:
      line_break();
      return;
    case Tag::kRule:
      close_paragraph();
      boundary();
      if (flow_) flow_->end_bare_paragraph();
      return;
    case Tag::kTable:
      open_table(attributes);
      return;
    case Tag::kTr:
      open_row();
      return;
    case Tag::kTd:
    case Tag::kTh:
      open_cell(tag, attributes);
      return;
    case Tag::kCaption:
      if (tables_.empty()) return;
      clear_to_table(false);
      push(tag);
      tables_.back().in_caption = true;
      return;
    default:
      break;
  }
  if (elements_.size() >= kMaxOpenElements) {
    ++context_.counters.limits_hit;
    boundary();
    return;
  }
  if (is_list_item(tag)) close_list_item(tag);
  close_paragraph();
  boundary();
  if (is_heading(tag)) {
    open_heading(tag);
    return;
  }
  push(tag);
  if (note_ == 0 && is_note(tag, attributes)) note_ = elements_.size();
}

void DocumentBuilder::close(Tag tag) {
  if (tag == Tag::kNone || tag == Tag::kInline || tag == Tag::kBreak || tag == Tag::kRule) return;
  if (is_table_part(tag)) {
    if (const auto at = elements_.find_table_part(tag)) pop_to(*at);
    return;
  }
  if (is_heading(tag)) {
    for (std::size_t i = elements_.size(); i-- > 0 && !is_scope_barrier(elements_[i]);) {
      if (is_heading(elements_[i])) return pop_to(i);
    }
    return;
  }
  if (const auto at = elements_.find_in_scope(tag, tag == Tag::kLi)) {
    pop_to(*at);
  } else if (tag == Tag::kParagraph) {
    boundary();  // a stray </p> is an empty paragraph; other stray tags are nothing at all
  }
}

void DocumentBuilder::open_table(std::string_view attributes) {
  // A table cannot be in a table outside of cells: the outer one ends.
  for (std::size_t i = elements_.size(); i-- > 0;) {
    if (is_cell(elements_[i]) || elements_[i] == Tag::kCaption) break;
    if (elements_[i] == Tag::kTable) {
      pop_to(i);
      break;
    }
  }
  if (elements_.size() >= kMaxOpenElements || tables_.size() >= context_.options.limits.max_depth) {
    ++context_.counters.limits_hit;
    boundary();
    return;
  }
  close_paragraph();
  // Text right in the page is in a paragraph, which ends. Another block goes on: text between the cells joins it.
  if (elements_.empty() || elements_.innermost() == Tag::kBlockquote) boundary();
  push(Tag::kTable);
  tables_.emplace_back();
  OpenTable& table = tables_.back();
  table.table.section = section();
  table.table.block = blocks_in_front();
  table.first_image = document_.images.size();
  table.table.depth = static_cast<std::uint16_t>(tables_.size() - 1);
  table.table.css_class = decode_references(attribute_value(attributes, "class"));
  table.number = document_.tables.size();
  table.navigation = is_navigation(attributes);
  table.text_begin = document_.text.size();
  document_.tables.emplace_back();  // its place; filled when it ends
}

void DocumentBuilder::open_row() {
  if (tables_.empty()) return;
  clear_to_table(false);
  push(Tag::kTr);
  std::vector<WrittenRow>& rows = tables_.back().rows;
  const std::size_t width = rows.empty() ? 0 : rows.back().size();  // most rows are as long as the one before
  rows.emplace_back().reserve(width);
}

void DocumentBuilder::open_cell(Tag tag, std::string_view attributes) {
  if (tables_.empty()) return;
  clear_to_table(true);
  if (elements_.innermost() != Tag::kTr) open_row();
  push(tag);
  OpenTable& table = tables_.back();
  table.in_cell = true;
  table.written = {};
  table.written.header = tag == Tag::kTh;
  read_spans(attributes, table.written);
}

/// Of several captions the last is kept.
void DocumentBuilder::finish_caption(OpenTable& table) {
  settle_link(table.caption);
  put_aside(table.table.caption.links);
  table.table.caption = table.caption.take(context_.links);
}

void DocumentBuilder::finish_cell() {
  OpenTable& table = tables_.back();
  settle_link(table.cell);
  emit_cell(table, document_.text);
  table.cell_emitted = 0;
  table.in_cell = false;
  if (table.rows.empty()) table.rows.emplace_back();
  WrittenCell& cell = table.rows.back().emplace_back(table.written);
  cell.content = table.cell.take(context_.links);
}

void DocumentBuilder::finish_table() {
  OpenTable& open = tables_.back();
  flush_block();
  flush_loose();
  if (tables_.size() > 1 && tables_[tables_.size() - 2].in_cell) emit_cell(tables_[tables_.size() - 2], open.before);
  GridCut cut;
  open.table.cells = make_grid(std::move(open.rows), context_.options.limits.max_span, grid_budget_, cut);
  context_.counters.limits_hit += cut.clipped;
  context_.counters.cells_left_out += cut.cells;
  document_.tables[open.number] = std::move(open.table);
  if (open.navigation) {
    for (std::size_t i = open.number; i < document_.tables.size(); ++i) put_aside(document_.tables[i]);
    document_.tables.resize(open.number);
    images_.forget_from(open.first_image);
    document_.text.resize(std::min(document_.text.size(), open.text_begin));
  }
  document_.text.insert(std::min(document_.text.size(), open.text_begin), open.before);
  tables_.pop_back();
  forget_target();
}

/// Links whose text is not kept.
void DocumentBuilder::put_aside(std::vector<Link>& links) {
  for (Link& link : links) {
    link.begin = link.end = 0;
    document_.other_links.push_back(std::move(link));
  }
}

void DocumentBuilder::put_aside(Table& table) {
  put_aside(table.caption.links);
  for (auto& row : table.cells) {
    for (Cell& cell : row) {
      if (!cell.repeated) put_aside(cell.content.links);
    }
  }
}

void DocumentBuilder::open_heading(Tag tag) {
  if (!elements_.empty() && is_heading(elements_.innermost())) pop();
  push(tag);
  Section opened;
  opened.level = static_cast<std::uint8_t>(heading_level(tag));
  opened.parent = enclosing_section(document_.sections, opened.level);
  document_.sections.push_back(std::move(opened));
  heading_section_ = section();
}

void DocumentBuilder::finish_heading() {
  settle_link(heading_);
  RichText text = heading_.take(context_.links);
  OpenTable* cell = innermost_cell();
  if (cell != nullptr && cell->in_cell) {
    cell->cell.append_rich(text, context_.links);
    if (cell == &tables_.back()) emit_cell(*cell, document_.text);
  } else {
    emit_line(text.text);
  }
  const bool in_navigation =
      cell != nullptr && std::any_of(tables_.begin(), tables_.end(), [](const OpenTable& t) { return t.navigation; });
  if (in_navigation && heading_section_ == section()) {  // goes with its table, which is not kept
    document_.sections.pop_back();
    return;
  }
  document_.sections[heading_section_].heading = std::move(text);
}

/// Text between the cells of a table is in front of the table.
void DocumentBuilder::emit_line(std::string_view text) {
  if (!context_.options.collect_text || text.empty() || elements_.has(Tag::kReferences)) return;
  const bool in_gap = !tables_.empty() && !tables_.back().in_cell && !tables_.back().in_caption;
  (in_gap ? tables_.back().before : document_.text).append(text).push_back('\n');
}

/// The part of an open cell's text that Document::text does not have yet.
void DocumentBuilder::emit_cell(OpenTable& table, std::string& out) {
  if (!context_.options.collect_text || elements_.has(Tag::kReferences)) return;
  const std::string_view text = trim(table.cell.text().substr(table.cell_emitted));
  table.cell_emitted = table.cell.text().size();
  if (!text.empty()) out.append(text).push_back('\n');
}

/// The innermost table with an open cell or caption, if there is one.
DocumentBuilder::OpenTable* DocumentBuilder::innermost_cell() noexcept {
  if (tables_.empty()) return nullptr;
  const auto found =
      std::find_if(tables_.rbegin(), tables_.rend(), [](const OpenTable& t) { return t.in_cell || t.in_caption; });
  return found == tables_.rend() ? nullptr : &*found;
}

void DocumentBuilder::flush_block() {
  if (!block_open_) return;
  block_open_ = false;
  ready_ = nullptr;
  settle_link(block_);
  if (block_.empty()) {
    for (const ShownLink& shown : block_.links()) add_link(document_.other_links, context_.links[shown.number]);
    block_.clear();
    return;
  }
  std::vector<std::uint32_t> gaps = block_.gaps();
  Block& block = document_.blocks.emplace_back();
  block.kind = block_kind_;
  block.section = block_section_;
  block.list_marker = std::move(block_marker_);
  block.gaps = std::move(gaps);
  block.content = block_.take(context_.links);
  block_marker_.clear();
  emit_line(block.content.text);
}

void DocumentBuilder::flush_loose() {
  if (!has_loose_) return;
  has_loose_ = false;
  forget_target();
  for (TextBuilder* builder : {&loose_, &muted_}) {
    settle_link(*builder);
    if (builder->empty() && !builder->has_links()) continue;
    RichText text = builder->take(context_.links);
    put_aside(text.links);
    if (builder == &loose_) emit_line(text.text);
  }
}

/// A block element begins or ends here: text on both sides does not belong together.
void DocumentBuilder::boundary() {
  OpenTable* table = innermost_cell();
  const bool in_cell = table != nullptr && table == &tables_.back();
  if (!in_cell) {  // the block around a table goes on between its cells
    flush_block();
    flush_loose();
  }
  if (table != nullptr && table->in_cell) {
    if (in_cell) emit_cell(*table, document_.text);
    table->cell.space();
  }
  if (table != nullptr && table->in_caption) table->caption.space();
  heading_.space();
  if (images_.recording()) images_.caption().space();
}

void DocumentBuilder::finish() {
  end_link();
  pop_to(0);
  boundary();
  images_.close_all();
  if (flow_) flow_->end_bare_paragraph();
}

}  // namespace touchstone::extractors::wikitext::blocks
