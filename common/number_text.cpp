#include "common/number_text.hpp"

#include "common/error.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace touchstone {

std::string fixed_digits(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

std::string shortest_digits(double value) {
  char buffer[32];  // fmt has no such notation
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string at_most_digits(double value, int digits) {
  TS_CHECK(std::isfinite(value) && digits > 0, "a number that has digits");
  std::string text = fixed_digits(value == 0 ? 0.0 : value, digits);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

double round_to(double value, int digits) {
  const double factor = std::pow(10.0, digits);
  return std::round(value * factor) / factor;
}

std::string percent(double share) {
  return fixed_digits(share * 100, 1) + " %";
}

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace touchstone
