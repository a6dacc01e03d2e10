#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

struct SocketAddress {
  sockaddr_storage address{};
  socklen_t size = 0;
};

/// Looks the addresses of a host up, in a thread of its own unless the host is an address itself. The destructor waits
/// for the resolver, which has time limits of its own. Not thread-safe.
class NameLookup {
 public:
  /// \param woken  an eventfd that is written to when a thread has finished; must outlive this
  NameLookup(const std::string& host, std::uint16_t port, int woken);
  NameLookup(const NameLookup&) = delete;
  NameLookup& operator=(const NameLookup&) = delete;

  bool done() const noexcept { return done_; }
  /// In the order in which they should be tried (RFC 6724); empty when there is none. \pre done
  std::vector<SocketAddress>& addresses() noexcept { return addresses_; }
  /// Why there is no address. \pre done
  const std::string& problem() const noexcept { return problem_; }

 private:
  void find(const std::string& host, std::uint16_t port, int flags);

  std::atomic<bool> done_ = false;
  std::vector<SocketAddress> addresses_;
  std::string problem_;
  std::jthread thread_;  // last: it writes to all the others
};

}  // namespace touchstone::llm_client::transport::internal
