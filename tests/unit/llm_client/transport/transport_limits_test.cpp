#include "tests/unit/llm_client/transport/transport_fixture.hpp"

namespace touchstone::llm_client::transport {
namespace {

using Seconds = std::chrono::duration<double>;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return Seconds(std::chrono::steady_clock::now() - begin).count();
}

TEST(TransportLimits, RequestsAMinuteAreCapped) {
  JudgeServer server;
  auto options = quick();
  options.requests_per_minute = 1'200;  // 20 a second, after a first second's worth
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto begin = std::chrono::steady_clock::now();
  ask(transport, 60);
  EXPECT_GE(seconds_since(begin), 1.9);
  EXPECT_LE(seconds_since(begin), 6);
}

TEST(TransportLimits, TokensAMinuteAreCapped) {
  JudgeServer server;
  auto options = quick();
  options.tokens_per_minute = 120'000;  // 20 requests of 100 tokens a second
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto begin = std::chrono::steady_clock::now();
  ask(transport, 60);
  EXPECT_GE(seconds_since(begin), 1.9);
  EXPECT_LE(seconds_since(begin), 6);
}

TEST(TransportLimits, ALearntLimitIsUsedUpWithFew429) {
  JudgeServer server({"--requests-per-minute", "600", "--burst", "20", "--latency-ms", "5"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto begin = std::chrono::steady_clock::now();
  const auto all = ask(transport, 60);  // 4 s at best
  EXPECT_LE(seconds_since(begin), 8);
  EXPECT_EQ(count(all, FailureKind::none), 60U) << message(all, FailureKind::fatal);
  EXPECT_LE(transport.statistics().throttled, 6U);
  EXPECT_EQ(transport.statistics().endpoints.at(0).requests_limit, 20U);
}

TEST(TransportLimits, ThrottlingShrinksTheWindowAndLosesNothing) {
  JudgeServer server({"--latency-ms", "2", "--rules", R"([{"do":"status","status":529,"share":0.2,"times":2}])"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 300);
  EXPECT_EQ(count(all, FailureKind::none), 300U);
  EXPECT_GT(transport.statistics().throttled, 80U);
  EXPECT_LT(transport.statistics().endpoints.at(0).window, 256U);
}

TEST(TransportLimits, TheWindowGrowsToTheCapOnAServerThatTakesIt) {
  JudgeServer server(
      {"--latency-ms", "400"});  // so that 200 in flight are 500 a second, which a busy machine serves too
  auto options = quick();
  options.in_flight = 200;
  options.first_in_flight = 4;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  ask(transport, 1'600);
  EXPECT_EQ(transport.statistics().peak_in_flight, 200U);
}

TEST(TransportLimits, AServerWithFewSlotsIsNotFloodedAndIsKeptBusy) {
  JudgeServer server({"--latency-ms", "50", "--slots", "8"});
  auto options = quick();
  options.in_flight = 1'000;
  options.first_in_flight = 4;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto begin = std::chrono::steady_clock::now();
  ask(transport, 800);  // 5 s at best
  EXPECT_LE(seconds_since(begin), 8);
  EXPECT_LE(transport.statistics().peak_in_flight, 250U);
}

TEST(TransportLimits, AllRepliesTogetherKeepToTheirBound) {
  JudgeServer server({"--rules", R"([{"do":"huge","times":2}])"});
  auto options = quick();
  options.in_flight = options.first_in_flight = 64;
  options.max_reply_bytes = std::size_t{64} << 20;
  options.max_held_bytes = std::size_t{8} << 20;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 64);
  EXPECT_EQ(count(all, FailureKind::none), 64U) << message(all, FailureKind::fatal);
  EXPECT_LT(transport.statistics().bytes_received, std::size_t{256} << 20) << "bodies that were held at any time";
}

}  // namespace
}  // namespace touchstone::llm_client::transport
