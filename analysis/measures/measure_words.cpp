#include "analysis/measures/measure_words.hpp"

#include "common/error.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {
namespace {

constexpr std::size_t kMaxQuotedBytes = 80;

/// The whole of `text` as a number.
template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void refuse(std::string_view word, std::string_view why) {
  throw ConfigError(fmt::format("measure \"{}\": {}", word.substr(0, kMaxQuotedBytes), why));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

double read_number(std::string_view word, std::string_view text) {
  double value = 0;
  const bool is_number = parse(text.starts_with('+') ? text.substr(1) : text, value) && std::isfinite(value);
  if (!is_number) refuse(word, fmt::format("\"{}\" is no number", text));
  return value;
}

double read_number_within(std::string_view word, std::string_view name, std::string_view text, double low,
                          double high) {
  const double value = read_number(word, text);
  if (value < low || value > high) refuse(word, fmt::format("{} must lie between {:.0f} and {:.0f}", name, low, high));
  return value;
}

std::uint32_t read_cutoff(std::string_view word, std::string_view text) {
  const double value = read_number(word, text);
  if (value < 1 || value > std::numeric_limits<std::int32_t>::max()) refuse(word, "a cutoff must be 1 or more");
  return static_cast<std::uint32_t>(value);
}

int read_grade(std::string_view word, std::string_view text) {
  int value = 0;
  if (!parse(text, value) || value < -127 || value > 127)
    refuse(word, fmt::format("\"{}\" is not a grade from -127 to 127", text));
  return value;
}

const MeasureFamily* find_family(std::string_view name, Spelling spelling) noexcept {
  for (const auto& family : measure_families()) {
    if (family.spelling == spelling && family.name == name) return &family;
  }
  return nullptr;
}

}  // namespace touchstone::analysis::measures::internal
