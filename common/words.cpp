#include "common/words.hpp"

#include "common/unicode.hpp"

#include <unicode/uscript.h>

namespace touchstone {

bool is_written_without_blanks(char32_t code_point) noexcept {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(static_cast<UChar32>(code_point), &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0, letters = 0;  // letters of scripts without blanks, since the last blank or word
  bool inside = false;
  const auto end_run = [&] {
    words += (letters + 1) / 2;
    letters = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const char32_t c = byte < 0x80 ? text[at++] : next_code_point(text, at);
    if (is_unicode_space(c)) {
      end_run();
      inside = false;
    } else if (c >= 0x80 && is_written_without_blanks(c)) {
      ++letters;
      inside = false;
    } else if (!inside && letters == 0) {
      ++words;
      inside = true;
    }
  }
  end_run();
  return words;
}

}  // namespace touchstone
