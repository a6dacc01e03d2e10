#include "llm_client/transport/reply_parser.hpp"

#include "llm_client/transport/reply_check.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::llm_client::transport::internal {
namespace {

using State = ReplyParser::State;

struct Parsed {
  State state = State::kMore;
  int status = 0;
  std::string body, problem;
  bool keeps = false;
};

/// Gives the bytes in pieces; with `closes` the connection ends behind them.
Parsed parse(const std::string& bytes, std::size_t piece, bool closes = false, std::size_t most = 1'000) {
  ReplyParser parser(most);
  Parsed result;
  for (std::size_t at = 0; at < bytes.size() && result.state == State::kMore; at += piece)
    result.state = parser.take(std::string_view(bytes).substr(at, piece), std::chrono::system_clock::now());
  if (result.state == State::kMore && closes) result.state = parser.end();
  result.status = parser.status();
  result.body = parser.body();
  result.problem = parser.problem();
  result.keeps = result.state == State::kWhole && parser.keeps_connection();
  return result;
}

struct Case {
  const char* bytes;
  bool closes;
  State state;
  const char* body;  ///< or what is wrong
  bool keeps = false;
};

class Replies : public ::testing::TestWithParam<Case> {};

TEST_P(Replies, AreTakenApartHoweverTheyAreCut) {
  const auto& given = GetParam();
  const std::string bytes = given.bytes;
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const auto parsed = parse(bytes, piece, given.closes);
    ASSERT_EQ(parsed.state, given.state) << bytes << " by " << piece << ": " << parsed.problem;
    EXPECT_EQ(parsed.state == State::kBroken ? parsed.problem : parsed.body, given.body) << bytes << " by " << piece;
    EXPECT_EQ(parsed.keeps, given.keeps) << bytes << " by " << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(
    ReplyParser, Replies,
    ::testing::Values(
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, State::kWhole, "abc", true},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", false, State::kWhole, "abc", true},
        Case{"HTTP/1.1 200 \r\ncontent-length:0\r\n\r\n", false, State::kWhole, "", true},
        Case{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc", false, State::kWhole, "abc"},
        Case{"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, State::kWhole, "abc"},
        Case{"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc", false, State::kWhole, "abc",
             true},
        Case{"HTTP/1.0 200 OK\r\n\r\nabc", true, State::kWhole, "abc"},
        Case{"HTTP/1.1 200 OK\r\n\r\nabc", false, State::kMore, "abc"},
        Case{"HTTP/1.1 204 None\r\n\r\n", false, State::kWhole, "", true},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", false,
             State::kWhole, "abc", true},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n", false,
             State::kWhole, "abc", true},
        Case{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
             "1\r\n\r\na",
             false, State::kWhole, "a", true},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", true, State::kBroken, "its body ends too early"},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", true, State::kBroken,
             "its body ends too early"},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", false, State::kBroken,
             "its chunks are damaged"},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n", false, State::kBroken,
             "its chunks are damaged"},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\na", false, State::kBroken,
             "its chunks are damaged"},
        Case{"HTTP/1.1 200 OK\r\nContent-Le", true, State::kBroken, kEndlessHead},
        Case{"HTTP/1.1 100 Continue\r\n\r\n", true, State::kBroken, kEndlessHead},
        Case{"HTTP/1.1 101 Switching\r\n\r\nhello", false, State::kBroken, "it changes to another protocol"},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", false, State::kBroken,
             kNoSingleLength},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc", false, State::kBroken, kNoSingleLength},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc", false, State::kBroken,
             kNoSingleLength},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false,
             State::kBroken, kLengthAndChunks},
        Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", false,
             State::kBroken, kLengthAndChunks},
        Case{"HTTP/2 200 OK\r\n\r\n", false, State::kBroken, "it does not begin as a reply of HTTP/1 does"},
        Case{"HTTP/1.1 200 OK\nContent-Length: 1\n\na", false, State::kBroken,
             "a line of its head ends with a line feed alone"},
        Case{"HTTP/1.1 200 OK\r\nContent-Length: 1\n\r\na", false, State::kBroken,
             "a line of its head ends with a line feed alone"},
        Case{"HTTP/1.1 20 OK\r\n\r\n", false, State::kBroken, "it does not begin as a reply of HTTP/1 does"},
        Case{"\x16\x03\x01 TLS\r\n\r\n", false, State::kBroken, "it does not begin as a reply of HTTP/1 does"},
        Case{"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", false, State::kBroken, "its head holds a line that is not HTTP"}));

TEST(ReplyParser, BytesBehindAReplyEndItsConnection) {
  const std::string reply = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
  EXPECT_FALSE(parse(reply + "HTTP/1.1 200 OK\r\n", 1'000).keeps);
  EXPECT_EQ(parse(reply + "HTTP/1.1 200 OK\r\n", 1'000).body, "a");
}

TEST(ReplyParser, ABodyIsCutAtItsBound) {
  const std::string ten(10, 'x');
  for (const std::string& bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + ten, "HTTP/1.1 200 OK\r\n\r\n" + ten,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n" + ten + "\r\n"}) {
    for (const std::size_t piece : {1, 7, 100}) {
      const auto parsed = parse(bytes, piece, false, 9);
      EXPECT_EQ(parsed.state, State::kOversized) << bytes;
      EXPECT_EQ(parsed.body, ten.substr(1)) << bytes;
    }
  }
}

TEST(ReplyParser, HeadsAndLinesBetweenChunksAreBounded) {
  const std::string start = "HTTP/1.1 200 OK\r\n", chunked = start + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string much(kMaxHeaderBytes + 1, 'x');
  std::string fields = start, interim;
  while (fields.size() <= kMaxHeaderBytes + start.size()) fields += "X-More: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n";
  while (interim.size() <= kMaxHeaderBytes) interim += "HTTP/1.1 102 Wait\r\nX: y\r\n\r\n";
  for (const auto& bytes : {start + "X: " + much, "HTTP/1.1 200 " + much, fields, interim, chunked + "1;" + much,
                            chunked + "0\r\nX: " + much}) {
    for (const std::size_t piece : {999, 1 << 20})
      EXPECT_EQ(parse(bytes, piece).state, State::kOversized) << bytes.substr(0, 80) << " by " << piece;
  }
}

TEST(ReplyParser, ServesOneReplyAfterAnother) {
  ReplyParser parser(100);
  const auto now = std::chrono::system_clock::now();
  EXPECT_EQ(parser.take("HTTP/1.1 429 Slow\r\nRetry-After: 2\r\nContent-Encoding: gzip\r\nContent-Len", now),
            State::kMore);
  EXPECT_EQ(parser.take("gth: 2\r\n\r\nno", now), State::kWhole);
  EXPECT_EQ(parser.status(), 429);
  EXPECT_EQ(parser.head().hints().retry_after, std::chrono::milliseconds(2'000));
  EXPECT_EQ(parser.head().coding(), "gzip");
  parser.begin();
  EXPECT_EQ(parser.take("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes", now), State::kWhole);
  EXPECT_EQ(parser.status(), 200);
  EXPECT_EQ(parser.body(), "yes");
  EXPECT_FALSE(parser.head().hints().retry_after);
  EXPECT_TRUE(parser.head().coding().empty());
}

}  // namespace
}  // namespace touchstone::llm_client::transport::internal
