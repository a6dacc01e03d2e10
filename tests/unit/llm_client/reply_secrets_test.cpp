#include "llm_client/reply_secrets.hpp"

#include "common/secrets.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::llm_client {
namespace {

constexpr const char* kKey = "sk-reply/0123456789";

TEST(ReplySecrets, AKeyInOnePieceIsCutOutAndTheReplyStays) {
  keep_secret(kKey);
  std::string body = R"({"choices":[],"system_fingerprint":"sk-reply\/0123456789"})";
  EXPECT_TRUE(hide_secrets_in_reply(body));
  EXPECT_EQ(body, R"({"choices":[],"system_fingerprint":"***"})");
  body = R"({"choices":[]})";
  EXPECT_FALSE(hide_secrets_in_reply(body));
}

TEST(ReplySecrets, AReplyThatHoldsAKeyInPiecesIsNotKept) {
  keep_secret(kKey);
  for (std::string body : {R"({"content":[{"type":"text","text":"sk-reply/0"},{"type":"text","text":"123456789"}]})",
                           R"({"tokens":[{"token":"sk-reply"},{"token":"/01234"},{"token":"56789"}]})",
                           R"({"bytes":[115,107,45,114,101,112,108,121,47,48,49,50,51,52,53,54,55,56,57]})",
                           R"({"a":{"text":"\\"},"b":[{"text":"sk-reply"},{"other":"%"},{"text":"/0123456789"}]})",
                           "data: {\"text\":\"sk-reply\"}\n\ndata: {\"text\":\"/0123456789\"}\n\n"}) {
    EXPECT_TRUE(hide_secrets_in_reply(body));
    EXPECT_NE(body.find("\"error\""), std::string::npos) << body;
    EXPECT_EQ(body.find("sk-"), std::string::npos) << body;
  }
}

TEST(ReplySecrets, PiecesOfDifferentFieldsAreNotPutTogether) {
  keep_secret(kKey);
  std::string body = R"({"a":"sk-reply/0","b":"123456789","c":[{"a":"sk-reply"},{"b":"/0123456789"}]})";
  const auto before = body;
  EXPECT_FALSE(hide_secrets_in_reply(body));
  EXPECT_EQ(body, before);
}

}  // namespace
}  // namespace touchstone::llm_client
