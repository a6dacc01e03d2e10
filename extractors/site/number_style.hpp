#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::site {

/// How a language writes numbers.
struct NumberStyle {
  std::string_view group = ",";  ///< between groups of digits; empty where there are no groups
  std::string_view point = ".";
  bool keeps_four = false;  ///< four digits are not grouped
  bool indian = false;      ///< groups of two in front of the last three digits
  char32_t zero = U'0';     ///< the digit; the other nine follow it
};

/// The style of a language; the English one for unknown codes.
const NumberStyle& number_style(std::string_view language);

/// {{formatnum:}}: the numbers in a text as the language writes them.
std::string write_number(std::string_view text, const NumberStyle& style);

/// The same, but only digits and minus signs change.
std::string write_digits(std::string_view text, const NumberStyle& style);

/// The reverse: digits, point and minus as programs write them, without groups.
std::string read_number(std::string_view text, const NumberStyle& style);

/// "1234567.8" -> "1,234,567.8".
std::string group_digits(std::string_view number);

}  // namespace touchstone::extractors::site
