#include "llm_client/transport/rate_hints.hpp"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::llm_client::transport::internal {
namespace {

using std::chrono::milliseconds;

// Fri, 31 Jan 2025 08:00:00 GMT
const auto kNow = std::chrono::system_clock::time_point(std::chrono::seconds(1'738'310'400));

RateHints read(std::initializer_list<const char*> lines) {
  RateHints hints;
  for (const char* line : lines) read_rate_header(line, kNow, hints);
  return hints;
}

TEST(RateHints, RetryAfterIsReadAsSecondsFractionsAndDates) {
  EXPECT_EQ(read({"Retry-After: 7\r\n"}).retry_after, milliseconds(7'000));
  EXPECT_EQ(read({"retry-after: 0.25\r\n"}).retry_after, milliseconds(250));
  EXPECT_EQ(read({"RETRY-AFTER: Fri, 31 Jan 2025 08:00:42 GMT\r\n"}).retry_after, milliseconds(42'000));
  EXPECT_EQ(read({"Retry-After: Fri, 31 Jan 2025 07:00:00 GMT\r\n"}).retry_after, milliseconds(0));
}

TEST(RateHints, MillisecondsWinOverSecondsInEitherOrder) {
  EXPECT_EQ(read({"retry-after-ms: 120", "Retry-After: 1"}).retry_after, milliseconds(120));
  EXPECT_EQ(read({"Retry-After: 1", "Retry-After-Ms: 120"}).retry_after, milliseconds(120));
}

TEST(RateHints, OpenAiLimitsAreRead) {
  const auto hints = read({"x-ratelimit-limit-requests: 10000", "x-ratelimit-remaining-requests: 9999",
                           "x-ratelimit-reset-requests: 8.64s", "X-RateLimit-Limit-Tokens: 200000",
                           "x-ratelimit-remaining-tokens: 199990", "x-ratelimit-reset-tokens: 6m0s"});
  EXPECT_EQ(hints.requests, (LimitHint{10'000, 9'999, milliseconds(8'640)}));
  EXPECT_EQ(hints.tokens, (LimitHint{200'000, 199'990, milliseconds(360'000)}));
}

TEST(RateHints, AnthropicLimitsAreRead) {
  const auto hints =
      read({"anthropic-ratelimit-requests-limit: 50", "anthropic-ratelimit-requests-remaining: 0",
            "anthropic-ratelimit-requests-reset: 2025-01-31T08:00:12Z", "anthropic-ratelimit-tokens-remaining: 4000",
            "anthropic-ratelimit-tokens-reset: 2025-01-31T09:00:30.5+01:00"});
  EXPECT_EQ(hints.requests, (LimitHint{50, 0, milliseconds(12'000)}));
  EXPECT_EQ(hints.tokens, (LimitHint{std::nullopt, 4'000, milliseconds(30'500)}));
}

TEST(RateHints, WaitsAreReadInEveryForm) {
  EXPECT_EQ(parse_wait("1h2m3.5s", kNow), milliseconds(3'723'500));
  EXPECT_EQ(parse_wait("120ms", kNow), milliseconds(120));
  EXPECT_EQ(parse_wait(" 3 ", kNow), milliseconds(3'000));
  EXPECT_EQ(parse_wait("1738310405", kNow), milliseconds(5'000));
  EXPECT_EQ(parse_wait("1738310405250", kNow), milliseconds(5'250));
}

TEST(RateHints, NoWaitIsLongerThanADay) {
  EXPECT_EQ(parse_wait("999999999", kNow), kLongestHint);
  EXPECT_EQ(parse_wait("Fri, 31 Jan 2125 08:00:00 GMT", kNow), kLongestHint);
}

TEST(RateHints, NonsenseIsNoHint) {
  for (const char* text :
       {"", "soon", "-1", "nan", "inf", "1x", "s", "1.2.3s", "Fri, 32 Jan 2025 08:00:00 GMT", "2025-13-01T00:00:00Z",
        "2025-01-31T08:00:00", "2025-01-31T08:00:0", "1e400", "Fri, 31 Jan 2025 08:00:42"}) {
    EXPECT_EQ(parse_wait(text, kNow), std::nullopt) << text;
  }
  EXPECT_EQ(read({"Retry-After", "Retry-After:", ": 5", "x-ratelimit-limit-requests: many", "Content-Type: text/html",
                  "x-ratelimit-limit-requestsx: 5", "x-ratelimit-remaining-tokens: -3"}),
            RateHints{});
  EXPECT_EQ(parse_wait(std::string(100'000, '1'), kNow), std::nullopt);
}

}  // namespace
}  // namespace touchstone::llm_client::transport::internal
