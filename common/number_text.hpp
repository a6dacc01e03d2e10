#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// Numbers as text for people and files. Independent of the locale.
namespace touchstone {

/// `value` with exactly `digits` digits after the point: "12.30".
std::string fixed_digits(double value, int digits);

/// The shortest decimal that reads back as the same number, in fixed or scientific notation, whichever is shorter:
/// "0.1", "1e+05".
std::string shortest_digits(double value);

/// `value` with at most `digits` digits after the point and at least one, without zeros beyond it: "0.25", "1.0". Minus
/// zero is "0.0". \pre value is finite, digits > 0
std::string at_most_digits(double value, int digits);

/// `value` rounded to `digits` digits after the point, halves away from zero.
double round_to(double value, int digits);

/// `share` of 1 as a percentage with one digit after the point: "12.3 %".
std::string percent(double share);

/// Thousands set apart: "1,234,567".
std::string with_commas(std::uint64_t value);

/// The number that is all of `text`; nothing for any other text and for a number that does not fit.
template <class Number>
std::optional<Number> to_number(std::string_view text) noexcept {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace touchstone
