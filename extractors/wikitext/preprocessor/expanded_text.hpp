#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {

/// A stretch of expanded text that was not written in the page but made by a template.
struct MadeRange {
  std::size_t begin = 0, end = 0;
};

/// Wikitext without templates, comments and extension tags. Markers stand for the tags.
struct ExpandedText {
  std::string text;
  std::vector<MadeRange> made;  ///< ascending, disjoint
  /// Offsets at which the call of a template or function shows nothing though it may show something in the wiki. What
  /// is written around them is mended by `mend_holes`. In no particular order.
  std::vector<std::size_t> holes;

  /// How much of a text there is, to return to.
  struct Size {
    std::size_t text = 0, made = 0, holes = 0;
  };
  Size size() const noexcept { return {text.size(), made.size(), holes.size()}; }
  /// Takes back what was appended since.
  void resize(const Size& size) {
    text.resize(size.text);
    made.resize(size.made);
    holes.resize(size.holes);
  }
  void add_hole() { holes.push_back(text.size()); }

  /// The range that contains byte `offset`, or null.
  const MadeRange* find_made(std::size_t offset) const noexcept {
    return made.empty() || offset < made.front().begin || offset >= made.back().end ? nullptr : search_made(offset);
  }

 private:
  const MadeRange* search_made(std::size_t offset) const noexcept;
};

/// Appends `part` to `out`, without blanks at its ends. Marks of unknown values there stay, but not the blanks beside
/// them.
void append_trimmed(const ExpandedText& part, ExpandedText& out);

}  // namespace touchstone::extractors::wikitext::preprocessor
