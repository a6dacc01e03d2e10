#pragma once

#include "extractors/scan/byte_stops.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace touchstone::extractors::scan::internal {

/// Less than 16 bytes with NUL behind them, as two little-endian numbers.
struct ShortBytes {
  std::uint64_t low, high;
};

/// The searches over blocks of bytes that a processor looks up at once. Sources that use it are compiled for processors
/// that not every machine has: all that it calls is in `Block`, a type without linkage beyond its source, so that no
/// other source shares the code.
///
/// \tparam Block  has kBytes, its size, and:
///                  Vector load(const char*), void store(char*, Vector)
///                  Vector load_half(ShortBytes)          a short text and NUL
///                  Vector load_halves(const char*, ShortBytes)
///                                                        16 bytes and what follows them; blocks of 32 only
///                  Vector shift_down(Vector)             the bytes behind those of a block, and NUL at its end
///                  Vector look_up(const HalfBytes& low, const HalfBytes& high, Vector)
///                  Vector both(Vector, Vector)           bits that are in both
///                  bool is_ascii(Vector)                 all bytes are below 0x80
///                  std::uint32_t mask(Vector)            a bit for each byte that is not 0, the first one lowest
template <class Block>
class BlockScan {
 public:
  template <const Stops& kStops>
  static std::size_t find(std::string_view text, std::size_t i) noexcept {
    const char* const bytes = text.data();
    const std::size_t size = text.size();
    for (; i + kBlock < size; i += kBlock) {
      const std::uint32_t mask = find_stops<kStops>(Block::load(bytes + i), Block::load(bytes + i + 1));
      if (mask != 0) return i + first_of(mask);
    }
    if (i >= size) return size;
    // The last block once more, where there are so many bytes.
    const std::size_t count = size - i;
    const bool many = size >= kBlock;
    const Vector rest = many ? Block::load(bytes + size - kBlock) : load_rest(bytes + i, count);
    const std::uint32_t mask = find_stops<kStops>(rest, Block::shift_down(rest)) >> (many ? kBlock - count : 0);
    return mask != 0 ? not_behind(size, i + first_of(mask)) : size;
  }

  static void mark_token_stops(std::string_view text, std::uint64_t* words) noexcept {
    const char* const bytes = text.data();
    std::size_t i = 0;
    for (; i + kBlock < text.size(); i += kBlock)
      mark(words, i, find_stops<kTokenStop>(Block::load(bytes + i), Block::load(bytes + i + 1)));
    if (i == text.size()) return;
    const std::size_t count = text.size() - i;
    const Vector rest = count == kBlock ? Block::load(bytes + i) : load_rest(bytes + i, count);
    mark(words, i, find_stops<kTokenStop>(rest, Block::shift_down(rest)));
  }

  static std::size_t copy_words(std::string_view text, char* out, bool& other_than_ascii) noexcept {
    const char* const bytes = text.data();
    const std::size_t size = text.size();
    std::size_t i = 0;
    std::uint32_t first = 1;  // the first byte is not a stop
    for (; i + kBlock < size; i += kBlock, first = 0) {
      const Vector here = Block::load(bytes + i);
      Block::store(out + i, here);
      other_than_ascii |= !Block::is_ascii(here);
      const std::uint32_t mask = find_stops<kWordStop>(here, Block::load(bytes + i + 1)) & ~first;
      if (mask != 0) return i + first_of(mask);
    }
    const bool many = size >= kBlock;
    if (many && i > 0) i = size - kBlock;
    const Vector rest = many ? Block::load(bytes + i) : load_rest(bytes, size);
    Block::store(out + i, rest);
    other_than_ascii |= !Block::is_ascii(rest);
    const std::uint32_t mask = find_stops<kWordStop>(rest, Block::shift_down(rest)) & ~first;
    return mask != 0 ? not_behind(size, i + first_of(mask)) : size;
  }

  static constexpr ScanFunctions functions() noexcept {
    return {{find<kMarkupOpen>, find<kPageStop>, find<kCallStop>, find<kFlatStop>, find<kLinkStop>, find<kTargetStop>,
             find<kTitleStop>, find<kUnclean>},
            mark_token_stops,
            copy_words};
  }

 private:
  using Vector = typename Block::Vector;
  static constexpr std::size_t kBlock = Block::kBytes;

  static std::size_t first_of(std::uint32_t mask) noexcept { return static_cast<std::size_t>(__builtin_ctz(mask)); }

  /// NUL behind a text may be a stop, too.
  static std::size_t not_behind(std::size_t size, std::size_t i) noexcept { return i < size ? i : size; }

  static void mark(std::uint64_t* words, std::size_t i, std::uint32_t mask) noexcept {
    words[i / 64] |= std::uint64_t{mask} << (i % 64);
  }

  template <class Word>
  static std::uint64_t load_word(const char* bytes) noexcept {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  /// Less than 16 bytes; not a byte beyond them is read.
  static ShortBytes load_short(const char* bytes, std::size_t count) noexcept {
    ShortBytes loaded{0, 0};
    if (count >= 8) {
      loaded.low = load_word<std::uint64_t>(bytes);
      if (count > 8) loaded.high = load_word<std::uint64_t>(bytes + count - 8) >> (8 * (16 - count));
    } else if (count >= 4) {
      loaded.low = load_word<std::uint32_t>(bytes) | load_word<std::uint32_t>(bytes + count - 4) << (8 * (count - 4));
    } else if (count > 0) {
      loaded.low = load_word<unsigned char>(bytes) | load_word<unsigned char>(bytes + count / 2) << (8 * (count / 2)) |
                   load_word<unsigned char>(bytes + count - 1) << (8 * (count - 1));
    }
    return loaded;
  }

  /// Less bytes than a block has, and NUL behind them.
  static Vector load_rest(const char* bytes, std::size_t count) noexcept {
    if constexpr (kBlock > 16) {
      if (count >= 16) return Block::load_halves(bytes, load_short(bytes + 16, count - 16));
    }
    return Block::load_half(load_short(bytes, count));
  }

  /// A bit for each byte of `here` that is a stop. \param next  the bytes behind them
  template <const Stops& kStops>
  static std::uint32_t find_stops(Vector here, Vector next) noexcept {
    Vector found = Block::look_up(kStops.low, kStops.high, here);
    if constexpr (kStops.has_pairs) found = Block::both(found, Block::look_up(kStops.next_low, kStops.next_high, next));
    return Block::mask(found);
  }
};

}  // namespace touchstone::extractors::scan::internal
