#pragma once

#include "extractors/wikitext/templates/renderers.hpp"
#include "extractors/wikitext/templates/units.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  bool is_change = false;  ///< is behind a plus-minus sign
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

/// Which of the two sides shows symbols in place of names.
enum class Abbreviate : unsigned char { kNothing, kInput, kOutput, kBoth };

/// What the options of a {{convert}} ask for.
struct ConvertOptions {
  NumberFormat numbers;
  Abbreviate abbreviate = Abbreviate::kOutput;
  bool abbreviation_given = false;
  bool adjective = false, american = false, flip = false, round_each = false;
  bool values_only = false;  ///< no units at all
  bool output_only = false, output_number_only = false;
  bool table = false, middle_word = false;
  bool spell = false, spell_output = false, spell_upper = false;
  bool names_by_default = false;
  std::string_view before = " (", after = ")", between = "; ";
  std::string middle;  ///< "-long" behind the unit
};

/// A whole number between `least` and `most`; nothing for all else.
std::optional<int> small_number(std::string_view text, int least, int most);

/// Nothing when the call asks for what is not understood.
std::optional<ConvertOptions> read_convert_options(const RenderCall& call);

/// How a word between two numbers is shown: where names and where symbols are; with the unit behind each number.
struct Joint {
  std::string_view word;
  std::string_view with_names, with_symbols;
  std::string_view output = {};  ///< instead, in the converted range
  bool unit_each = false;        ///< with symbols
  bool output_unit_each = false;
  bool is_change = false;
};

/// Several written numbers with what is between them, and their unit.
struct Input {
  std::vector<WrittenNumber> numbers;
  std::vector<const Joint*> joints;
  Unit unit;                                            ///< of the numbers; of several units in company the smallest
  std::vector<std::pair<WrittenNumber, Unit>> company;  ///< "5 ft 6 in": each part as it is shown; else empty
  Company kind = Company::kNone;
};

/// Reads all positional arguments of {{convert}}: numbers, unit, units to convert to, rounding, words. Returns false
/// for what it does not know.
///
/// \param target  codes of the units to convert to
bool read_convert_input(const RenderCall& call, ConvertOptions& options, Input& input, std::string& target);

}  // namespace touchstone::extractors::wikitext::templates::internal
