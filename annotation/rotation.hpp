#pragma once

#include "formats/labeling/annotation.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::annotation {

using formats::labeling::Span;

/// A passage with its halves in reverse order, and the places of its characters in both orders. Whoever judges the
/// rotated passages is the control group for a bias to the beginning of what is shown. Pure.
/// Source: S. Hofstätter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question
/// Answering" (FiRA), CIKM 2020, section 4.2: the halves have as many words each, and selections are mapped back.
class Rotation {
 public:
  /// \param text  UTF-8; words are parted by white space. A text of fewer than two words is left as it is.
  explicit Rotation(std::string_view text);

  /// The second half, a blank, and the first half.
  const std::string& shown() const noexcept { return shown_; }
  /// Its code points.
  std::uint32_t shown_size() const noexcept { return first_ + second_ + (second_ > 0 ? 1 : 0); }
  /// Spans of the text as places in `shown()`. A span over the cut becomes two. Ascending.
  std::vector<Span> to_shown(const std::vector<Span>& spans) const;
  /// Spans of `shown()` as places in the text. A span over the seam becomes two; the blank there belongs to nothing.
  /// Ascending, spans that touch are one.
  std::vector<Span> to_text(const std::vector<Span>& spans) const;

 private:
  std::string shown_;
  std::uint32_t first_ = 0;   ///< code points of the first half, with the white space behind it
  std::uint32_t second_ = 0;  ///< code points of the second half
};

/// Sorts spans, leaves out empty ones, and makes one of those that overlap or touch.
std::vector<Span> merge_spans(std::vector<Span> spans);

}  // namespace touchstone::annotation
