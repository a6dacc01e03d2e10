#pragma once

#include "common/descriptor.hpp"
#include "llm_client/transport/http_address.hpp"
#include "llm_client/transport/name_lookup.hpp"
#include "llm_client/transport/reply_ids.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::llm_client::transport::internal {

struct PlainCall;
struct PlainConnection;

/// A host and port, with its addresses and the connections to it that serve no request now, oldest first.
struct PlainHost {
  explicit PlainHost(HttpAddress named) : address(std::move(named)) {}

  /// Looks the addresses up if they are not known, or were looked up long ago. True when that is done.
  bool look_up(int woken, std::chrono::steady_clock::time_point now);
  HttpAddress address;
  std::vector<SocketAddress> addresses;  // empty after a lookup: there is none
  std::size_t first = 0;                 // index of the one to be tried first: it answered
  std::string problem;
  std::vector<PlainConnection*> idle;

 private:
  std::unique_ptr<NameLookup> lookup_;
  std::optional<std::chrono::steady_clock::time_point> looked_up_at_;
};

struct PlainConnection {
  Descriptor socket;
  std::uint32_t generation = 0;  ///< tells it from an earlier one with the same descriptor
  std::uint32_t watched = 0;     ///< epoll's events
  PlainHost* host = nullptr;
  PlainCall* call = nullptr;  ///< which it serves, or is opened for; none: it is idle
  std::size_t address = 0;    ///< index among the host's
  bool open = false;          ///< false while the connection is being made
  Exchanged last;
  std::chrono::steady_clock::time_point idle_since;
};

/// All connections of an engine, which watches them by epoll. Not thread-safe.
class PlainConnections {
 public:
  /// \param epoll  where sockets are registered; must outlive this
  /// \param most   an idle connection is closed before more are open
  PlainConnections(int epoll, std::size_t most) : epoll_(epoll), most_(most) {}

  /// The host and port of an address. It stays where it is.
  PlainHost& host(const HttpAddress& address);
  const std::vector<std::unique_ptr<PlainHost>>& hosts() const noexcept { return hosts_; }

  /// Begins to connect. Returns null, and sets errno, when that fails at once. Throws std::bad_alloc.
  PlainConnection* open(PlainHost& host, std::size_t address, PlainCall& call);
  /// Waits for `events` (EPOLLIN, EPOLLOUT).
  bool watch(PlainConnection& connection, std::uint32_t events) noexcept;
  void close(PlainConnection& connection) noexcept;
  /// The connection of an epoll event; null when it has been closed since.
  PlainConnection* of_event(std::uint64_t data) const noexcept;

  /// Keeps a connection for a later request.
  void keep(PlainConnection& connection, std::chrono::steady_clock::time_point now);
  /// A kept connection on which no byte waits and which is not closed; null when there is none. Others are closed.
  PlainConnection* take_idle(PlainHost& host, std::chrono::steady_clock::time_point now);

 private:
  void make_room();

  int epoll_;
  std::size_t most_, count_ = 0;
  std::uint32_t generation_ = 0;
  std::vector<std::unique_ptr<PlainHost>> hosts_;
  std::vector<std::unique_ptr<PlainConnection>> connections_;  // by descriptor
};

}  // namespace touchstone::llm_client::transport::internal
