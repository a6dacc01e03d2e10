#pragma once

#include "extractors/site/language_words.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {

/// A stretch of expanded text that was not written in the page but made by a template.
struct MadeRange {
  std::size_t begin = 0, end = 0;
};

/// Where the call of a template or function shows nothing though it may show something in the wiki.
struct Hole {
  std::size_t at = 0;      ///< offset in the text
  bool loses_text = true;  ///< false for boxes, notes and marks for editors: the sentence around it lacks nothing
};

/// Wikitext without templates, comments and extension tags. Markers represent the tags.
struct ExpandedText {
  std::string text;
  std::vector<MadeRange> made;  ///< ascending, disjoint
  /// What is written around them is mended by `mend_holes`. In no particular order.
  std::vector<Hole> holes{};
  /// Offsets at which a sentence lacks words, ascending. Filled by `mend_holes`.
  std::vector<std::size_t> gaps{};

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
    gaps.clear();
  }
  void add_hole(bool loses_text) { holes.push_back({text.size(), loses_text}); }

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

/// Removes behavior switches such as __NOTOC__ inside of words and brackets, whose parts then join. Those between
/// blanks are left to the tokenizer. A switch in front of table markup stays as well, since MediaWiki finds tables
/// first.
void take_out_behavior_switches(const site::LanguageWords& words, ExpandedText& expanded);

}  // namespace touchstone::extractors::wikitext::preprocessor
