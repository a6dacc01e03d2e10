#include "extractors/wikitext/blocks/element_stack.hpp"

namespace touchstone::extractors::wikitext::blocks::internal {
using namespace tokens;

std::optional<std::size_t> ElementStack::find_in_scope(Tag tag, bool list_item_scope) const noexcept {
  if (!has(tag)) return std::nullopt;
  for (std::size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i] == tag) return i;
    if (is_scope_barrier(stack_[i])) return std::nullopt;
    if (list_item_scope && (stack_[i] == Tag::kUl || stack_[i] == Tag::kOl)) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::size_t> ElementStack::find_table_part(Tag tag) const noexcept {
  if (!has(tag)) return std::nullopt;
  for (std::size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i] == tag) return i;
    if (stack_[i] == Tag::kTable) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::size_t> ElementStack::find_item_to_end(Tag tag) const noexcept {
  const bool definition = tag != Tag::kLi;
  if (!has(Tag::kLi) && !has(Tag::kDt) && !has(Tag::kDd)) return std::nullopt;
  for (std::size_t i = stack_.size(); i-- > 0;) {
    const Tag open = stack_[i];
    if (definition ? (open == Tag::kDt || open == Tag::kDd) : open == Tag::kLi) return i;
    if (open != Tag::kDiv && open != Tag::kParagraph) return std::nullopt;
  }
  return std::nullopt;
}

/// Where text belongs in an element, by where it belongs around it. Text inside a table but in no cell is in front
/// of the table.
TextScope ElementStack::scope_in(Tag tag) const noexcept {
  if (is_heading(tag)) return {TextPlace::kHeading, false};
  if (tag == Tag::kReferences) return {TextPlace::kMuted, false};
  if (is_cell(tag)) return {TextPlace::kCell, false};
  if (tag == Tag::kCaption) return {TextPlace::kCaption, false};
  TextScope scope = this->scope();
  if (tag == Tag::kFigure && scope.place == TextPlace::kBlock) scope.place = TextPlace::kLoose;
  if (tag == Tag::kTable || tag == Tag::kTr) scope.fostered = true;
  return scope;
}

std::string ElementStack::list_marker() const {
  std::string marker;
  for (const Tag tag : stack_) {
    if (is_list(tag)) marker.push_back(tag == Tag::kUl ? '*' : tag == Tag::kOl ? '#' : ':');
    if ((tag == Tag::kDt || tag == Tag::kDd) && !marker.empty()) marker.back() = tag == Tag::kDt ? ';' : ':';
  }
  return marker;
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
