#include "llm_client/transport/rate_hints.hpp"

#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr std::size_t kLongestValue = 64;

enum class Field { kLimit, kRemaining, kReset };

struct LimitHeader {
  std::string_view name;
  LimitHint RateHints::*hint;
  Field field;
};
constexpr std::array<LimitHeader, 12> kLimitHeaders = {{
    {"x-ratelimit-limit-requests", &RateHints::requests, Field::kLimit},
    {"x-ratelimit-remaining-requests", &RateHints::requests, Field::kRemaining},
    {"x-ratelimit-reset-requests", &RateHints::requests, Field::kReset},
    {"x-ratelimit-limit-tokens", &RateHints::tokens, Field::kLimit},
    {"x-ratelimit-remaining-tokens", &RateHints::tokens, Field::kRemaining},
    {"x-ratelimit-reset-tokens", &RateHints::tokens, Field::kReset},
    {"anthropic-ratelimit-requests-limit", &RateHints::requests, Field::kLimit},
    {"anthropic-ratelimit-requests-remaining", &RateHints::requests, Field::kRemaining},
    {"anthropic-ratelimit-requests-reset", &RateHints::requests, Field::kReset},
    {"anthropic-ratelimit-tokens-limit", &RateHints::tokens, Field::kLimit},
    {"anthropic-ratelimit-tokens-remaining", &RateHints::tokens, Field::kRemaining},
    {"anthropic-ratelimit-tokens-reset", &RateHints::tokens, Field::kReset},
}};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view name, std::string_view lower_case) {
  return name.size() == lower_case.size() &&
         std::equal(name.begin(), name.end(), lower_case.begin(), [](char a, char b) { return lower(a) == b; });
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

milliseconds bounded(double wait_ms) {
  if (!(wait_ms > 0)) return milliseconds(0);
  return milliseconds(
      static_cast<std::int64_t>(std::ceil(std::min(wait_ms, static_cast<double>(kLongestHint.count())))));
}

std::optional<milliseconds> until(double unix_ms, system_clock::time_point now) {
  const auto now_ms = std::chrono::duration<double, std::milli>(now.time_since_epoch()).count();
  return bounded(unix_ms - now_ms);
}

/// Takes digits from the front of `text`; nothing unless exactly `digits` are there.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  const auto value = number<int>(text.substr(0, digits));
  if (!value || *value < 0 || text.front() == '-') return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

std::optional<double> unix_ms(int year, int month, int day, int hour, int minute, double second) {
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok() || hour > 23 || minute > 59 || second >= 61) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((static_cast<double>(days) * 24 + hour) * 60 + minute) * 60'000 + second * 1000;
}

/// "2025-01-31T08:00:00Z", with fractions and offsets.
std::optional<double> rfc3339_ms(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day || !(take(text, "T") || take(text, "t") || take(text, " "))) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || !take(text, ":")) return std::nullopt;
  const auto zone = text.find_first_of("Zz+-");
  if (zone == std::string_view::npos || zone == 0) return std::nullopt;
  const auto second = number<double>(text.substr(0, zone));
  if (!second || !(*second >= 0)) return std::nullopt;
  auto time = unix_ms(*year, *month, *day, *hour, *minute, *second);
  const char sign = text[zone];
  text.remove_prefix(zone + 1);
  if (!time) return std::nullopt;
  if (sign == 'Z' || sign == 'z') return text.empty() ? time : std::nullopt;
  const auto off_hours = take_digits(text, 2);
  if (!off_hours || !take(text, ":")) return std::nullopt;
  const auto off_minutes = take_digits(text, 2);
  if (!off_minutes || !text.empty()) return std::nullopt;
  return *time - (sign == '+' ? 1 : -1) * (*off_hours * 60 + *off_minutes) * 60'000.0;
}

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7; the two obsolete forms are not read).
std::optional<double> http_date_ms(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto comma = text.find(", ");
  if (comma != 3) return std::nullopt;
  text.remove_prefix(comma + 2);
  const auto day = take_digits(text, 2);
  if (!day || !take(text, " ")) return std::nullopt;
  const auto* month = std::find(kMonths.begin(), kMonths.end(), text.substr(0, 3));
  if (month == kMonths.end()) return std::nullopt;
  text.remove_prefix(3);
  if (!take(text, " ")) return std::nullopt;
  const auto year = take_digits(text, 4);
  if (!year || !take(text, " ")) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || !take(text, ":")) return std::nullopt;
  const auto second = take_digits(text, 2);
  if (!second || text != " GMT") return std::nullopt;
  return unix_ms(*year, static_cast<int>(month - kMonths.begin()) + 1, *day, *hour, *minute, *second);
}

/// "1h2m3.5s", "120ms": numbers with units, at least one.
std::optional<double> duration_ms(std::string_view text) {
  double sum = 0;
  while (!text.empty()) {
    const auto unit = text.find_first_not_of("0123456789.");
    if (unit == 0 || unit == std::string_view::npos) return std::nullopt;
    const auto value = number<double>(text.substr(0, unit));
    if (!value) return std::nullopt;
    text.remove_prefix(unit);
    if (take(text, "ms")) {
      sum += *value;
    } else if (take(text, "us") || take(text, "\xC2\xB5s")) {
      sum += *value / 1000;
    } else if (take(text, "s")) {
      sum += *value * 1000;
    } else if (take(text, "m")) {
      sum += *value * 60'000;
    } else if (take(text, "h")) {
      sum += *value * 3'600'000;
    } else if (take(text, "d")) {
      sum += *value * 86'400'000;
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

void read_field(Field field, std::string_view value, system_clock::time_point now, LimitHint& hint) {
  if (field == Field::kReset) {
    if (const auto wait = parse_wait(value, now)) hint.reset = wait;
  } else if (const auto count = number<std::uint64_t>(value)) {
    (field == Field::kLimit ? hint.limit : hint.remaining) = count;
  }
}

}  // namespace

std::optional<milliseconds> parse_wait(std::string_view text, system_clock::time_point now) {
  text = text::trimmed(text, " \t\r\n");
  if (text.empty() || text.size() > kLongestValue) return std::nullopt;
  if (const auto seconds = number<double>(text)) {
    if (!(*seconds >= 0) || std::isinf(*seconds)) return std::nullopt;
    if (*seconds >= 1e11) return until(*seconds, now);
    if (*seconds >= 1e9) return until(*seconds * 1000, now);
    return bounded(*seconds * 1000);
  }
  if (const auto duration = duration_ms(text)) return bounded(*duration);
  if (const auto time = rfc3339_ms(text)) return until(*time, now);
  if (const auto time = http_date_ms(text)) return until(*time, now);
  return std::nullopt;
}

void read_rate_header(std::string_view line, system_clock::time_point now, RateHints& hints) {
  const auto colon = line.find(':');
  if (colon != std::string_view::npos) read_rate_field(line.substr(0, colon), line.substr(colon + 1), now, hints);
}

void read_rate_field(std::string_view name, std::string_view text, system_clock::time_point now, RateHints& hints) {
  if (name.size() < 11 || name.size() > 40) return;  // no name of ours is shorter or longer
  const auto value = text::trimmed(text, " \t\r\n");
  if (value.size() > kLongestValue) return;
  if (same_name(name, "retry-after-ms")) {
    if (const auto ms = number<double>(value); ms && *ms >= 0 && !std::isinf(*ms)) hints.retry_after = bounded(*ms);
    return;
  }
  if (same_name(name, "retry-after")) {
    if (!hints.retry_after) hints.retry_after = parse_wait(value, now);
    return;
  }
  for (const auto& limit : kLimitHeaders) {
    if (same_name(name, limit.name)) read_field(limit.field, value, now, hints.*limit.hint);
  }
}

}  // namespace touchstone::llm_client::transport::internal
