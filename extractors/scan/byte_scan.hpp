#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::scan {

// Searches for the next byte that may matter, 32 or 16 bytes at a time where the processor can. All give the size of
// the text when there is none.

enum class ScanWay : unsigned char {
  kOneByOne,
  kBy16,  ///< SSSE3 of x86-64, and aarch64
  kBy32   ///< AVX2
};

/// Has all searches go this way instead of the best one: for tests and measurements, while no other thread searches.
/// False, with nothing changed, where the processor cannot.
bool scan_by(ScanWay way) noexcept;

/// At "[[", '{', '<' or a line end before '='.
std::size_t find_markup_open(std::string_view text, std::size_t from) noexcept;

/// At '{', '<' or a line end before '='.
std::size_t find_page_stop(std::string_view text, std::size_t from) noexcept;

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

/// Bytes behind its text that `copy_words` may write to.
inline constexpr std::size_t kCopyPadding = 32;

/// Copies the first byte of `text` and what follows it up to '&', white space other than one blank, or the lead byte of
/// a no-break space. Gives the number of bytes.
///
/// \pre  text is not empty, and `out` has room for it and for kCopyPadding bytes more
/// \param other_than_ascii  becomes true when a byte that is not ASCII stands in what was copied, or may do so right
///                          behind it
std::size_t copy_words(std::string_view text, char* out, bool& other_than_ascii) noexcept;

/// At a byte that is not ASCII or that wikitext does not hold: NUL, a carriage return, the byte of a marker.
std::size_t find_unclean(std::string_view text, std::size_t from) noexcept;

/// Where the tokens of a text begin that are no words: line ends, '<', square brackets, "''", "__" and the bytes of
/// markers. They stand so close that finding all in one go is cheaper than a search for each.
class TokenStops {
 public:
  /// \param memory  is overwritten, and used until the last call of `next`
  TokenStops(std::string_view text, std::vector<std::uint64_t>& memory);

  /// The next one at or behind byte `from`, or the size of the text.
  std::size_t next(std::size_t from) const noexcept {
    if (from >= size_) return size_;
    std::size_t word = from / 64;
    std::uint64_t bits = stops_[word] >> (from % 64) << (from % 64);
    // A bit behind the last byte ends the search.
    while (bits == 0) bits = stops_[++word];
    return word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
  }

 private:
  const std::uint64_t* stops_ = nullptr;  // a bit for each byte
  std::size_t size_ = 0;
};

}  // namespace touchstone::extractors::scan
