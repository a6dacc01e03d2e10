#include "common/digest.hpp"
#include "tests/unit/llm_client/transport/transport_fixture.hpp"

/// Only a whole, undamaged reply to the very request is delivered as one.
namespace touchstone::llm_client::transport {
namespace {

/// The id that the test server gives its reply to `question(number)`.
std::string id_of_reply(std::size_t number) {
  return fmt::format("chatcmpl-{:016x}", xxh3_64(fmt::format("question {}\n", number)));
}

/// Each reply that was delivered as good is the one to its own request.
void expect_own_replies(const std::map<std::uint64_t, Delivery>& all) {
  for (const auto& [id, delivery] : all) {
    if (delivery.failure != FailureKind::none) continue;
    EXPECT_NE(delivery.body.find(id_of_reply(id)), std::string::npos) << id << ": " << delivery.body;
  }
}

class Damaged : public ::testing::TestWithParam<const char*> {};

TEST_P(Damaged, ARequestWhoseReplyIsAlwaysDamagedIsIncompleteWhileOthersPass) {
  JudgeServer server(
      {"--latency-ms", "2", "--rules", fmt::format(R"([{{"do":"{}","match":"question 17\""}}])", GetParam())});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 200);
  EXPECT_EQ(count(all, FailureKind::none), 199U);
  EXPECT_EQ(all.at(17).failure, FailureKind::incomplete) << all.at(17).message;
  EXPECT_EQ(all.at(17).status, 0);
  EXPECT_FALSE(all.at(17).damage.empty());
  EXPECT_EQ(all.at(17).damage.find("127.0.0.1"), std::string::npos) << all.at(17).damage;
  EXPECT_TRUE(all.at(17).served);
  expect_own_replies(all);
}

TEST_P(Damaged, TheNextAttemptHeals) {
  JudgeServer server({"--rules", fmt::format(R"([{{"do":"{}","share":0.3,"times":1}}])", GetParam())});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 100);
  EXPECT_EQ(count(all, FailureKind::none), 100U) << message(all, FailureKind::fatal);
  expect_own_replies(all);
}

INSTANTIATE_TEST_SUITE_P(Transport, Damaged,
                         ::testing::Values("gzip_checksum", "gzip_no_trailer", "gzip_and_more", "gzip_claimed",
                                           "brotli_claimed", "deflate_claimed", "long_length", "chunks_without_end",
                                           "bad_chunk_size", "length_and_chunks", "two_lengths", "interim_body", "cut",
                                           "folded_head", "folded_status", "folded_field"));

class Repeated : public ::testing::TestWithParam<const char*> {};

TEST_P(Repeated, AReplyTooManyAnswersNoOtherRequest) {
  for (const std::size_t in_flight : {1, 4, 64}) {
    JudgeServer server({"--rules", fmt::format(R"([{{"do":"{}","share":0.3}}])", GetParam())});
    auto options = quick();
    options.in_flight = in_flight;
    Transport transport({{"", server.base_url(), 1, {}}}, options);
    const auto all = ask(transport, 150);
    EXPECT_EQ(count(all, FailureKind::none), 150U) << in_flight << " in flight: " << message(all, FailureKind::fatal);
    expect_own_replies(all);
  }
}

INSTANTIATE_TEST_SUITE_P(Transport, Repeated,
                         ::testing::Values("doubled", "repeats_later", "two_replies", "other_later"));

TEST(TransportDelivery, TrailersAndInterimRepliesDoNoHarm) {
  for (const char* deed : {"trailers", "early_hints", "continue_first", "http_1_0", "drops_connection"}) {
    JudgeServer server({"--rules", fmt::format(R"([{{"do":"{}"}}])", deed)});
    Transport transport({{"", server.base_url(), 1, {}}}, quick());
    const auto all = ask(transport, 60);
    EXPECT_EQ(count(all, FailureKind::none), 60U) << deed << ": " << message(all, FailureKind::fatal);
    expect_own_replies(all);
  }
}

TEST(TransportDelivery, CompressedRepliesAreRead) {
  JudgeServer server({"--gzip"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 60);
  EXPECT_EQ(count(all, FailureKind::none), 60U);
  expect_own_replies(all);
}

TEST(TransportDelivery, RequestsThatAConnectionDropsAreCountedAsAttempts) {
  JudgeServer server({"--rules", R"([{"do":"close","times":1,"share":0.5}])"});
  auto options = quick();
  options.in_flight = 2;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  const auto all = ask(transport, 100);
  EXPECT_EQ(count(all, FailureKind::none), 100U);
  EXPECT_EQ(transport.statistics().sent, server.counts()["requests"]) << "curl sent some again by itself";
}

}  // namespace
}  // namespace touchstone::llm_client::transport
