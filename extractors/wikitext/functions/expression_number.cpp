#include "extractors/wikitext/functions/expression_number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace touchstone::extractors::wikitext::functions::internal {

std::int64_t to_whole(Number number) noexcept {
  if (number.is_whole) return number.whole;
  if (!std::isfinite(number.real)) return 0;
  constexpr double kMost = 9.2e18;
  if (std::fabs(number.real) < kMost) return static_cast<std::int64_t>(number.real);
  constexpr double kWrap = 18446744073709551616.0;  // 2^64
  double rest = std::fmod(std::trunc(number.real), kWrap);
  if (rest < 0) rest += kWrap;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(rest));
}

Number negated(Number number) noexcept {
  const bool fits = number.is_whole && number.whole != std::numeric_limits<std::int64_t>::min();
  return fits ? Number::of_whole(-number.whole) : Number::of(-number.real);
}

std::string print(Number number) {
  if (number.is_whole) return std::to_string(number.whole);
  if (std::isnan(number.real)) return "NAN";
  if (std::isinf(number.real)) return number.real < 0 ? "-INF" : "INF";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.14G", number.real);
  std::string text(buffer);
  const std::size_t exponent = text.find('E');
  if (exponent == std::string::npos) return text;
  while (exponent + 3 < text.size() && text[exponent + 2] == '0') text.erase(exponent + 2, 1);
  if (text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

double round_to(double value, std::int64_t places) {
  // What double arithmetic gets wrong in the 15th digit is mended first.
  if (!std::isfinite(value) || value == 0) return value;
  constexpr int kDigits = 15;
  const auto digits_in_front = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  places = std::clamp<std::int64_t>(places, -400, 400);
  const std::int64_t sure_places = kDigits - digits_in_front;
  if (sure_places <= places) return value;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*e", kDigits - 1, value);
  const double mended = std::strtod(buffer, nullptr);
  const double scale = std::pow(10.0, static_cast<double>(std::llabs(places)));
  if (!std::isfinite(scale)) return places > 0 ? value : 0;
  double scaled = places >= 0 ? mended * scale : mended / scale;
  // The product of a mended number may again be off by the last bit.
  std::snprintf(buffer, sizeof buffer, "%.*e", kDigits - 1, scaled);
  scaled = std::round(std::strtod(buffer, nullptr));
  return places >= 0 ? scaled / scale : scaled * scale;
}

}  // namespace touchstone::extractors::wikitext::functions::internal
