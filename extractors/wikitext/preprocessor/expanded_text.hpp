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
