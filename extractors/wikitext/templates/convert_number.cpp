#include "common/number_text.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/number_style.hpp"
#include "extractors/wikitext/templates/convert.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace touchstone::extractors::wikitext::templates::internal {
using namespace scan;
using site::group_digits;
namespace {

// Keeps logarithms of powers of ten from falling just below a whole number, and halves from being rounded down.
constexpr double kLogFudge = 1e-14;
constexpr double kRoundFudge = 2e-14;
constexpr int kMaxFigures = 14;  ///< as many digits as the wiki shows

std::string printed(double value, int decimals) {
  char buffer[400];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  return std::string(buffer, result.ptr);
}

/// The value of digits with a point or without.
double value_of(std::string_view digits) {
  return to_number<double>(digits).value_or(0);
}

/// "6+1/2" or "1/2", with '-' for '+' where the number is negative.
bool read_fraction(std::string_view text, bool negative, WrittenNumber& number) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::size_t sign = text.find(negative ? '-' : '+');
  const bool mixed = sign != std::string_view::npos;
  const std::string_view whole = mixed ? trim(text.substr(0, sign)) : std::string_view();
  const std::string_view numerator = trim(text.substr(mixed ? sign + 1 : 0, slash - (mixed ? sign + 1 : 0)));
  std::string_view denominator = trim(text.substr(slash + 1));
  if (denominator.starts_with('/')) denominator.remove_prefix(1);
  constexpr std::size_t kMaxDigits = 9;
  if ((mixed && !all_digits(whole)) || !all_digits(numerator) || !all_digits(denominator)) return false;
  if (whole.size() > kMaxDigits || numerator.size() > kMaxDigits || denominator.size() > kMaxDigits) return false;
  number.denominator = value_of(denominator);
  if (number.denominator <= 0) return false;
  number.value = (mixed ? value_of(whole) : 0) + value_of(numerator) / number.denominator;
  number.singular = number.value <= 1;
  number.digits = text;
  number.shown = show_fraction(whole, numerator, denominator);
  return true;
}

/// Digits with `figures` significant ones, trailing zeros in front of the point included.
std::string with_figures(double value, int figures) {
  if (value == 0) return printed(0, figures - 1);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*e", figures - 1, value);
  const int exponent = std::atoi(std::string_view(buffer).substr(std::string_view(buffer).find('e') + 1).data());
  return printed(std::strtod(buffer, nullptr), std::max(0, figures - 1 - exponent));
}

/// "0.00001234" and "1234567890123" are shown with a power of ten.
bool needs_power(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  constexpr std::size_t kMaxWhole = 10;
  if (point >= kMaxWhole) return digits != "1000000000";
  constexpr std::string_view kSmall = "0.0000";
  return digits.starts_with(kSmall) && digits.find_first_not_of("0.") != std::string_view::npos;
}

/// "123456" -> "1.23456 x 10^5", without trailing zeros that only filled up the places in front of the point.
std::string with_power(std::string_view digits, int filled) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string figures(digits.substr(0, point));
  if (point < digits.size()) figures += digits.substr(point + 1);
  const std::size_t first = figures.find_first_not_of('0');
  const int exponent = static_cast<int>(point) - 1 - static_cast<int>(first);
  figures.erase(0, first);
  figures.resize(figures.size() - std::min(figures.size() - 1, static_cast<std::size_t>(filled)));
  if (figures.size() > static_cast<std::size_t>(kMaxFigures)) figures.resize(kMaxFigures);
  if (figures.size() > 1) figures.insert(1, ".");
  return figures + "\u00D710^" + (exponent < 0 ? std::string(kMinus) : "") + std::to_string(std::abs(exponent));
}

}  // namespace

std::string show_fraction(std::string_view whole, std::string_view numerator, std::string_view denominator) {
  std::string out(whole);
  if (!whole.empty()) out += " ";
  return out.append(numerator).append("\u2044").append(denominator);
}

std::string with_separators(std::string_view digits, const NumberFormat& format) {
  if (digits.ends_with('.')) digits.remove_suffix(1);
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  constexpr std::size_t kFew = 4;
  if (!format.group || whole < kFew || (whole == kFew && format.group_from_five)) return std::string(digits);
  return group_digits(digits);
}

std::optional<WrittenNumber> read_written(std::string_view text, const NumberFormat& format) {
  std::string without_commas;
  std::string_view clean = trim(text);
  if (clean.find(',') != std::string_view::npos) {
    std::remove_copy(clean.begin(), clean.end(), std::back_inserter(without_commas), ',');
    clean = without_commas;
  }
  std::string_view sign;
  for (const std::string_view minus : {std::string_view("-"), kMinus, std::string_view("&minus;")}) {
    if (!clean.starts_with(minus)) continue;
    sign = kMinus;
    clean = trim_left(clean.substr(minus.size()));
    break;
  }
  const bool negative = !sign.empty();
  if (clean.starts_with('+')) {
    if (negative) return std::nullopt;
    sign = "+";
    clean.remove_prefix(1);
  }
  WrittenNumber number;
  constexpr std::size_t kMaxLength = 15;
  const bool plain =
      !clean.empty() && clean != "." && clean.size() <= kMaxLength &&
      std::all_of(clean.begin(), clean.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; }) &&
      std::count(clean.begin(), clean.end(), '.') <= 1;
  if (plain) {
    number.value = value_of(clean);
    number.digits = clean;
    number.shown = sign;
    if (format.input_decimals) {
      const std::string written = printed(number.value + kRoundFudge, *format.input_decimals);
      number.singular = value_of(written) == 1;
      number.shown += with_separators(written, format);
    } else {
      number.singular = number.value == 1;
      number.shown += with_separators(clean, format);
    }
  } else if (read_fraction(clean, negative, number)) {
    number.shown.insert(0, sign);
  } else {
    return std::nullopt;
  }
  if (negative) number.value = -number.value;
  return number;
}

double convert(const WrittenNumber& number, const Unit& from, const Unit& to) {
  if (number.is_change || (from.offset == 0 && to.offset == 0)) return number.value * (from.scale / to.scale);
  return (number.value - from.offset) * (from.scale / to.scale) + to.offset;
}

int default_decimals(const WrittenNumber& number, double converted, const Unit& from, const Unit& to, Company company) {
  converted = std::fabs(converted);
  double exactness = 0;
  const std::size_t point = number.digits.find('.');
  if (number.denominator > 0) {
    exactness = std::max(std::log10(number.denominator), 1.0);
  } else if (point != std::string::npos) {
    exactness = static_cast<double>(number.digits.size() - point - 1);
  } else if (company == Company::kNone) {
    const std::size_t last = number.digits.find_last_not_of('0');
    exactness = -static_cast<double>(number.digits.size() - (last == std::string::npos ? 0 : last + 1));
  }
  double gain = 0;
  double least = 0;
  if (from.kind == UnitKind{"temperature", {}}) {
    const double kelvins = std::fabs((number.value - from.offset) * from.scale);
    constexpr double kZero = 1e-8;
    least = kelvins < kZero ? 2 : 2 - std::floor(std::log10(kelvins) + kLogFudge);
  } else {
    if (number.value == 0 || converted == 0) return 0;
    if (to.integers_exact && std::floor(number.value) == number.value) {
      gain = -std::log10(from.scale);
    } else if (company == Company::kEndsInInches) {
      gain = std::log10(to.scale) + 2;
    } else {
      gain = std::log10(std::fabs(number.value / converted));
    }
    gain += std::log10(2.0);
    least = 1 - std::floor(std::log10(converted) + kLogFudge);
  }
  return static_cast<int>(std::max(std::floor(exactness + gain), least));
}

std::optional<ConvertedNumber> round_number(double value, int decimals, const NumberFormat& format) {
  ConvertedNumber number;
  number.raw = std::fabs(value);
  std::string digits;
  int filled = 0;
  if (format.denominator > 0) {
    constexpr double kMaxWithFraction = 1e8;
    if (number.raw > kMaxWithFraction) return std::nullopt;
    auto whole = static_cast<long>(number.raw);
    auto numerator = static_cast<long>(
        std::floor((number.raw - static_cast<double>(whole)) * format.denominator + 0.5 + kRoundFudge));
    if (numerator >= format.denominator) {
      ++whole;
      numerator = 0;
    }
    digits = std::to_string(whole);
    number.rounded = static_cast<double>(whole) + static_cast<double>(numerator) / format.denominator;
    if (numerator > 0) {
      const long divisor = std::gcd(numerator, static_cast<long>(format.denominator));
      number.fraction =
          show_fraction("", std::to_string(numerator / divisor), std::to_string(format.denominator / divisor));
      number.shown = (whole > 0 ? with_separators(digits, format) + " " : "") + number.fraction;
      number.singular = number.raw <= 1;
      number.negative = value < 0;
      return number;
    }
  } else if (format.decimals || (!format.figures && format.step == 0)) {
    if (format.decimals) decimals = *format.decimals;
    constexpr int kMaxDecimals = 12;
    if (decimals > kMaxDecimals || decimals < -kMaxDecimals) return std::nullopt;
    constexpr int kFudged = 8;
    if (decimals >= 0) {
      digits = printed(number.raw + (decimals <= kFudged ? kRoundFudge : 0), decimals);
      number.decimals = decimals;
    } else {
      digits = printed(number.raw / std::pow(10.0, -decimals), 0);
      if (digits != "0") digits.append(static_cast<std::size_t>(-decimals), '0');
      filled = -decimals;
    }
  } else if (format.figures) {
    digits = with_figures(number.raw, *format.figures);
    const std::size_t point = digits.find('.');
    if (point != std::string::npos) number.decimals = static_cast<int>(digits.size() - point - 1);
    filled = point == std::string::npos ? std::max(0, static_cast<int>(digits.size()) - *format.figures) : 0;
  } else if (format.step == 0.5) {
    const double halves = std::floor(2 * number.raw + 0.5) / 2;
    number.decimals = halves == std::floor(halves) ? 0 : 1;
    digits = printed(halves, number.decimals);
  } else {
    digits = printed(std::floor(number.raw / format.step + 0.5) * format.step, 0);
  }
  number.rounded = value_of(digits);
  number.singular = number.rounded == 1 && (number.decimals > 0 || digits == "1");
  number.negative = value < 0 && number.rounded != 0;
  number.scientific = needs_power(digits);
  number.shown = number.scientific ? with_power(digits, filled) : with_separators(digits, format);
  return digits.size() > static_cast<std::size_t>(kMaxFigures) + 1 && !number.scientific ? std::nullopt
                                                                                         : std::optional(number);
}

}  // namespace touchstone::extractors::wikitext::templates::internal
