#pragma once

#include "extractors/wikitext/tokens/html_tags.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::extractors::wikitext::blocks::internal {

/// Elements that end the search for an open paragraph or block.
constexpr bool is_scope_barrier(tokens::Tag tag) noexcept {
  return tag == tokens::Tag::kTable || tokens::is_cell(tag) || tag == tokens::Tag::kCaption;
}

/// Where text goes.
enum class TextPlace : std::uint8_t { kMuted, kBlock, kCell, kCaption, kHeading, kLoose };

struct TextScope {
  TextPlace place = TextPlace::kBlock;
  bool fostered = false;  ///< moved in front of a table
};

/// The open elements of a page, outermost first, and what they mean for the text in them.
class ElementStack {
 public:
  void push(tokens::Tag tag) {
    scopes_.push_back(scope_in(tag));
    stack_.push_back(tag);
    ++counts_[static_cast<std::size_t>(tag)];
  }
  /// \pre  not empty
  void pop() {
    --counts_[static_cast<std::size_t>(stack_.back())];
    stack_.pop_back();
    scopes_.pop_back();
  }

  bool empty() const noexcept { return stack_.empty(); }
  std::size_t size() const noexcept { return stack_.size(); }
  tokens::Tag operator[](std::size_t index) const noexcept { return stack_[index]; }
  /// \pre  not empty
  tokens::Tag innermost() const noexcept { return stack_.back(); }
  bool has(tokens::Tag tag) const noexcept { return counts_[static_cast<std::size_t>(tag)] != 0; }

  /// The innermost open `tag` that no cell, caption or table is around; with `list_item_scope` no list either.
  std::optional<std::size_t> find_in_scope(tokens::Tag tag, bool list_item_scope) const noexcept;
  /// The innermost open `tag` of the innermost table.
  std::optional<std::size_t> find_table_part(tokens::Tag tag) const noexcept;
  /// The list item that a new one ends: the one before it, unless a list or another block is between.
  std::optional<std::size_t> find_item_to_end(tokens::Tag tag) const noexcept;

  /// Where text in the innermost element goes.
  TextScope scope() const noexcept { return scopes_.empty() ? TextScope{} : scopes_.back(); }
  /// The markers of the open lists, such as "*#".
  std::string list_marker() const;

 private:
  TextScope scope_in(tokens::Tag tag) const noexcept;

  std::vector<tokens::Tag> stack_;
  std::vector<TextScope> scopes_;  ///< in the elements of `stack_`
  std::array<std::uint32_t, static_cast<std::size_t>(tokens::Tag::kReferences) + 1> counts_{};
};

}  // namespace touchstone::extractors::wikitext::blocks::internal
