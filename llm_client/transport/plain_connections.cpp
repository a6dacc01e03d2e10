#include "llm_client/transport/plain_connections.hpp"

#include "llm_client/transport/socket_state.hpp"

#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::steady_clock;

/// As long as curl remembers the addresses of a host, and keeps an idle connection.
constexpr std::chrono::seconds kAddressLifetime{60}, kIdleLifetime{118};
/// All who wait for a lookup learn that it failed; later ones look again.
constexpr std::chrono::seconds kFailureLifetime{1};
constexpr int kKeepAliveSeconds = 60;

void set_option(int socket, int level, int name, int value) noexcept {
  ::setsockopt(socket, level, name, &value, sizeof value);  // works without, too
}

}  // namespace

bool PlainHost::look_up(int woken, steady_clock::time_point now) {
  const auto lifetime = addresses.empty() ? kFailureLifetime : kAddressLifetime;
  if (looked_up_at_ && now - *looked_up_at_ < lifetime) return true;
  if (!lookup_) lookup_ = std::make_unique<NameLookup>(address.host, address.port, woken);
  if (!lookup_->done()) return false;
  addresses = std::move(lookup_->addresses());
  problem = lookup_->problem();
  lookup_.reset();
  looked_up_at_ = now;
  first = 0;
  return true;
}

PlainHost& PlainConnections::host(const HttpAddress& address) {
  const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const auto& host) {
    return host->address.host == address.host && host->address.port == address.port;
  });
  return found != hosts_.end() ? **found : *hosts_.emplace_back(std::make_unique<PlainHost>(address));
}

void PlainConnections::make_room() {
  for (const auto& host : hosts_) {
    if (count_ < most_) return;
    if (!host->idle.empty()) close(*host->idle.front());
  }
}

PlainConnection* PlainConnections::open(PlainHost& host, std::size_t address, PlainCall& call) {
  make_room();
  const auto& to = host.addresses[address];
  Descriptor socket(::socket(to.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return nullptr;
  const int descriptor = socket.get();
  set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, kKeepAliveSeconds);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, kKeepAliveSeconds);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&to.address), to.size) != 0 && errno != EINPROGRESS)
    return nullptr;
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= connections_.size()) connections_.resize(index + 64);
  auto connection = std::make_unique<PlainConnection>();
  connection->socket = std::move(socket);
  connection->generation = ++generation_;
  connection->host = &host;
  connection->call = &call;
  connection->address = address;
  if (!watch(*connection, EPOLLOUT)) return nullptr;
  connections_[index] = std::move(connection);
  ++count_;
  return connections_[index].get();
}

bool PlainConnections::watch(PlainConnection& connection, std::uint32_t events) noexcept {
  if (connection.watched == events) return true;
  epoll_event event{};
  event.events = events;
  event.data.u64 = std::uint64_t{connection.generation} << 32 | static_cast<std::uint32_t>(connection.socket.get());
  const int operation = connection.watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  if (::epoll_ctl(epoll_, operation, connection.socket.get(), &event) != 0) return false;
  connection.watched = events;
  return true;
}

void PlainConnections::close(PlainConnection& connection) noexcept {
  if (connection.call == nullptr) std::erase(connection.host->idle, &connection);
  --count_;
  connections_[static_cast<std::size_t>(connection.socket.get())].reset();
}

PlainConnection* PlainConnections::of_event(std::uint64_t data) const noexcept {
  const auto index = static_cast<std::size_t>(data & 0xffffffffU);
  auto* connection = index < connections_.size() ? connections_[index].get() : nullptr;
  return connection != nullptr && connection->generation == data >> 32 ? connection : nullptr;
}

void PlainConnections::keep(PlainConnection& connection, steady_clock::time_point now) {
  connection.host->idle.push_back(&connection);
  connection.call = nullptr;
  connection.idle_since = now;
}

PlainConnection* PlainConnections::take_idle(PlainHost& host, steady_clock::time_point now) {
  while (!host.idle.empty()) {
    auto& connection = *host.idle.back();
    const bool usable =
        now - connection.idle_since < kIdleLifetime && socket_state(connection.socket.get()) == SocketState::kClean;
    if (!usable) {
      close(connection);
      continue;
    }
    host.idle.pop_back();
    return &connection;
  }
  return nullptr;
}

}  // namespace touchstone::llm_client::transport::internal
