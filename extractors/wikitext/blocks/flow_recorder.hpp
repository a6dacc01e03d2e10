#pragma once

#include "extractors/document.hpp"
#include "extractors/wikitext/blocks/text_builder.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::blocks::internal {

/// Records list items and paragraphs by the nesting of the page's elements, each with all text inside of it. Empty
/// items are included, those of tables are left out. Unlike a Block, an item here has the text of the items below it,
/// too.
class FlowRecorder {
 public:
  explicit FlowRecorder(Flow& flow) : flow_(flow) {}

  /// An element other than formatting opens or ends. \param section  number of headings in front of it
  void open(tokens::Tag tag, std::uint32_t section);
  void close(tokens::Tag tag);

  /// A paragraph that has no tag ends, as at a horizontal rule.
  void end_bare_paragraph();

  /// Where text that is shown outside of cells goes.
  TextBuilder& text();

 private:
  struct Open {
    tokens::Tag tag = tokens::Tag::kNone;
    std::size_t item = 0;   ///< number among the items; kNone for other elements
    std::size_t begin = 0;  ///< where its text begins
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string_view text_from(std::size_t begin);

  Flow& flow_;
  TextBuilder text_;
  std::vector<Open> open_;
  std::size_t cells_ = 0;  ///< open cells and captions
  std::size_t lists_ = 0;  ///< open lists
  std::size_t bare_begin_ = kNone;
  std::size_t copied_ = 0;  ///< bytes of all texts
};

}  // namespace touchstone::extractors::wikitext::blocks::internal
