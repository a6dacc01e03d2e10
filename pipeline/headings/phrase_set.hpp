#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::headings {

/// A set of phrases that whole headings or titles are compared with, regardless of case, blanks and trailing colons.
/// In a phrase, `*` represents any text, `#` digits and `%` the letters of a Roman numeral. Several threads may
/// ask concurrently.
class PhraseSet {
 public:
  void add(std::string_view phrase);
  /// Adds all phrases of another set.
  void add(const PhraseSet& other);
  /// Takes the phrases that are written the same out of the set.
  void remove(std::string_view phrase);
  bool matches(std::string_view text) const;
  bool empty() const noexcept { return words_.empty() && patterns_.empty(); }

 private:
  struct Pattern {
    std::string text;
    std::size_t first, last;  ///< placeholder
    friend bool operator==(const Pattern& pattern, const std::string& other) { return pattern.text == other; }
  };
  static bool matches_pattern(const Pattern& pattern, std::string_view text);

  std::vector<std::string> words_;  ///< sorted; without placeholders
  std::vector<Pattern> patterns_;
};

}  // namespace touchstone::pipeline::headings
