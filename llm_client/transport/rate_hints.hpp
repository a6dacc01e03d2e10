#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// What a reply's headers say about one limit. Source: the rate-limit pages of OpenAI's and Anthropic's API references
/// (read 2025-01).
struct LimitHint {
  std::optional<std::uint64_t> limit, remaining;
  std::optional<std::chrono::milliseconds> reset;  ///< from now until the limit is whole again
  friend bool operator==(const LimitHint&, const LimitHint&) = default;
};

struct RateHints {
  std::optional<std::chrono::milliseconds> retry_after;
  LimitHint requests, tokens;
  friend bool operator==(const RateHints&, const RateHints&) = default;
};

/// No hint is longer, whatever a server writes.
inline constexpr std::chrono::milliseconds kLongestHint = std::chrono::hours(24);

/// Reads one header line ("Name: value", line end allowed) into `hints`: `Retry-After` (seconds or a date),
/// `retry-after-ms`, `x-ratelimit-{limit,remaining,reset}-{requests,tokens}`,
/// `anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}`. Other lines and values that make no sense change
/// nothing. `retry-after-ms` wins over `Retry-After`. Pure and thread-safe; takes any bytes.
void read_rate_header(std::string_view line, std::chrono::system_clock::time_point now, RateHints& hints);

/// A time from now: "1.5" seconds, "6m0s", "120ms", "1h2m3.5s", a Unix time in seconds or milliseconds, an RFC 3339
/// time, or an HTTP date; past times are zero. Returns nothing for any other text. At most kLongestHint.
std::optional<std::chrono::milliseconds> parse_wait(std::string_view text, std::chrono::system_clock::time_point now);

}  // namespace touchstone::llm_client::transport::internal
