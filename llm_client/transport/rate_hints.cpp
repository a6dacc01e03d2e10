#include "llm_client/transport/rate_hints.hpp"

#include "common/unicode.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>
#include <utility>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr std::size_t kLongestValue = 64;
constexpr std::string_view kBlanks = " \t\r\n";

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

/// Units of a duration with their milliseconds; one that begins like another is behind it.
constexpr std::pair<std::string_view, double> kUnits[] = {{"ms", 1},   {"us", 1e-3},   {"\xC2\xB5s", 1e-3}, {"s", 1e3},
                                                          {"m", 60e3}, {"h", 3'600e3}, {"d", 86'400e3}};

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

milliseconds until(double unix_ms, system_clock::time_point now) {
  return bounded(unix_ms - std::chrono::duration<double, std::milli>(now.time_since_epoch()).count());
}

/// A time in strptime()'s `format`, behind which a fraction of a second may be, and then what `zone` describes.
std::optional<double> unix_ms(const std::string& text, const char* format, const char* zone) {
  std::tm time{}, offset{};
  const char* rest = ::strptime(text.c_str(), format, &time);
  double fraction = 0;
  if (rest != nullptr && *rest == '.') rest = std::from_chars(rest, text.c_str() + text.size(), fraction).ptr;
  if (rest != nullptr) rest = ::strptime(rest, zone, &offset);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  return (static_cast<double>(::timegm(&time) - offset.tm_gmtoff) + fraction) * 1000;
}

/// "2025-01-31T08:00:00Z", with fractions and offsets; or "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7; the
/// two obsolete forms are not read).
std::optional<double> date_ms(const std::string& text) {
  auto iso = upper_case(text);
  if (constexpr std::size_t kBetween = 10; iso.size() > kBetween && iso[kBetween] == ' ') iso[kBetween] = 'T';
  const auto time = unix_ms(iso, "%Y-%m-%dT%H:%M:%S", "%z");
  return time ? time : unix_ms(text, "%a, %d %b %Y %H:%M:%S", " GMT");
}

/// "1h2m3.5s", "120ms": numbers with units, at least one.
std::optional<double> duration_ms(std::string_view text) {
  double sum = 0;
  while (!text.empty()) {
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto value = number<double>(text.substr(0, digits));
    text.remove_prefix(digits);
    const auto* unit = std::ranges::find_if(kUnits, [&](const auto& known) { return text.starts_with(known.first); });
    if (!value || unit == std::end(kUnits)) return std::nullopt;
    sum += *value * unit->second;
    text.remove_prefix(unit->first.size());
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
  text = text::trimmed(text, kBlanks);
  if (text.empty() || text.size() > kLongestValue) return std::nullopt;
  if (const auto seconds = number<double>(text)) {
    if (!(*seconds >= 0) || std::isinf(*seconds)) return std::nullopt;
    if (*seconds >= 1e11) return until(*seconds, now);
    if (*seconds >= 1e9) return until(*seconds * 1000, now);
    return bounded(*seconds * 1000);
  }
  if (const auto duration = duration_ms(text)) return bounded(*duration);
  if (const auto time = date_ms(std::string(text))) return until(*time, now);
  return std::nullopt;
}

void read_rate_header(std::string_view line, system_clock::time_point now, RateHints& hints) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto name = lower_case(text::trimmed(line.substr(0, colon), kBlanks));
  const auto value = text::trimmed(line.substr(colon + 1), kBlanks);
  if (value.size() > kLongestValue) return;
  if (name == "retry-after-ms") {
    if (const auto ms = number<double>(value); ms && *ms >= 0 && !std::isinf(*ms)) hints.retry_after = bounded(*ms);
  } else if (name == "retry-after") {
    if (!hints.retry_after) hints.retry_after = parse_wait(value, now);
  }
  for (const auto& limit : kLimitHeaders) {
    if (name == limit.name) read_field(limit.field, value, now, hints.*limit.hint);
  }
}

}  // namespace touchstone::llm_client::transport::internal
