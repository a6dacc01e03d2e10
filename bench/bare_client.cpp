#include "bench/bare_client.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace touchstone::bench {

namespace {

int require(int result, const char* what) {
  if (result < 0) throw Error(fmt::format("the bare client cannot {}: {}", what, std::strerror(errno)));
  return result;
}

std::uint16_t port_of(const std::string& url) {
  const auto colon = url.rfind(':');
  return static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
}

struct Connection {
  Descriptor socket;
  std::string in;
};

class BareClient {
 public:
  BareClient(std::uint16_t port, std::size_t body_bytes)
      : port_(port), epoll_(require(epoll_create1(EPOLL_CLOEXEC), "wait for sockets")) {
    request_ = fmt::format(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
        "{}\r\n\r\n",
        body_bytes);
    request_.append(body_bytes, 'x');
  }

  void run(std::size_t requests, std::size_t in_flight) {
    connections_.resize(std::min(requests, in_flight));
    for (std::size_t i = 0; i < connections_.size(); ++i) connect(i);
    sent_ = connections_.size();
    for (std::size_t i = 0; i < connections_.size(); ++i) send(i);
    std::array<epoll_event, 512> events;
    for (std::size_t received = 0; received < requests;) {
      const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 30'000);
      if (require(count, "wait for replies") == 0) throw Error("the bare client waits for a reply in vain");
      for (int i = 0; i < count; ++i) received += receive(events[static_cast<std::size_t>(i)].data.u64, requests);
    }
  }

 private:
  void connect(std::size_t index) {
    auto& connection = connections_[index];
    connection.socket = Descriptor(require(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "open a socket"));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port_);
    require(::connect(connection.socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    const int on = 1;
    ::setsockopt(connection.socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    require(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, connection.socket.get(), &event), "watch a socket");
  }

  void send(std::size_t index) {
    const auto sent = ::send(connections_[index].socket.get(), request_.data(), request_.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request_.size())) throw Error("the bare client cannot send a whole request");
  }

  /// Returns 1 when a reply is whole; its connection is used again.
  std::size_t receive(std::size_t index, std::size_t requests) {
    auto& connection = connections_[index];
    std::array<char, 16384> buffer;
    const auto size = ::recv(connection.socket.get(), buffer.data(), buffer.size(), 0);
    if (size <= 0) throw Error("the server broke a connection of the bare client off");
    connection.in.append(buffer.data(), static_cast<std::size_t>(size));
    const std::string_view in = connection.in;
    const auto head = in.find("\r\n\r\n");
    constexpr std::string_view kLength = "Content-Length: ";
    const auto length = in.find(kLength);
    if (head == std::string_view::npos || length > head) return 0;
    if (in.size() < head + 4 + std::stoul(connection.in.substr(length + kLength.size(), 12))) return 0;
    connection.in.clear();
    if (sent_ < requests) {
      ++sent_;
      send(index);
    }
    return 1;
  }

  std::uint16_t port_;
  Descriptor epoll_;
  std::string request_;
  std::vector<Connection> connections_;
  std::size_t sent_ = 0;
};

}  // namespace

double bare_requests_per_second(const std::string& url, std::size_t requests, std::size_t in_flight,
                                std::size_t body_bytes) {
  const auto begin = std::chrono::steady_clock::now();
  BareClient(port_of(url), body_bytes).run(requests, in_flight);
  return static_cast<double>(requests) /
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace touchstone::bench
