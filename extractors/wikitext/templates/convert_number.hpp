#pragma once

#include "extractors/wikitext/templates/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::templates::internal {

inline constexpr std::string_view kMinus = "\u2212";  ///< the sign before a negative number

/// How numbers are written, and how converted ones are rounded when the page says so.
struct NumberFormat {
  bool group = true;                  ///< 1,234
  bool group_from_five = false;       ///< 1234 but 12,345
  std::optional<int> decimals;        ///< digits behind the point; negative: zeros in front of it
  std::optional<int> figures;         ///< significant figures
  double step = 0;                    ///< nearest multiple of this, when not 0
  int denominator = 0;                ///< fractions with this denominator, when not 0
  std::optional<int> input_decimals;  ///< the written number is rounded, too
};

/// A number as the page wrote it.
struct WrittenNumber {
  double value = 0;
  std::string digits;  ///< without sign and separators; the fraction as written
  std::string shown;
  double denominator = 0;  ///< of a written fraction
  bool singular = false;   ///< is 1, or a fraction up to 1
  bool is_change = false;  ///< stands behind a plus-minus sign
};

/// Reads "1,234.5", "-3", "6+1/2", "1/2"; nothing for all else.
std::optional<WrittenNumber> read_written(std::string_view text, const NumberFormat& format);

/// A converted number, rounded.
struct ConvertedNumber {
  std::string shown;  ///< without sign
  bool negative = false;
  bool singular = false;
  double raw = 0;      ///< absolute value before rounding
  double rounded = 0;  ///< absolute value after it
  bool scientific = false;
  std::string fraction;  ///< "1/2" part when shown with a fraction
  int decimals = 0;      ///< digits shown behind the point
};

/// What the number is in another unit.
/// \pre both units are of one kind
double convert(const WrittenNumber& number, const Unit& from, const Unit& to);

/// How several units make the written number, such as feet and inches.
enum class Company : unsigned char { kNone, kOthers, kEndsInInches };

/// Digits behind the point that {{convert}} shows when nobody says: as exact as the input, at least two significant
/// figures. Source: en.wikipedia.org Help:Convert, Default rounding, and the exceptions of Module:Convert for kelvins,
/// feet, pounds and inches (read 2025-01).
int default_decimals(const WrittenNumber& number, double converted, const Unit& from, const Unit& to, Company company);

/// \param decimals  used when the format does not say how to round
/// Nothing when the number needs more digits than the wiki shows.
std::optional<ConvertedNumber> round_number(double value, int decimals, const NumberFormat& format);

/// "1234.5" -> "1,234.5" by the format.
std::string with_separators(std::string_view digits, const NumberFormat& format);

/// "5", "1" and "2" -> "5 1/2" with the fraction sign.
std::string show_fraction(std::string_view whole, std::string_view numerator, std::string_view denominator);

}  // namespace touchstone::extractors::wikitext::templates::internal
