#include "extractors/wikitext/preprocessor/lost_words.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/extension_tags.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <unicode/uchar.h>

namespace touchstone::extractors::wikitext::preprocessor {
namespace {

/// What is next to a call on one side, markup apart.
struct Side {
  UChar32 letter = 0;  ///< the nearest character; 0: the line begins or ends here
  bool blank = false;  ///< there are blanks in between
  bool bold = false;   ///< bold text ends or begins in between
};

/// A mark of any kind: of an extension tag or of an unknown value.
bool is_any_mark(std::string_view text) noexcept {
  return text.size() >= kMarkerSize && text.front() == kMarkerByte;
}

/// Bytes of apostrophe runs, tags, brackets of links and markers of extension tags that begin `text`; 0 for none.
std::size_t leading_markup(std::string_view text) noexcept {
  if (is_any_mark(text)) return kMarkerSize;
  if (text.starts_with("''")) return std::min(text.find_first_not_of('\''), text.size());
  if (text.starts_with("[[")) return 2;
  if (text.starts_with('<')) {
    const std::size_t end = text.find('>');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  return 0;
}

std::size_t trailing_markup(std::string_view text) noexcept {
  if (text.size() >= kMarkerSize && is_any_mark(text.substr(text.size() - kMarkerSize))) return kMarkerSize;
  if (text.ends_with("''")) return text.size() - (text.find_last_not_of('\'') + 1);
  if (text.ends_with("]]")) return 2;
  if (text.ends_with('>')) {
    const std::size_t begin = text.rfind('<');
    return begin == std::string_view::npos ? 0 : text.size() - begin;
  }
  return 0;
}

Side ahead(std::string_view text) {
  Side side;
  while (!text.empty()) {
    std::size_t size = leading_markup(text);
    side.bold = side.bold || text.starts_with("'''");
    if (size == 0) {
      std::size_t at = 0;
      const auto c = static_cast<UChar32>(next_code_point(text, at));
      if (!u_isUWhiteSpace(c)) {
        side.letter = c;
        return side;
      }
      side.blank = true;
      size = at;
    }
    text.remove_prefix(size);
  }
  return side;
}

Side behind(std::string_view text) {
  Side side;
  while (!text.empty()) {
    std::size_t size = trailing_markup(text);
    side.bold = side.bold || text.ends_with("'''");
    if (size == 0) {
      std::size_t from = text.size() - 1;
      while (from > 0 && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) --from;
      std::size_t at = from;
      const auto c = static_cast<UChar32>(next_code_point(text, at));
      if (!u_isUWhiteSpace(c)) {
        side.letter = c;
        return side;
      }
      side.blank = true;
      size = text.size() - from;
    }
    text.remove_suffix(size);
  }
  return side;
}

bool is_one_of(UChar32 c, std::u32string_view set) noexcept {
  return set.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}
bool ends_sentence(UChar32 c) noexcept {
  return is_one_of(c, U".!?:。！？：।؟");
}
bool opens(UChar32 c) noexcept {
  return is_one_of(c, U"([{（「『【《〈«“");
}
bool separates(UChar32 c) noexcept {
  return is_one_of(c, U",;、，；،؛·•–—-/|=");
}
bool closes_phrase(UChar32 c) noexcept {
  return is_one_of(c, U".,;)!?。、，；）");
}
/// Words of Japanese and Chinese that follow a name or noun at once.
bool follows_name(UChar32 c) noexcept {
  return is_one_of(c, U"はがをにので的");
}
bool has_case(UChar32 c) noexcept {
  return u_isULowercase(c) || u_isUUppercase(c);
}

}  // namespace

bool loses_words(std::string_view before, std::string_view after) {
  const std::size_t markers = std::min(before.find_first_not_of("*#:; "), before.size());
  const bool item = before.substr(0, markers).find_first_of("*#:;") != std::string_view::npos;
  const Side left = behind(before.substr(markers)), right = ahead(after);
  const bool start = left.letter == 0;
  if (start && right.letter == 0) return false;
  if (start) return u_isULowercase(right.letter) || closes_phrase(right.letter) || is_one_of(right.letter, U"–—");
  if (is_one_of(left.letter, U"。、，") && follows_name(right.letter) && !right.blank) return true;
  if (left.letter == U'。' && is_one_of(right.letter, U"、，")) return true;
  if (ends_sentence(left.letter)) return left.blank && u_isULowercase(right.letter);
  if (opens(left.letter)) return false;
  if (separates(left.letter)) return left.blank && right.blank && u_isalnum(right.letter);
  if (right.letter == 0) return !item && left.blank && !left.bold && u_isalnum(left.letter);
  if (!left.blank) {
    // Scripts without blanks and case: the call is between two words.
    return u_isalpha(left.letter) && !has_case(left.letter) && u_isalpha(right.letter) && !has_case(right.letter) &&
           !right.blank && !left.bold;
  }
  if (left.bold) return false;
  return closes_phrase(right.letter) || (right.blank && u_isalnum(right.letter));
}

}  // namespace touchstone::extractors::wikitext::preprocessor
