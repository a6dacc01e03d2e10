#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::pipeline::automatic::selection {

/// The salt of `train-set`, `test-set` and `fold` in TREC CAR.
inline constexpr std::int64_t kCarSalt = -2578643520546668380;

/// The hash of a title that TREC CAR's predicates use. Its splits and folds come out as in the published releases.
///
/// Let c be the title's first code point in lower case, and B the UTF-16LE bytes of the rest. The hash starts with the
/// salt; each byte b of B makes it (hash * 16777619) xor b; at last it becomes (hash * 16777619) xor c. All of this is
/// in 64 bits without sign; the result is read as a number with sign. An empty title gives the salt.
/// \param title  well-formed UTF-8 in MediaWiki's text form; whether its first letter is upper case does not matter
/// Source: FilterPred.hs of trec-car-create with hashable 1.2 and the PageName of mediawiki-parser (read 2026-11);
/// checked with all 133 titles of benchmarkY1test (test-set) and titles of test200 (fold 0).
/// \note  The last bit depends on the parity of the title's bytes only, so salts give no independent halves.
std::int64_t car_title_hash(std::string_view title, std::int64_t salt = kCarSalt);

/// The first eight bytes, big-endian, of the SHA-1 of `salt`, a line feed and `title`. Other salts give independent
/// splits.
std::uint64_t salted_title_hash(std::string_view title, std::string_view salt);

/// How titles are parted into training and test pages and into folds.
struct SplitScheme {
  std::string salt;         ///< empty: the hash of TREC CAR; else `salted_title_hash` with it
  std::uint32_t folds = 5;  ///< at least 1
  friend bool operator==(const SplitScheme&, const SplitScheme&) = default;
};

/// Where a title belongs. Each fold has training and test pages.
struct TitleSplit {
  bool test = false;
  std::uint32_t fold = 0;  ///< 0 to folds - 1
  friend bool operator==(const TitleSplit&, const TitleSplit&) = default;
};

/// The remainder of the scheme's hash by 2 (1: test) and by 2 * folds (half of it, rounded down: the fold). It depends
/// on the title and the scheme only, and is the same in every dump. Pure.
TitleSplit split_of(std::string_view title, const SplitScheme& scheme);

/// The remainder of a signed number by a positive one, from 0 to divisor - 1.
constexpr std::uint64_t floor_remainder(std::int64_t number, std::uint64_t divisor) noexcept {
  if (number >= 0) return static_cast<std::uint64_t>(number) % divisor;
  const std::uint64_t below = static_cast<std::uint64_t>(-(number + 1)) % divisor;
  return divisor - 1 - below;
}

}  // namespace touchstone::pipeline::automatic::selection
