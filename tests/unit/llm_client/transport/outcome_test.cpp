#include "llm_client/transport/outcome.hpp"

#include "common/secrets.hpp"

#include <gtest/gtest.h>

namespace touchstone::llm_client::transport::internal {
namespace {

Outcome of(int status, std::string body = {}) {
  Reply reply;
  reply.status = status;
  reply.body = std::move(body);
  return classify(reply);
}

bool served(int status) {
  Reply reply;
  reply.status = status;
  reply.asked = true;
  return may_have_been_served(reply);
}

TEST(Outcome, WhatHealsIsToldFromWhatDoesNot) {
  EXPECT_EQ(of(200), Outcome::kSuccess);
  for (const int status : {429, 503, 529}) EXPECT_EQ(of(status), Outcome::kThrottled) << status;
  for (const int status : {408, 409, 425, 502, 504, 520}) EXPECT_EQ(of(status), Outcome::kTransient) << status;
  for (const int status : {301, 302, 307, 308, 401, 402, 403, 404, 405, 407}) {
    EXPECT_EQ(of(status), Outcome::kRefused) << status;
  }
  for (const int status : {400, 413, 415, 422}) EXPECT_EQ(of(status), Outcome::kRejected) << status;
  EXPECT_EQ(of(500), Outcome::kSuspect);
}

TEST(Outcome, ARequestBeyondTheContextIsAtFaultItselfWhateverItsStatus) {
  constexpr const char* kLlamaCpp =
      R"({"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":256}})";
  constexpr const char* kOpenAi =
      R"({"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}})";
  EXPECT_EQ(of(500, kLlamaCpp), Outcome::kRejected);
  for (const auto& [status, body, too_long] :
       {std::tuple(400, kLlamaCpp, true), std::tuple(400, kOpenAi, true), std::tuple(413, "", true),
        std::tuple(400, R"({"error":{"message":"unknown field"}})", false)}) {
    Reply reply;
    reply.status = status;
    reply.body = body;
    EXPECT_EQ(is_too_long(reply), too_long) << body;
  }
}

TEST(Outcome, QuotaIsToldFromRateLimitByTheBodysCode) {
  EXPECT_EQ(of(429, R"({"error":{"message":"m","code":"rate_limit_exceeded"}})"), Outcome::kThrottled);
  EXPECT_EQ(
      of(429,
         R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})"),
      Outcome::kFatal);
  EXPECT_EQ(
      of(400,
         R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API"}})"),
      Outcome::kFatal);
  EXPECT_EQ(of(429, "insufficient_quota, but not as a code"), Outcome::kThrottled);
}

TEST(Outcome, WhatMayBeOnTheBillIsToldFromClearRefusals) {
  for (const int status : {200, 408, 500, 502, 504, 524}) EXPECT_TRUE(served(status)) << status;
  for (const int status : {302, 400, 401, 403, 404, 422, 429, 501, 503, 529}) EXPECT_FALSE(served(status)) << status;
  for (const auto arrival : {Arrival::kTimeout, Arrival::kBroken, Arrival::kOversized}) {
    Reply reply;
    reply.arrival = arrival;
    EXPECT_FALSE(may_have_been_served(reply)) << "the request never left";
    reply.asked = true;
    EXPECT_TRUE(may_have_been_served(reply));
  }
  Reply unreached;
  unreached.arrival = Arrival::kNoConnection;
  EXPECT_FALSE(may_have_been_served(unreached));
}

TEST(Outcome, MessagesOfBothFormsAreOnePrintableLine) {
  EXPECT_EQ(server_message(R"({"error":{"message":"Bad\nkey\u0007"}})"), "Bad key");
  EXPECT_EQ(server_message(R"({"error":"no such model"})"), "no such model");
  EXPECT_EQ(server_message(R"({"detail":"Not Found"})"), "Not Found");
  EXPECT_EQ(server_message("<html>\n<b>502</b>"), "<html> <b>502</b>");
  EXPECT_EQ(server_message("\xFF\xFE"), "\uFFFD\uFFFD");
  EXPECT_LE(server_message(std::string(100'000, 'x')).size(), 300U);
  EXPECT_EQ(server_message(""), "");
}

TEST(Outcome, SecretsAreKeysAndPasswordsButNotOtherHeaders) {
  const Endpoint endpoint{
      "",
      "https://user:pass-word@api.example.org/v1",
      1,
      {"Authorization: Bearer sk-123456", "x-api-key: key-abcdef", "anthropic-version: 2023-06-01"}};
  const auto secrets = secrets_of(endpoint);
  EXPECT_EQ(secrets, (std::vector<std::string>{"pass-word", "user:pass-word", "sk-123456", "key-abcdef"}));
  std::string text = "key sk-123456, sk-123456 and key-abcdef of 2023-06-01";
  SecretFinder(secrets).hide(text);
  EXPECT_EQ(text, "key ***, *** and *** of 2023-06-01");
}

TEST(Outcome, AnOriginHasNeitherUserNorPath) {
  EXPECT_EQ(origin_of("https://user:secret@host:8443/v1?key=abc"), "https://host:8443");
  EXPECT_EQ(origin_of("http://[::1]:80/v1"), "http://[::1]:80");
  EXPECT_EQ(origin_of("http://host?key=abc"), "http://host");
}

}  // namespace
}  // namespace touchstone::llm_client::transport::internal
