#pragma once

#include "extractors/document.hpp"

#include <cstdint>
#include <string_view>

namespace touchstone::extractors::html {

/// Collects the text of one block: white space folded, offsets of links counted in code points.
class InlineText {
 public:
  /// Adds text as it stands in the page. Bytes that are no UTF-8 become U+FFFD.
  void append(std::string_view text);
  /// Adds text of preformatted blocks: line ends and blanks stay.
  void append_as_written(std::string_view text);
  /// A blank, unless one is there.
  void blank() noexcept { blank_ = true; }

  /// Where a link that starts now begins.
  std::uint32_t length() const noexcept { return length_ + (blank_ && length_ > 0 ? 1U : 0U); }
  /// The text since `begin` links to `target`. Links without text have begin == end.
  void link(std::uint32_t begin, Link target);

  bool empty() const noexcept { return length_ == 0 && content_.links.empty(); }
  /// The content, links ascending; this object is empty afterwards.
  RichText take();

 private:
  void add(char32_t code_point);

  RichText content_;
  std::uint32_t length_ = 0;  ///< code points
  bool blank_ = false;        ///< white space was met behind the text
};

}  // namespace touchstone::extractors::html
