#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::scan {

// Searches for the next byte that may matter, 32 or 16 bytes at a time if the processor supports it. All return the
// size of the text if there is no such byte.

/// What a search stops at.
enum class Stop : unsigned char {
  kMarkupOpen,  ///< "[[", '{', '<' or a line end before '='
  kPage,        ///< '{', '<' or a line end before '='
  kCall,        ///< "[[", ']', '{', '}', '<', '|', '=' or a line end before '='
  kFlat,        ///< "[[", '{', '}', '<' or a line end before '='
  kLink,        ///< a square bracket, '{', '<' or a line end
  kTarget,      ///< a byte that no link target may hold: a square bracket, brace, '|' or control character
  /// A byte that makes a title more than plain words: a control character, bracket, brace, '|', '_', ':', '#', '%',
  /// '&',
  /// '.', '~', the first of two blanks, a byte that is not ASCII.
  kTitle,
  kUnclean,  ///< a byte that wikitext does not hold: NUL, a carriage return, the byte of a marker
};
inline constexpr std::size_t kStopKinds = 8;

std::size_t find_stop(Stop stop, std::string_view text, std::size_t from) noexcept;

enum class ScanWay : unsigned char {
  kOneByOne,
  kBy16,  ///< SSSE3 of x86-64, and aarch64
  kBy32   ///< AVX2
};

/// Makes all searches use one implementation instead of the fastest one. For tests and measurements, while no other
/// thread searches. Returns false, and changes nothing, if the processor does not support it.
bool scan_by(ScanWay way) noexcept;

/// Bytes that `copy_words` may write beyond the end of its text.
inline constexpr std::size_t kCopyPadding = 32;

/// Copies the first byte of `text` and what follows it up to '&', white space other than one blank, or the lead byte of
/// a no-break space. Gives the number of bytes.
///
/// \pre  text is not empty, and `out` has room for it and for kCopyPadding bytes more
/// \param other_than_ascii  set to true if the copied bytes, or those right behind them, may hold a byte that is not
///                          ASCII
std::size_t copy_words(std::string_view text, char* out, bool& other_than_ascii) noexcept;

/// The places in a text where markup tokens begin: line ends, '<', square brackets, "''", "__" and marker bytes. They
/// are so dense that finding all of them at once is cheaper than searching for each.
class TokenStops {
 public:
  /// \param memory  overwritten; must stay unchanged until the last call of `next`
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
