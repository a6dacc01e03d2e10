#pragma once

#include <cstddef>
#include <string_view>

namespace touchstone::extractors::internal {

// Searches for the next byte that may matter, 32 bytes at a time where the processor can. All give the size of the text
// when there is none.

/// At "[[", '{', '<' or a line end before '='.
std::size_t find_markup_open(std::string_view text, std::size_t from) noexcept;

/// At "[[", ']', '{', '}', '<', '|', '=' or a line end before '='.
std::size_t find_call_stop(std::string_view text, std::size_t from) noexcept;

/// At "[[", '{', '}', '<' or a line end before '='.
std::size_t find_flat_stop(std::string_view text, std::size_t from) noexcept;

/// At a square bracket, '{', '<' or a line end.
std::size_t find_link_stop(std::string_view text, std::size_t from) noexcept;

/// At a byte that no link target may hold: a square bracket, brace, '|' or control character.
std::size_t find_target_stop(std::string_view text, std::size_t from) noexcept;

/// At a byte that makes a title more than plain words: a control character, bracket, brace, '|', '_', ':', '#', '%',
/// '&', '.', '~', the first of two blanks, a byte that is not ASCII.
std::size_t find_title_stop(std::string_view text, std::size_t from) noexcept;

/// At a line end, '<', a square bracket, "''", "__" or the byte of a marker.
std::size_t find_token_stop(std::string_view text, std::size_t from) noexcept;

/// Bytes behind its text that `copy_words` may write to.
inline constexpr std::size_t kCopyPadding = 32;

/// Copies the first byte of `text` and what follows it up to '&', white space other than one blank, or the lead byte of
/// a no-break space. Gives the number of bytes.
///
/// \pre  text is not empty, and `out` has room for it and for kCopyPadding bytes more
std::size_t copy_words(std::string_view text, char* out) noexcept;

/// At a byte that is not ASCII or that wikitext does not hold: NUL, a carriage return, the byte of a marker.
std::size_t find_unclean(std::string_view text, std::size_t from) noexcept;

}  // namespace touchstone::extractors::internal
