#include "llm_client/transport/plain_engine.hpp"

#include "common/descriptor.hpp"
#include "llm_client/transport/plain_call.hpp"
#include "llm_client/transport/plain_connections.hpp"
#include "llm_client/transport/reply_check.hpp"
#include "llm_client/transport/socket_state.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <list>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr auto kNoTime = steady_clock::time_point::max();
constexpr std::size_t kReadBytes = std::size_t{64} << 10;
/// A host's next address is tried besides when one does not answer within this time (RFC 8305, section 5).
constexpr milliseconds kUntilNextAddress{250};
constexpr std::uint64_t kWokenEvent = ~std::uint64_t{0};

int require_plain_descriptor(int descriptor) {
  if (descriptor < 0) fail("wait for sockets", std::strerror(errno));
  return descriptor;
}

}  // namespace

struct PlainEngine::Impl {
  explicit Impl(const TransportOptions& options);

  PlainTarget& target(const std::string& url, const HeaderList& headers);
  PlainCall& free_call();
  void send(PlainCall& call, PlainConnection& connection, bool kept);
  void go_on_sending(PlainCall& call);
  void receive(PlainCall& call);
  void take_end(PlainCall& call, int error);
  void complete(PlainCall& call);
  void give_up(PlainCall& call, Arrival arrival, std::string why);
  void release(PlainCall& call);

  void connect(PlainCall& call, steady_clock::time_point now);
  void try_address(PlainCall& call, steady_clock::time_point now);
  void on_connected(PlainConnection& connection);
  void end_tries(PlainCall& call, const PlainConnection* winner);
  void go_on_connecting(steady_clock::time_point now, bool has_looked_up);
  steady_clock::time_point connect_deadline(const PlainCall& call) const {
    return after(call.reply.sent, connect_timeout);
  }
  static steady_clock::time_point after(steady_clock::time_point from, milliseconds timeout) {
    return timeout.count() > 0 ? from + timeout : kNoTime;
  }

  void act_on_time(steady_clock::time_point now);
  steady_clock::time_point next_due() const;
  void on_event(const epoll_event& event);

  const milliseconds connect_timeout, reply_timeout;
  const std::size_t max_body_bytes;
  Descriptor epoll, woken;
  PlainConnections connections;
  std::vector<std::unique_ptr<PlainTarget>> targets;
  std::list<PlainCall> active, unused;  // active: in the order in which they were started
  std::vector<PlainCall*> connecting;
  steady_clock::time_point connecting_due = kNoTime;
  std::vector<Reply> ended;  // since the last `run`
  std::vector<char> buffer;
};

PlainEngine::Impl::Impl(const TransportOptions& options)
    : connect_timeout(options.connect_timeout),
      reply_timeout(options.reply_timeout),
      max_body_bytes(options.max_reply_bytes),
      epoll(require_plain_descriptor(epoll_create1(EPOLL_CLOEXEC))),
      woken(require_plain_descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))),
      connections(epoll.get(), options.in_flight + 16),
      buffer(kReadBytes) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWokenEvent;
  require_plain_descriptor(epoll_ctl(epoll.get(), EPOLL_CTL_ADD, woken.get(), &event));
}

PlainTarget& PlainEngine::Impl::target(const std::string& url, const HeaderList& headers) {
  for (const auto& each : targets) {
    if (each->headers == &headers && each->url == url) return *each;
  }
  return *targets.emplace_back(std::make_unique<PlainTarget>(connections, url, headers));
}

PlainCall& PlainEngine::Impl::free_call() {
  if (unused.empty()) {
    active.emplace_back(max_body_bytes);
    active.back().self = std::prev(active.end());
  } else {
    active.splice(active.end(), unused, unused.begin());
  }
  return active.back();
}

void PlainEngine::Impl::send(PlainCall& call, PlainConnection& connection, bool kept) {
  connection.call = &call;
  call.connection = &connection;
  call.kept = kept;
  call.reply.asked = true;
  go_on_sending(call);
}

void PlainEngine::Impl::go_on_sending(PlainCall& call) {
  if (const int error = call.send(); error != 0) {
    // What the server said before it closed the connection may still be there.
    receive(call);
    if (call.connection != nullptr) take_end(call, error);
    return;
  }
  const std::uint32_t events = call.is_sent() ? EPOLLIN : EPOLLIN | EPOLLOUT;
  if (!connections.watch(*call.connection, events)) give_up(call, Arrival::kBroken, std::strerror(errno));
}

void PlainEngine::Impl::receive(PlainCall& call) {
  const int socket = call.connection->socket.get();
  const auto size = ::recv(socket, buffer.data(), buffer.size(), 0);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (size <= 0) return take_end(call, size < 0 ? errno : 0);
  call.begun = true;
  if (!call.parser.head().ended()) call.early = !call.is_sent() || has_unread_request(socket);
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
  switch (call.parser.take(bytes, std::chrono::system_clock::now())) {
    case ReplyParser::State::kMore:
      return;
    case ReplyParser::State::kWhole:
      return complete(call);
    case ReplyParser::State::kBroken:
      return give_up(call, Arrival::kBroken, call.parser.problem());
    case ReplyParser::State::kOversized:
      return give_up(call, Arrival::kOversized, "it passes its bound");
  }
}

/// The connection was closed, or broke with an error.
void PlainEngine::Impl::take_end(PlainCall& call, int error) {
  if (!call.begun) {
    // The server may have closed a kept connection before it saw the request.
    const auto arrival = call.kept ? Arrival::kDropped : Arrival::kBroken;
    return give_up(call, arrival, error != 0 && !call.kept ? system_reason(error) : kClosedWithoutReply);
  }
  if (error != 0) return give_up(call, Arrival::kBroken, system_reason(error));
  if (call.parser.end() == ReplyParser::State::kWhole) return complete(call);
  give_up(call, Arrival::kBroken, call.parser.problem());
}

void PlainEngine::Impl::complete(PlainCall& call) {
  const bool keeps = call.complete() && call.is_sent() && call.parser.keeps_connection();
  auto& connection = *std::exchange(call.connection, nullptr);
  if (keeps) {
    connections.keep(connection, call.reply.sent + call.reply.latency);
  } else {
    connections.close(connection);
  }
  release(call);
}

void PlainEngine::Impl::give_up(PlainCall& call, Arrival arrival, std::string why) {
  call.fail(arrival, std::move(why));
  if (call.connecting) end_tries(call, nullptr);
  if (auto* connection = std::exchange(call.connection, nullptr)) connections.close(*connection);
  release(call);
}

void PlainEngine::Impl::release(PlainCall& call) {
  ended.push_back(std::move(call.reply));
  unused.splice(unused.begin(), active, call.self);
}

void PlainEngine::Impl::connect(PlainCall& call, steady_clock::time_point now) {
  if (!call.connecting) {
    call.connecting = true;
    connecting.push_back(&call);
    connecting_due = std::min(connecting_due, connect_deadline(call));
  }
  auto& host = *call.target->host;
  if (!host.look_up(woken.get(), now)) return;
  if (host.addresses.empty()) return give_up(call, Arrival::kNoConnection, host.problem);
  call.first_address = host.first;
  try_address(call, now);
}

/// Tries addresses until one may answer.
void PlainEngine::Impl::try_address(PlainCall& call, steady_clock::time_point now) {
  auto& host = *call.target->host;
  const auto count = host.addresses.size();
  while (call.tried < count) {
    auto* opened = connections.open(host, (call.first_address + call.tried++) % count, call);
    if (opened == nullptr) {
      call.problem = system_reason(errno);
      continue;
    }
    call.tries.push_back(opened);
    call.next_try = call.tried < count ? now + kUntilNextAddress : kNoTime;
    connecting_due = std::min(connecting_due, call.next_try);
    return;
  }
  call.next_try = kNoTime;
  if (call.tries.empty()) give_up(call, Arrival::kNoConnection, call.problem);
}

void PlainEngine::Impl::on_connected(PlainConnection& connection) {
  auto& call = *connection.call;
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(connection.socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) {
    call.problem = system_reason(error);
    std::erase(call.tries, &connection);
    connections.close(connection);
    return try_address(call, steady_clock::now());
  }
  connection.open = true;
  call.reply.connected = true;
  end_tries(call, &connection);
  connection.host->first = connection.address;
  if (socket_state(connection.socket.get()) == SocketState::kHoldsBytes) {
    call.connection = &connection;
    return give_up(call, Arrival::kBroken, kSpokeUnasked);
  }
  send(call, connection, false);
}

/// The call has its connection, or will have none.
void PlainEngine::Impl::end_tries(PlainCall& call, const PlainConnection* winner) {
  for (auto* each : call.tries) {
    if (each != winner) connections.close(*each);
  }
  call.tries.clear();
  call.connecting = false;
  std::erase(connecting, &call);
}

/// \param has_looked_up  a name may have been looked up
void PlainEngine::Impl::go_on_connecting(steady_clock::time_point now, bool has_looked_up) {
  if (now < connecting_due && !has_looked_up) return;
  connecting_due = kNoTime;
  const auto calls = connecting;
  for (auto* call : calls) {
    if (now >= connect_deadline(*call)) {
      give_up(*call, Arrival::kNoConnection, fmt::format("no answer within {} ms", connect_timeout.count()));
    } else if (call->tries.empty()) {
      connect(*call, now);
    } else if (now >= call->next_try) {
      try_address(*call, now);
    }
    if (call->connecting) connecting_due = std::min({connecting_due, connect_deadline(*call), call->next_try});
  }
}

void PlainEngine::Impl::act_on_time(steady_clock::time_point now) {
  go_on_connecting(now, false);
  while (!active.empty() && now >= after(active.front().reply.sent, reply_timeout)) {
    auto& call = active.front();
    give_up(
        call, call.reply.asked ? Arrival::kTimeout : Arrival::kNoConnection,
        fmt::format("after {} ms, {} bytes of its body had come", reply_timeout.count(), call.parser.body().size()));
  }
}

steady_clock::time_point PlainEngine::Impl::next_due() const {
  return active.empty() ? kNoTime : std::min(connecting_due, after(active.front().reply.sent, reply_timeout));
}

void PlainEngine::Impl::on_event(const epoll_event& event) {
  if (event.data.u64 == kWokenEvent) {
    eventfd_t ignored = 0;
    eventfd_read(woken.get(), &ignored);
    return go_on_connecting(steady_clock::now(), true);
  }
  auto* connection = connections.of_event(event.data.u64);
  if (connection == nullptr) return;
  if (connection->call == nullptr) return connections.close(*connection);  // closed, or spoken on unasked
  if (!connection->open) return on_connected(*connection);
  auto& call = *connection->call;
  if ((event.events & EPOLLOUT) != 0 && !call.is_sent()) go_on_sending(call);
  if (call.connection == connection && (event.events & ~std::uint32_t{EPOLLOUT}) != 0) receive(call);
}

PlainEngine::PlainEngine(const TransportOptions& options) : impl_(std::make_unique<Impl>(options)) {}
PlainEngine::~PlainEngine() = default;

std::size_t PlainEngine::in_flight() const noexcept {
  return impl_->active.size() + impl_->ended.size();
}

void PlainEngine::start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
                        steady_clock::time_point now, bool fresh) {
  if (!exchange.form.empty()) fail("send a form", "the transport was opened without forms");
  auto& target = impl_->target(url, headers);
  auto& call = impl_->free_call();
  call.begin(tag, target, exchange, now);
  auto* idle = fresh ? nullptr : impl_->connections.take_idle(*target.host, now);
  if (idle != nullptr) {
    impl_->send(call, *idle, true);
  } else {
    impl_->connect(call, now);
  }
}

void PlainEngine::run(microseconds wait, std::vector<Reply>& replies) {
  auto& impl = *impl_;
  auto now = steady_clock::now();
  impl.act_on_time(now);
  if (const auto due = impl.next_due(); due != kNoTime)
    wait = std::min(wait, std::chrono::ceil<microseconds>(due - now));
  if (!impl.ended.empty()) wait = microseconds(0);
  std::array<epoll_event, 256> events;
  const auto wait_ms = std::chrono::ceil<milliseconds>(std::max(wait, microseconds(0))).count();
  const int count =
      epoll_wait(impl.epoll.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(wait_ms));
  if (count < 0 && errno != EINTR) fail("wait for sockets", std::strerror(errno));
  for (int i = 0; i < count; ++i) impl.on_event(events[static_cast<std::size_t>(i)]);
  impl.act_on_time(steady_clock::now());
  std::move(impl.ended.begin(), impl.ended.end(), std::back_inserter(replies));
  impl.ended.clear();
}

void PlainEngine::wake() noexcept {
  eventfd_write(impl_->woken.get(), 1);
}

void PlainEngine::abort(std::vector<std::size_t>& tags) {
  auto& impl = *impl_;
  while (!impl.active.empty()) impl.give_up(impl.active.front(), Arrival::kBroken, "given up");
  for (const auto& reply : impl.ended) tags.push_back(reply.tag);
  impl.ended.clear();
}

}  // namespace touchstone::llm_client::transport::internal
