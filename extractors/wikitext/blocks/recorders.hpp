#pragma once

#include "extractors/document.hpp"
#include "extractors/wikitext/blocks/text_builder.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
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

/// Records the images of a page with their captions, whatever else becomes of the text of a caption. An image inside a
/// caption has a caption of its own.
class ImageRecorder {
 public:
  explicit ImageRecorder(std::vector<Image>& images) : images_(images) {}

  /// An image begins; the text that comes is its caption.
  void open(Image image);
  /// The same for an image that is not kept.
  void open_unseen() { enter(kNone); }
  /// Ends the innermost open image.
  void close();
  void close_all();

  bool recording() const noexcept { return depth_ > 0; }
  /// Caption of the innermost open image. \pre recording()
  TextBuilder& caption() noexcept { return open_[depth_ - 1].caption; }
  void begin_link(const tokens::FoundLink& link);
  void end_link();

  /// Removes the images from number `first` on.
  void forget_from(std::size_t first);

 private:
  struct Open {
    std::size_t number = 0;  ///< among the images; kNone if it is not kept
    TextBuilder caption;
    std::vector<tokens::FoundLink> links;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void enter(std::size_t number);

  std::vector<Image>& images_;
  std::deque<Open> open_;  ///< the first `depth_` are open; the others keep their memory
  std::size_t depth_ = 0;
};

}  // namespace touchstone::extractors::wikitext::blocks::internal
