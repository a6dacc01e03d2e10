#include "pipeline/headings/title_text.hpp"

#include "common/unicode.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace touchstone::pipeline::headings {
namespace {

/// Normal forms of rare letters change once more when they are made again; a few rounds always end.
constexpr int kRounds = 4;

template <class Form>
std::string until_stable(std::string text, const Form& form) {
  for (int round = 0; round < kRounds; ++round) {
    std::string next = form(text);
    if (next == text) break;
    text = std::move(next);
  }
  return text;
}

/// Whether ASCII text has neither underscores nor runs of white space, as nearly all titles and headings.
bool is_plain(std::string_view text) {
  bool after_blank = false;
  for (const char c : text) {
    const bool blank = c == ' ';
    if (c < ' ' || c == '_' || (blank && after_blank)) return false;
    after_blank = blank;
  }
  return is_ascii(text);
}

/// Underscores and runs of white space become one blank.
std::string with_single_blanks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = next_code_point(text, at);
    const bool blank = code_point == U'_' || code_point < 0x20 || is_unicode_space(code_point);
    if (!blank)
      append_utf8(out, code_point);
    else if (!out.ends_with(' '))
      out += ' ';
  }
  return out;
}

std::string folded_once(const std::string& text) {
  auto unicode = icu::UnicodeString::fromUTF8(nfc(text));
  std::string folded;
  unicode.foldCase().toUTF8String(folded);
  return nfc(folded);
}

/// Without colons and equals signs at the end: `== See also ===` is the heading "See also =".
std::string_view without_end_marks(std::string_view text) {
  constexpr std::string_view kFullWidth = "：";
  for (;;) {
    text = text::trimmed(text);
    if (text.ends_with(':') || text.ends_with('='))
      text.remove_suffix(1);
    else if (text.ends_with(kFullWidth))
      text.remove_suffix(kFullWidth.size());
    else
      return text;
  }
}

}  // namespace

std::string comparable_piece(std::string_view piece) {
  if (is_plain(piece)) return std::string(piece);
  return until_stable(std::string(piece), [](const std::string& text) { return with_single_blanks(nfc(text)); });
}

std::string comparable_title(std::string_view title, const TitleRules& rules) {
  return until_stable(comparable_piece(title), [&](const std::string& text) {
    const std::string trimmed(text::trimmed(text));
    return rules.first_letter ? nfc(upper_case_first(trimmed, rules.language)) : trimmed;
  });
}

std::string fold_case(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  return until_stable(std::string(text), folded_once);
}

std::string comparable_heading(std::string_view heading) {
  return fold_case(without_end_marks(comparable_piece(heading)));
}

std::size_t count_letters(std::string_view text) {
  static const text::CharacterSet kHalfWords("[[:L:]&[[:Han:][:Hiragana:][:Katakana:][:Hangul:]]]");
  std::size_t letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = next_code_point(text, at);
    letters += kHalfWords.contains(c) ? 2 : u_isalpha(static_cast<UChar32>(c)) ? 1 : 0;
  }
  return letters;
}

}  // namespace touchstone::pipeline::headings
