#include "tests/unit/llm_client/transport/transport_fixture.hpp"

namespace touchstone::llm_client::transport {
namespace {

/// What heals after one attempt, whatever way the first one fails.
class Healing : public ::testing::TestWithParam<const char*> {};

TEST_P(Healing, TheNextAttemptSucceeds) {
  JudgeServer server({"--rules", fmt::format("[{}]", GetParam())});
  auto options = quick();
  options.reply_timeout = milliseconds(2'000);  // well below the 3.5 s that slow headers take
  options.max_reply_bytes = 1 << 20;
  options.outage_patience = milliseconds(20'000);
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 40);
  EXPECT_EQ(count(all, FailureKind::none), 40U) << message(all, FailureKind::fatal);
  EXPECT_EQ(server.counts()["answered_distinct"], 40);
  EXPECT_EQ(server.counts()["answered_again"], 0) << transport.statistics().timeouts << " timeouts";
}

INSTANTIATE_TEST_SUITE_P(
    Transport, Healing,
    ::testing::Values(R"({"do":"status","status":500,"times":1})", R"({"do":"status","status":502,"times":2})",
                      R"({"do":"status","status":503,"times":1})", R"({"do":"status","status":529,"times":1})",
                      R"({"do":"status","status":408,"times":1})", R"({"do":"status","status":429,"times":1})",
                      R"({"do":"status","status":429,"times":1,"headers":{"retry-after-ms":"50"}})",
                      R"({"do":"reset","times":1})", R"({"do":"close","times":1})", R"({"do":"cut","times":1})",
                      R"({"do":"cut_headers","times":1})", R"({"do":"garbage","times":1})",
                      R"({"do":"hang","times":1,"share":0.2})", R"({"do":"slow_headers","times":1,"share":0.2})",
                      R"({"do":"endless","times":1,"share":0.2})",
                      R"({"do":"endless_headers","times":1,"share":0.2})"));

/// What stops the run: the reply, and a word that the sentence must have.
struct Deadly {
  const char* rule;
  const char* word;
};
class Fatal : public ::testing::TestWithParam<Deadly> {};

TEST_P(Fatal, TheRunStopsWithASentenceAndNoFurtherRequests) {
  JudgeServer server({"--latency-ms", "20", "--rules", fmt::format("[{}]", GetParam().rule)});
  auto options = quick();
  options.in_flight = 4;
  Transport transport({{"", server.base_url(), 1, {"Authorization: Bearer sk-very-secret"}}}, options);
  const auto all = ask(transport, 2'000);
  ASSERT_TRUE(transport.fatal().has_value());
  EXPECT_NE(transport.fatal()->find(GetParam().word), std::string::npos) << *transport.fatal();
  const auto origin = server.base_url().substr(0, server.base_url().rfind('/'));
  EXPECT_NE(transport.fatal()->find(origin), std::string::npos) << *transport.fatal();
  EXPECT_EQ(transport.fatal()->find("secret"), std::string::npos);
  EXPECT_GE(count(all, FailureKind::fatal), 1U);
  EXPECT_LE(server.counts()["requests"], 20);
  EXPECT_FALSE(transport.submit(chat(1)));
}

INSTANTIATE_TEST_SUITE_P(
    Transport, Fatal,
    ::testing::Values(Deadly{R"({"do":"status","status":401})", "key"},
                      Deadly{R"({"do":"status","status":403})", "key"},
                      Deadly{R"({"do":"status","status":404})", "base URL"},
                      Deadly{R"({"do":"status","status":402})", "quota"},
                      Deadly{R"({"do":"status","status":429,"code":"insufficient_quota"})", "quota"},
                      Deadly{R"({"do":"status","status":400})", "first 5 requests"},
                      Deadly{R"({"do":"status","status":429,"headers":{"Retry-After":"86000"}})", "come back in"},
                      Deadly{R"({"do":"redirect","headers":{"Location":"http://other.example/v1?key=1"}})",
                             "redirect to other.example"}));

TEST(TransportFailures, AWaitOfADayForTheFirstRequestEndsItAlone) {
  JudgeServer server(
      {"--rules", R"([{"do":"status","status":429,"match":"question 0\"","headers":{"Retry-After":"86400"}}])"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  std::jthread producer([&transport] {
    transport.submit(chat(0));
    std::this_thread::sleep_for(milliseconds(500));  // the others come late
    for (std::size_t i = 1; i < 20 && transport.submit(chat(i)); ++i) {
    }
    transport.close();
  });
  const auto all = take_all(transport);
  EXPECT_FALSE(transport.fatal()) << transport.fatal().value_or("");
  EXPECT_EQ(count(all, FailureKind::none), 19U);
  EXPECT_EQ(count(all, FailureKind::transient_exhausted), 1U);
}

/// Sends 20 requests. The last one comes when the others have passed, and is always told to come back in a day.
std::map<std::uint64_t, Delivery> ask_a_last_one_that_waits_a_day(Transport& transport) {
  std::jthread producer([&transport] {
    for (std::size_t i = 1; i < 20 && transport.submit(chat(i)); ++i) {
    }
    while (transport.statistics().succeeded < 19) std::this_thread::sleep_for(milliseconds(5));
    transport.submit(chat(0));
    transport.close();
  });
  return take_all(transport);
}

TEST(TransportFailures, AWaitOfADayForTheLastRequestEndsItAloneWhenTheControlExchangePasses) {
  JudgeServer server(
      {"--rules", R"([{"do":"status","status":429,"match":"question 0\"","headers":{"Retry-After":"86400"}}])"});
  auto options = quick();
  options.control_path = "/chat/completions";
  options.control_body = question(20, "control");
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask_a_last_one_that_waits_a_day(transport);
  EXPECT_FALSE(transport.fatal()) << transport.fatal().value_or("");
  EXPECT_EQ(count(all, FailureKind::none), 19U);
  EXPECT_EQ(count(all, FailureKind::transient_exhausted), 1U);
}

TEST(TransportFailures, AWaitOfADayForTheLastRequestAndTheControlExchangeStopsTheRun) {
  JudgeServer server({"--rules", R"([{"do":"status","status":429,"after":19,"headers":{"Retry-After":"86400"}}])"});
  auto options = quick();
  options.control_path = "/chat/completions";
  options.control_body = question(20, "control");
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask_a_last_one_that_waits_a_day(transport);
  ASSERT_TRUE(transport.fatal().has_value());
  EXPECT_NE(transport.fatal()->find("come back in"), std::string::npos) << *transport.fatal();
  EXPECT_LE(server.counts()["requests"], 30);
}

class NeverAnswered : public ::testing::TestWithParam<const char*> {};

TEST_P(NeverAnswered, ARequestThatAlwaysHangsIsGivenUpAloneAlsoWhenItIsTheOnlyOne) {
  JudgeServer server({"--rules", fmt::format(R"([{{"do":"{}","match":"question"}}])", GetParam())});
  auto options = quick();
  options.reply_timeout = milliseconds(400);
  options.outage_patience = milliseconds(300);
  options.max_attempts = 3;
  options.max_reply_bytes = 1 << 16;
  options.control_path = "/chat/completions";
  options.control_body = question(0, "control");
  for (const std::size_t requests : {1, 3}) {
    Transport transport({{"", server.base_url(), 1, {}}}, options);
    const auto all = ask(transport, requests);
    EXPECT_FALSE(transport.fatal()) << transport.fatal().value_or("");
    EXPECT_EQ(count(all, FailureKind::transient_exhausted) + count(all, FailureKind::incomplete), requests);
  }
}

INSTANTIATE_TEST_SUITE_P(Transport, NeverAnswered,
                         ::testing::Values("hang", "slow_headers", "endless_headers", "endless", "long_length_open"));

TEST(TransportFailures, RedirectsCarryNothingElsewhere) {
  JudgeServer other;
  JudgeServer server(
      {"--rules", fmt::format(R"([{{"do":"redirect","status":307,"headers":{{"Location":"{}/chat/completions"}}}}])",
                              other.base_url())});
  Transport transport({{"", server.base_url(), 1, {"Authorization: Bearer sk-very-secret"}}}, quick());
  ask(transport, 3);
  EXPECT_EQ(other.counts()["requests"], 0);
}

TEST(TransportFailures, KeysThatServersEchoAreNotPassedOn) {
  JudgeServer server({"--api-key", "sk-the-right-one"});
  Transport transport({{"", server.base_url(), 1, {"Authorization: Bearer sk-the-wrong-one"}}}, quick());
  const auto all = ask(transport, 3);
  for (const auto& [id, delivery] : all) {
    EXPECT_EQ((delivery.body + delivery.message).find("sk-the-wrong-one"), std::string::npos) << delivery.body;
  }
  EXPECT_NE(transport.fatal().value_or("").find("***"), std::string::npos);
}

TEST(TransportFailures, ARequestThatAlwaysMeets500IsRejectedWhileOthersPass) {
  JudgeServer server({"--latency-ms", "5", "--rules", R"([{"do":"status","status":500,"match":"question 17\""}])"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 200);
  EXPECT_EQ(count(all, FailureKind::none), 199U);
  EXPECT_EQ(all.at(17).failure, FailureKind::request_rejected);
  EXPECT_EQ(all.at(17).status, 500);
  EXPECT_NE(all.at(17).message.find("while other requests passed"), std::string::npos) << all.at(17).message;
}

TEST(TransportFailures, AnEndlessReplyIsTheRequestsOwnFaultWhenOthersPass) {
  JudgeServer server({"--latency-ms", "5", "--rules", R"([{"do":"endless","match":"question 17\""}])"});
  auto options = quick();
  options.max_reply_bytes = 1 << 16;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 200);
  EXPECT_EQ(all.at(17).failure, FailureKind::incomplete);
  EXPECT_LE(all.at(17).body.size(), std::size_t{1} << 16);
  EXPECT_GE(transport.statistics().oversized, 3U);
}

TEST(TransportFailures, ARejectedRequestDoesNotStopTheOthers) {
  JudgeServer server({"--rules", R"([{"do":"status","status":400,"match":"question 1"}])"});
  auto options = quick();
  options.in_flight = 1;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 100);
  EXPECT_EQ(count(all, FailureKind::request_rejected), 11U);
  EXPECT_EQ(count(all, FailureKind::none), 89U);
  EXPECT_EQ(transport.statistics().retries, 0U);
}

TEST(TransportFailures, AttemptsRunOutForOneRequestThatOthersDoNotShare) {
  JudgeServer server({"--rules", R"([{"do":"status","status":502,"match":"question 17\""}])"});
  auto options = quick();
  options.max_attempts = 4;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 50);
  EXPECT_EQ(all.at(17).failure, FailureKind::transient_exhausted);
  EXPECT_EQ(all.at(17).attempts, 4);
  EXPECT_EQ(count(all, FailureKind::none), 49U);
}

TEST(TransportFailures, RetriesDoNotHoldNewRequestsUp) {
  JudgeServer server(
      {"--rules", R"([{"do":"status","status":429,"match":"question 0\"","times":1,"headers":{"Retry-After":"1"}}])"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  ASSERT_TRUE(transport.submit(chat(0)));
  std::size_t others = 0;
  for (std::size_t i = 1; i <= 100; ++i) ASSERT_TRUE(transport.submit(chat(i)));
  transport.close();
  const auto begin = std::chrono::steady_clock::now();
  while (!transport.finished()) {
    for (const auto& delivery : transport.take(milliseconds(100))) {
      if (delivery.id == 0) {
        EXPECT_EQ(others, 100U);
        EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(900));
        EXPECT_EQ(delivery.attempts, 2);
      } else {
        ++others;
      }
    }
  }
}

TEST(TransportFailures, RetryAfterIsKeptToInEveryForm) {
  for (const char* header :
       {R"("Retry-After":"1")", R"("retry-after-ms":"1000")", R"("Retry-After":"{http-date+2}")"}) {
    JudgeServer server(
        {"--rules", fmt::format(R"([{{"do":"status","status":429,"times":1,"headers":{{{}}}}}])", header)});
    Transport transport({{"", server.base_url(), 1, {}}}, quick());
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(count(ask(transport, 1), FailureKind::none), 1U);
    const auto time = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(time, milliseconds(990)) << header;
    EXPECT_LT(time, milliseconds(3'000)) << header;
  }
}

TEST(TransportFailures, AThrottledRequestGoesToAnotherEndpointAndKeepsAwayFromTheFirst) {
  JudgeServer busy({"--rules", R"([{"do":"status","status":429,"headers":{"Retry-After":"30"}}])"}), free;
  auto options = quick();
  options.in_flight = 2;
  Transport transport({{"", busy.base_url(), 1, {}}, {"", free.base_url(), 1, {}}}, options);
  const auto begin = std::chrono::steady_clock::now();
  const auto all = ask(transport, 100);
  EXPECT_EQ(count(all, FailureKind::none), 100U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(busy.counts()["requests"], busy.counts()["distinct"]) << "asked again before the time it named";
}

TEST(TransportFailures, AServerThatStaysAwayStopsTheRun) {
  auto server = std::make_unique<JudgeServer>();
  const auto url = server->base_url();
  Transport transport({{"", url, 1, {}}}, quick());
  for (std::size_t i = 0; i < 20; ++i) ASSERT_TRUE(transport.submit(chat(i)));
  std::size_t got = 0;
  while (got < 20) got += transport.take(milliseconds(100)).size();
  server.reset();
  for (std::size_t i = 20; i < 100; ++i) ASSERT_TRUE(transport.submit(chat(i)));
  const auto all = take_all(transport);
  ASSERT_TRUE(transport.fatal().has_value());
  EXPECT_NE(transport.fatal()->find("no request has succeeded for"), std::string::npos) << *transport.fatal();
  EXPECT_EQ(count(all, FailureKind::none), 0U);
  EXPECT_EQ(all.size(), 80U);
}

TEST(TransportFailures, ARestartedServerIsFoundAgainAndNothingIsLost) {
  JudgeServer server({"--latency-ms", "20"});
  auto options = quick();
  options.in_flight = 8;
  options.outage_patience = milliseconds(20'000);
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  std::jthread crash([&] {
    std::this_thread::sleep_for(milliseconds(300));
    server.kill();
    std::this_thread::sleep_for(milliseconds(500));
    server.restart({"--latency-ms", "5"});
  });
  const auto all = ask(transport, 500);
  EXPECT_EQ(count(all, FailureKind::none), 500U) << message(all, FailureKind::fatal);
  EXPECT_GT(transport.statistics().connection_failures, 0U);
}

TEST(TransportFailures, AnEndpointThatIsDownIsReplacedByTheOthers) {
  JudgeServer up, down;
  down.kill();
  Transport transport({{"", down.base_url(), 5, {}}, {"", up.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 300);
  EXPECT_EQ(count(all, FailureKind::none), 300U);
  for (const auto& endpoint : transport.statistics().endpoints) {
    if (endpoint.succeeded > 0) continue;
    EXPECT_LT(endpoint.sent, 60U) << "a dead endpoint is asked now and then only";
  }
}

}  // namespace
}  // namespace touchstone::llm_client::transport
