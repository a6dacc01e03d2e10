// DocumentBuilder: where text and links go.
#include "extractors/wikitext/blocks/document_builder.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::wikitext::blocks {
using namespace internal;
using tokens::kNoLink;
using tokens::Tag;
namespace {

bool is_html_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

}  // namespace

TextBuilder& DocumentBuilder::target() {
  if (cached_target_ != nullptr) return *cached_target_;
  cached_place_ = elements_.scope().place;
  switch (cached_place_) {
    case TextPlace::kHeading:
      cached_target_ = &heading_;
      break;
    case TextPlace::kLoose:
      has_loose_ = true;
      cached_target_ = &loose_;
      break;
    case TextPlace::kMuted:
      has_loose_ = true;
      cached_target_ = &muted_;
      break;
    case TextPlace::kCell:
    case TextPlace::kCaption: {
      // Text that was moved in front of a table belongs to a cell further out.
      OpenTable* table = elements_.scope().fostered ? innermost_cell() : nullptr;
      if (table == nullptr) table = &tables_.back();
      cached_target_ = cached_place_ == TextPlace::kCell ? &table->cell : &table->caption;
      break;
    }
    case TextPlace::kBlock:
      cached_target_ = &block_;
      break;
  }
  return *cached_target_;
}

void DocumentBuilder::start_block() {
  block_open_ = true;
  block_section_ = section();
  block_kind_ = BlockKind::kParagraph;
  block_marker_.clear();
  if (elements_.has(Tag::kPre)) {
    block_kind_ = BlockKind::kPreformatted;
  } else if (elements_.has(Tag::kLi) || elements_.has(Tag::kDd) || elements_.has(Tag::kDt)) {
    block_kind_ = item_of_addresses_ ? BlockKind::kNote : BlockKind::kListItem;
    block_marker_ = elements_.list_marker();
  } else if (note_ > 0) {
    block_kind_ = BlockKind::kNote;
  }
  block_.keep_lines(block_kind_ == BlockKind::kPreformatted);
}

/// Where text that comes now goes; its block and link begin if they have not yet.
TextBuilder& DocumentBuilder::start_text() {
  TextBuilder& builder = target();
  if (&builder == &block_ && !block_open_) start_block();
  if (link_pending_) {
    builder.begin_link();
    link_pending_ = false;
  }
  if (!in_gap_ && !flow_ && !images_.recording()) ready_ = &builder;
  return builder;
}

/// True for blanks between the cells of a table that belong to no text: those of runs that have nothing else.
bool DocumentBuilder::is_lost_blank(std::string_view text) {
  if (gap_.depth > 0 || gap_.marks != 0 || gap_.run_has_text) return false;
  if (std::all_of(text.begin(), text.end(), is_html_blank)) {
    gap_.run_has_blank = true;
    return true;
  }
  gap_.run_has_text = true;
  if (gap_.run_has_blank) {
    start_text().space();
    if (TextBuilder* flow = flow_ ? flow_text() : nullptr) flow->space();
  }
  return false;
}

/// The builder of the flow's text at this place; null in cells. \pre the flow is recorded
TextBuilder* DocumentBuilder::flow_text() {
  target();
  const bool apart = cached_place_ == TextPlace::kMuted || cached_place_ == TextPlace::kCell ||
                     cached_place_ == TextPlace::kCaption ||
                     (cached_place_ == TextPlace::kHeading && innermost_cell() != nullptr);
  return apart ? nullptr : &flow_->text();
}

void DocumentBuilder::add_text(std::string_view text) {
  if (text.empty() || (in_gap_ && is_lost_blank(text))) return;
  start_text().append(text);
  if (TextBuilder* flow = flow_ ? flow_text() : nullptr) flow->append(text);
  if (images_.recording()) images_.caption().append(text);
}

void DocumentBuilder::newline() {
  gap_.marks = 0;  // italics and bold end with their line
  if (in_gap_ && is_lost_blank("\n")) return;
  start_text().newline();
  if (TextBuilder* flow = flow_ ? flow_text() : nullptr) flow->space();
  if (images_.recording()) images_.caption().space();
}

void DocumentBuilder::literal(std::string_view text) {
  if (text.empty() || (in_gap_ && is_lost_blank(text))) return;
  start_text().append_literal(text);
  if (TextBuilder* flow = flow_ ? flow_text() : nullptr) flow->append_literal(text);
  if (images_.recording()) images_.caption().append_literal(text);
}

void DocumentBuilder::line_break() {
  if (in_gap_) gap_.end_run();
  target().append_literal(elements_.has(Tag::kPre) ? "\n" : " ");
  if (TextBuilder* flow = flow_ ? flow_text() : nullptr) flow->space();
  if (images_.recording()) images_.caption().space();
}

void DocumentBuilder::note_gap() {
  if (TextBuilder& builder = target(); &builder == &block_) block_.note_gap();
}

void DocumentBuilder::plain_link(std::uint32_t number, std::string_view shown, std::string_view trail) {
  if (in_gap_ || flow_.has_value() || link_ != kNoLink || images_.recording()) {
    formatting(true);
    if (number != kNoLink) begin_link(number);
    text(shown);
    text(trail);
    end_link();
    formatting(false);
    return;
  }
  TextBuilder& builder = ready_ != nullptr ? *ready_ : start_text();
  if (number != kNoLink) builder.begin_link();
  builder.append(shown);
  if (!trail.empty()) builder.append(trail);
  if (number != kNoLink) builder.end_link(number);
}

void DocumentBuilder::begin_link(std::uint32_t number) {
  end_link();
  link_ = number;
  link_pending_ = true;
  ready_ = nullptr;
  if (images_.recording()) images_.begin_link(context_.links[number]);
}

void DocumentBuilder::begin_image(std::uint32_t number) {
  ready_ = nullptr;
  if (elements_.has(Tag::kReferences)) {
    images_.open_unseen();
  } else {
    images_.open({section(), blocks_in_front(), context_.images[number].file, {}});
  }
}

void DocumentBuilder::end_link() {
  if (link_ == kNoLink) return;
  const std::uint32_t number = std::exchange(link_, kNoLink);
  if (images_.recording()) images_.end_link();
  TextBuilder& builder = target();
  if (link_pending_) {  // no text at all
    link_pending_ = false;
    if (&builder == &block_ && !block_open_) start_block();
    builder.begin_link();
  }
  if (builder.in_link()) {
    builder.end_link(number);
  } else {
    add_link(document_.other_links, context_.links[number]);
  }
}

/// A part of the page ends while a link is open: the link ends with it, or goes on in the next part when it has no text
/// yet.
void DocumentBuilder::settle_link(TextBuilder& builder) {
  if (!builder.in_link()) return;
  if (link_ != kNoLink && builder.link_has_text()) {
    builder.end_link(std::exchange(link_, kNoLink));
  } else {
    builder.cancel_link();
    link_pending_ = link_ != kNoLink;
    ready_ = nullptr;
  }
}

}  // namespace touchstone::extractors::wikitext::blocks
