#pragma once

#include "llm_client/transport/reply_ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::llm_client::transport::internal {

/// What is known of the connections that curl keeps, by descriptor. curl takes a kept connection without asking whether
/// bytes wait on it, and HTTP/1 matches replies to requests by their order alone: one reply too many on a connection
/// would answer the next request, and every later one would be answered by the one before. So no request is sent on a
/// connection that holds bytes. Not thread-safe; its functions do not throw unless they say so.
class ConnectionTable {
 public:
  /// \param epoll  where sockets are registered; must outlive this
  explicit ConnectionTable(int epoll) : epoll_(epoll) {}

  /// curl waits for `wanted` (EPOLLIN, EPOLLOUT; 0: nothing, the connection is idle). Throws std::bad_alloc.
  void watch(int descriptor, std::uint32_t wanted);
  /// The socket is about to be closed.
  void forget(int descriptor) noexcept;
  /// An event came for it.
  enum class Event : std::uint8_t { kForCurl, kOfIdle, kOfClosed };
  Event event(int descriptor) noexcept;

  struct Place {
    std::string_view address;
    int port = 0, local_port = 0;
  };
  /// The descriptor of a connection, and -1 for one that is not known. `opened` are the sockets that were made for this
  /// request: empty when the connection was kept from an earlier one. Throws std::bad_alloc.
  int find(const Place& place, const std::vector<int>& opened);

  /// Its replies are told apart by streams (HTTP/2): bytes that come unasked do no harm.
  void set_multiplexed(int descriptor, bool multiplexed) noexcept;
  /// A request is sent on it. A second one before the first has ended shows that it is multiplexed: curl does not send
  /// a request of HTTP/1 before the reply to the last one is there.
  void begin_request(int descriptor) noexcept;
  void end_request(int descriptor) noexcept;
  bool has_request(int descriptor) const noexcept;
  bool is_multiplexed(int descriptor) const noexcept;

  /// The exchange before on a connection, by hashes; zeros when there was none. To be asked when a reply begins:
  /// before, the last one may not be noted yet, and after, curl may have closed the connection for the bytes that were
  /// too many.
  Exchanged previous(int descriptor) const noexcept;
  /// Notes a whole reply. True when it repeats, byte for byte, the reply of `previous` to another request, although the
  /// server gives each reply an id of its own. Throws std::bad_alloc.
  bool repeats_reply(int descriptor, const Exchanged& previous, const std::string& url, std::string_view request,
                     std::string_view reply);
  /// No request is sent on it any more.
  void close(int descriptor) noexcept;

 private:
  /// What a socket is registered for in epoll, and what curl wants to know. They differ while a connection is idle: its
  /// registration is left as it is, since the next request on it wants the same.
  struct Connection {
    std::uint32_t registered = 0, wanted = 0;
    std::uint64_t key = 0;
    Exchanged last;
    std::uint32_t requests = 0;  ///< that are under way
    bool multiplexed = false;
  };
  Connection* at(int descriptor) noexcept;
  const Connection* at(int descriptor) const noexcept;
  void unregister(int descriptor, Connection& connection) noexcept;

  int epoll_;
  std::vector<Connection> connections_;  // by descriptor
  std::unordered_map<std::uint64_t, int> descriptors_;
  std::unordered_map<std::string, ReplyIds> ids_;  // of replies, by URL
};

}  // namespace touchstone::llm_client::transport::internal
