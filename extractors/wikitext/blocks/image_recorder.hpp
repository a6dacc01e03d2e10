#pragma once

#include "extractors/document.hpp"
#include "extractors/wikitext/blocks/text_builder.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace touchstone::extractors::wikitext::blocks::internal {

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
