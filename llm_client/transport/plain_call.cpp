#include "llm_client/transport/plain_call.hpp"

#include "llm_client/transport/http_engine.hpp"
#include "llm_client/transport/reply_check.hpp"

#include <array>
#include <cerrno>
#include <charconv>

#include <sys/socket.h>
#include <sys/uio.h>

namespace touchstone::llm_client::transport::internal {

namespace {

/// A body up to this length is copied behind the head.
constexpr std::size_t kShortBody = 512;

HttpAddress address_of(const std::string& url) {
  auto address = parse_http_address(url);
  if (!address) fail("send a request", "its address holds bytes that must be escaped");
  return *std::move(address);
}

}  // namespace

PlainTarget::PlainTarget(PlainConnections& connections, const std::string& to, const HeaderList& lines)
    : url(to), headers(&lines) {
  const auto address = address_of(url);
  host = &connections.host(address);
  const auto common = " " + address.target + " HTTP/1.1\r\nHost: " + address.authority + "\r\n" + lines.text();
  get_head = "GET" + common + "\r\n";
  post_head = "POST" + common + "Content-Length: ";
}

void PlainCall::begin(std::size_t tag, PlainTarget& to, const Exchange& exchange,
                      std::chrono::steady_clock::time_point now) {
  target = &to;
  body = exchange.body;
  long_body = {};
  if (body.empty()) {
    head = to.get_head;
  } else {
    std::array<char, 24> length;
    const char* end = std::to_chars(length.data(), length.data() + length.size(), body.size()).ptr;
    head.assign(to.post_head).append(length.data(), static_cast<std::size_t>(end - length.data())).append("\r\n\r\n");
    if (body.size() <= kShortBody) {
      head.append(body);
      body = std::string_view(head).substr(head.size() - body.size());  // a short text moves with its owner
    } else {
      long_body = body;
    }
  }
  written = 0;
  reply = {};
  reply.tag = tag;
  reply.sent = now;
  parser.begin();
  kept = begun = early = connecting = false;
  connection = nullptr;
  first_address = tried = 0;
  next_try = std::chrono::steady_clock::time_point::max();
  problem.clear();
}

int PlainCall::send() noexcept {
  while (!is_sent()) {
    std::array<iovec, 2> pieces{};
    std::size_t count = 0;
    const auto add = [&](std::string_view piece, std::size_t from) {
      if (from < piece.size()) pieces[count++] = {const_cast<char*>(piece.data()) + from, piece.size() - from};
    };
    add(head, written);
    add(long_body, written > head.size() ? written - head.size() : 0);
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = count;
    const auto sent = ::sendmsg(connection->socket.get(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
    written += static_cast<std::size_t>(sent);
  }
  return 0;
}

void PlainCall::take_over_reply() {
  reply.status = parser.status();
  reply.body = std::move(parser.body());
  reply.hints = parser.head().hints();
  if (!parser.head().location().empty()) reply.redirect = host_of(parser.head().location());
  reply.latency = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - reply.sent);
}

void PlainCall::fail(Arrival arrival, std::string why) {
  take_over_reply();
  reply.arrival = arrival;
  reply.error = std::move(why);
}

bool PlainCall::complete() {
  take_over_reply();
  reply.arrival = Arrival::kReply;
  reply.error = find_damage(parser.head(), {early, kept}, max_body_bytes, reply);
  if (reply.error.empty() && reply.status == 200) {
    Exchanged present;
    if (target->ids.repeats(connection->last, body, reply.body, present)) {
      reply.arrival = Arrival::kDropped;
      reply.error = kRepeatsReply;
    }
    if (present.reply != 0) connection->last = present;
  }
  return reply.error.empty();
}

}  // namespace touchstone::llm_client::transport::internal
