#include "common/error.hpp"
#include "llm_client/transport/reply_check.hpp"
#include "llm_client/transport/reply_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace touchstone::llm_client::transport::internal;
using State = ReplyParser::State;

constexpr std::size_t kMostBodyBytes = 4'096;

struct Seen {
  State state = State::kMore;
  bool keeps = false;
  std::string body;
};

Seen read(ReplyParser& parser, std::string_view bytes, std::size_t piece) {
  const auto now = std::chrono::system_clock::time_point(std::chrono::seconds(1'738'310'400));
  parser.begin();
  Seen seen;
  std::size_t taken = 0;
  for (; taken < bytes.size() && seen.state == State::kMore; taken += piece)
    seen.state = parser.take(bytes.substr(taken, piece), now);
  seen.keeps = seen.state == State::kWhole && parser.keeps_connection() && taken >= bytes.size();
  if (seen.state == State::kMore && taken > 0) seen.state = parser.end();
  seen.body = parser.body();
  TS_CHECK(seen.body.size() <= kMostBodyBytes, "a body keeps to its bound");
  TS_CHECK(seen.state != State::kBroken || *parser.problem() != '\0', "a broken reply has a reason");
  if (seen.state != State::kWhole) return seen;
  Reply reply;
  reply.status = parser.status();
  reply.body = seen.body;
  static_cast<void>(find_damage(parser.head(), {}, kMostBodyBytes, reply));
  TS_CHECK(reply.body.size() <= kMostBodyBytes, "so does a decoded one");
  return seen;
}

}  // namespace

/// What a foreign server sends over a plain connection. The first byte says how the reply is cut into pieces, which
/// must not change what is read from it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static ReplyParser parser(kMostBodyBytes);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = read(parser, bytes, std::max<std::size_t>(bytes.size(), 1));
  const auto cut = read(parser, bytes, std::size_t{1} + data[0]);
  TS_CHECK((whole.state == State::kWhole) == (cut.state == State::kWhole),
           "pieces do not change whether a reply is whole");
  TS_CHECK(whole.state != State::kWhole || whole.body == cut.body, "nor its body");
  TS_CHECK(!whole.keeps || cut.keeps, "nor whether its connection is kept");
  return 0;
}
