#include "tests/unit/llm_client/transport/transport_fixture.hpp"

#include <atomic>
#include <mutex>

/// Statuses that may be the run's fault or one request's, and who pays for attempts.
namespace touchstone::llm_client::transport {
namespace {

/// Lets so many further attempts through, and counts.
class CountingGate : public AttemptGate {
 public:
  explicit CountingGate(int allowed) : allowed_(allowed) {}
  bool may_send(std::uint64_t id, int attempts) override {
    if (id == kControlExchange) ++controls;
    return (attempts == 0 && id != kControlExchange) || allowed_-- > 0;
  }
  void arrived(std::uint64_t, std::string_view) override {}
  void failed(std::uint64_t, bool was_served) override {
    ++failures;
    if (was_served) ++served;
  }
  std::atomic<int> failures{0}, served{0}, controls{0};

 private:
  std::atomic<int> allowed_;
};

class RefusedAlone : public ::testing::TestWithParam<int> {};

TEST_P(RefusedAlone, AStatusThatOnlyOneRequestMeetsFailsItAlone) {
  JudgeServer server({"--latency-ms", "2", "--rules",
                      fmt::format(R"([{{"do":"status","status":{},"match":"question 17\""}}])", GetParam())});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 400);
  EXPECT_FALSE(transport.fatal().has_value()) << *transport.fatal();
  EXPECT_EQ(count(all, FailureKind::none), 399U);
  EXPECT_EQ(all.at(17).failure, FailureKind::request_rejected);
  EXPECT_EQ(all.at(17).status, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Transport, RefusedAlone, ::testing::Values(401, 402, 403, 404, 405, 407, 501, 505));

TEST(TransportRefusals, TheControlExchangeTellsWhoseFaultItIsWhenThereAreNoOthers) {
  JudgeServer server({"--rules", R"([{"do":"status","status":403,"match":"question"}])"});
  auto options = quick();
  options.control_path = "/chat/completions";
  options.control_body = question(0, "control");
  CountingGate gate(1'000);
  options.gate = &gate;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 1);
  EXPECT_EQ(all.size(), 1U) << "the control exchange is not delivered";
  EXPECT_EQ(all.at(0).failure, FailureKind::request_rejected) << all.at(0).message;
  EXPECT_GE(gate.controls, 1);
}

TEST(TransportRefusals, AServerThatRefusesTheControlExchangeTooStopsTheRun) {
  JudgeServer server({"--rules", R"([{"do":"status","status":401}])"});
  auto options = quick();
  options.control_path = "/chat/completions";
  options.control_body = question(0, "control");
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 500);
  ASSERT_TRUE(transport.fatal().has_value());
  EXPECT_NE(transport.fatal()->find("key"), std::string::npos) << *transport.fatal();
  EXPECT_LE(server.counts()["requests"], 100);
}

TEST(TransportRefusals, AServerThatRefusesAllButTheControlExchangeStopsTheRun) {
  JudgeServer server({"--rules", R"([{"do":"status","status":403,"match":"question"}])"});
  auto options = quick();
  options.in_flight = 4;
  options.control_path = "/chat/completions";
  options.control_body = question(0, "control");
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 500);
  ASSERT_TRUE(transport.fatal().has_value());
  EXPECT_NE(transport.fatal()->find("key"), std::string::npos) << *transport.fatal();
  EXPECT_LE(count(all, FailureKind::request_rejected), 32U);
}

TEST(TransportRefusals, AServerThatBeginsToRefuseEverythingStopsTheRun) {
  JudgeServer server({"--latency-ms", "2", "--rules", R"([{"do":"status","status":403,"after":50}])"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  ask(transport, 3'000);
  ASSERT_TRUE(transport.fatal().has_value());
  EXPECT_LE(server.counts()["requests"], 50 + 2 * 256);
}

TEST(TransportRefusals, FiltersOfProvidersStopNothing) {
  for (
      const char* rule :
      {R"({"do":"status","status":400,"code":"content_filter"})",
       R"({"do":"status","status":400,"body":"{\"object\":\"error\",\"message\":\"held back\",\"type\":\"content_filter\",\"code\":400}"})",
       R"({"do":"status","status":403,"body":"{\"error\":{\"code\":403,\"metadata\":{\"flagged_input\":\"x\"}}}"})",
       R"({"do":"status","status":400,"body":"[{\"error\":{\"code\":\"content_policy_violation\"}}]"})"}) {
    JudgeServer server({"--rules", fmt::format("[{}]", rule)});
    Transport transport({{"", server.base_url(), 1, {}}}, quick());
    const auto all = ask(transport, 20);
    EXPECT_FALSE(transport.fatal().has_value()) << *transport.fatal();
    EXPECT_EQ(count(all, FailureKind::request_rejected), 20U) << rule;
    EXPECT_EQ(transport.statistics().retries, 0U);
  }
}

TEST(TransportRefusals, EveryFurtherAttemptIsPaidFor) {
  JudgeServer server({"--rules", R"([{"do":"cut","share":0.5}])"});
  auto options = quick();
  options.max_attempts = 4;
  CountingGate gate(10);
  options.gate = &gate;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 60);
  EXPECT_EQ(server.counts()["requests"], 60 + 10);
  EXPECT_EQ(gate.failures, gate.served) << "a reply that was cut may have been served";
  EXPECT_GT(count(all, FailureKind::cancelled), 0U) << "attempts that nobody pays for are not made";
}

TEST(TransportRefusals, AClientThatGaveUpKnowsThatTheServerMayHaveServed) {
  JudgeServer server({"--rules", R"([{"do":"hang","match":"question 3\""}])"});
  auto options = quick();
  options.reply_timeout = milliseconds(200);
  options.max_attempts = 2;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 10);
  EXPECT_TRUE(all.at(3).served);
  EXPECT_FALSE(all.at(4).served);
}

}  // namespace
}  // namespace touchstone::llm_client::transport
