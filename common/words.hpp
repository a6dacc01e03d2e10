#pragma once

#include <cstddef>
#include <string_view>

namespace touchstone {

/// True for letters of scripts without blanks between words: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar.
bool is_written_without_blanks(char32_t code_point) noexcept;

/// Words of a text: runs between white space. In scripts that are written without blanks, two letters count as a word.
/// Passages are cut, left out and examined by this number. Thread-safe.
std::size_t count_words(std::string_view text);

}  // namespace touchstone
