#include "common/error.hpp"
#include "common/unicode.hpp"
#include "llm_client/transport/outcome.hpp"
#include "llm_client/transport/rate_hints.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// What a foreign server writes besides the answer itself: header lines with waits and limits, and error bodies. The
/// first byte is the status; the lines up to an empty one are headers, the rest is the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace touchstone;
  using namespace touchstone::llm_client::transport::internal;
  if (size == 0) return 0;
  const auto now = std::chrono::system_clock::time_point(std::chrono::seconds(1'738'310'400));
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  Reply reply;
  reply.status = 300 + data[0];
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty()) break;
    read_rate_header(line, now, reply.hints);
    static_cast<void>(parse_wait(line, now));
  }
  for (const auto& wait : {reply.hints.retry_after, reply.hints.requests.reset, reply.hints.tokens.reset}) {
    TS_CHECK(!wait || (wait->count() >= 0 && *wait <= kLongestHint), "a wait lies between now and a day");
  }
  reply.body = rest;
  static_cast<void>(classify(reply));
  const auto sentence = describe(reply, "http://host");
  TS_CHECK(sentence.find('\n') == std::string::npos && is_valid_utf8(sentence), "a sentence is one line of text");
  TS_CHECK(sentence.size() < 1'000, "and not long");
  return 0;
}
