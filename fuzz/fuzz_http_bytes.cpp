#include "common/error.hpp"
#include "llm_client/transport/reply.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// A foreign server's reply as curl hands it over: header lines one by one, those of interim replies and trailers
/// included, then the body, which may be compressed. The lowest bit of the first byte says whether it came early; the
/// lines up to an empty one behind a final head are the head, the rest is the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone::llm_client::transport::internal;
  constexpr std::size_t kMostBodyBytes = 4'096;
  if (size == 0) return 0;
  const auto now = std::chrono::system_clock::time_point(std::chrono::seconds(1'738'310'400));
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  ReplyHead head;
  while (!rest.empty() && !head.ended()) {
    const auto line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    head.take(line, now);
  }
  const auto coding = head.coding();
  head.take("Content-Encoding: br\r\n", now);
  if (head.ended()) TS_CHECK(head.coding() == coding, "a trailer changes nothing");
  Reply reply;
  reply.status = 200;
  reply.body = rest.substr(0, kMostBodyBytes);
  const auto why = find_damage(head, (data[0] & 1) != 0, kMostBodyBytes, reply);
  TS_CHECK(why.empty() == (reply.arrival == Arrival::kReply), "a reply is whole, or there is a reason why not");
  TS_CHECK(why.empty() || (data[0] & 1) == 0 || reply.arrival == Arrival::kBroken, "what came early is broken");
  TS_CHECK(reply.body.size() <= kMostBodyBytes, "a decoded body keeps to its bound");
  static_cast<void>(host_of(head.location()));
  return 0;
}
