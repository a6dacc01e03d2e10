#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone::pipeline::headings {

/// How a wiki writes its titles.
struct TitleRules {
  std::string language = "en";  ///< MediaWiki's code; Turkic languages have their own capital i
  bool first_letter = true;     ///< titles start with an upper-case letter (`case="first-letter"` of the dump)
  friend bool operator==(const TitleRules&, const TitleRules&) = default;
};

/// A title in MediaWiki's text form, for comparisons: NFC, blanks for underscores, one blank for a run of white space,
/// none at the ends, the first letter by the rules. A namespace prefix is part of the text.
/// Source: mediawiki.org Manual:Title.php (read 2025-01). Pure.
std::string comparable_title(std::string_view title, const TitleRules& rules);

/// The same for a piece of a title: blanks at its ends stay (one for a run), and so does the first letter.
std::string comparable_piece(std::string_view piece);

/// Unicode's full case folding, in NFC: equal for texts that differ in case only. Pure.
std::string fold_case(std::string_view text);

/// A heading for comparisons: folded, one blank for a run of white space, none at the ends, without trailing colons
/// (half or full width) and equals signs, which are left of wrong markup. Pure.
std::string comparable_heading(std::string_view heading);

/// How many letters the text has. A Han, Kana or Hangul character counts as two, since two of them make a word
/// (`歴史`); marks, digits and punctuation do not count. Pure.
std::size_t count_letters(std::string_view text);

}  // namespace touchstone::pipeline::headings
