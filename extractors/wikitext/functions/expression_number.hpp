#pragma once

#include <cstdint>
#include <string>

namespace touchstone::extractors::wikitext::functions::internal {

/// The value of an expression. Whole numbers, as comparisons and trunc give, are printed with all their digits.
struct Number {
  double real = 0;
  std::int64_t whole = 0;
  bool is_whole = false;

  static Number of(double value) noexcept { return {value, 0, false}; }
  static Number of_whole(std::int64_t value) noexcept { return {static_cast<double>(value), value, true}; }
  bool is_zero() const noexcept { return real == 0; }
};

/// Cuts the fraction off; numbers too large for 64 bits wrap around.
std::int64_t to_whole(Number number) noexcept;

Number negated(Number number) noexcept;

/// As MediaWiki prints it: 14 significant digits at most, "1.0E+25" for large ones.
std::string print(Number number);

/// Rounds half away from zero, to places behind the point, or in front of it where `places` is negative.
double round_to(double value, std::int64_t places);

}  // namespace touchstone::extractors::wikitext::functions::internal
