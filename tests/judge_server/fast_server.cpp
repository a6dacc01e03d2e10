#include "tests/judge_server/fast_server.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <deque>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace touchstone::judge_server {

namespace {

using Clock = std::chrono::steady_clock;

int require(int result, const char* what) {
  if (result < 0) throw Error(fmt::format("the test server cannot {}: {}", what, std::strerror(errno)));
  return result;
}

int listen_on(std::uint16_t& port) {
  const int listener = require(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "open a socket");
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  require(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), "bind its port");
  require(::listen(listener, 4096), "listen");
  require(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), "tell its port");
  port = ntohs(address.sin_port);
  return listener;
}

/// A chat completion of `bytes` bytes whose answer follows from the request's hash.
std::string completion(std::uint64_t hash, std::size_t bytes) {
  auto text = fmt::format(
      R"({{"id":"chatcmpl-{:016x}","object":"chat.completion","created":0,"model":"fast","choices":[{{"index":0,"message":{{"role":"assistant","content":"{{\"evidence\":\"{}\"}}"}},"logprobs":null,"finish_reason":"stop"}}],"usage":{{"prompt_tokens":350,"completion_tokens":7,"total_tokens":357}}}})",
      hash, hash % 3 == 0 ? "yes" : "no");
  if (text.size() < bytes) text.append(bytes - text.size(), ' ');
  return text;
}

struct Connection {
  std::string in;
  std::uint32_t generation = 0;  // tells a descriptor's present connection from those before
};

class Server {
 public:
  explicit Server(const FastOptions& options) : options_(options), port_(options.port), listener_(listen_on(port_)) {
    epoll_ = require(epoll_create1(EPOLL_CLOEXEC), "wait for sockets");
    watch(listener_);
  }

  [[noreturn]] void run() {
    std::printf("%u\n", static_cast<unsigned>(port_));
    std::fflush(stdout);
    std::array<epoll_event, 512> events;
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait_ms());
      for (int i = 0; i < count; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        if (descriptor == listener_) {
          accept_all();
        } else {
          receive(descriptor);
        }
      }
      answer_due();
    }
  }

 private:
  struct Late {
    Clock::time_point due;
    int descriptor;
    std::uint32_t generation;
    std::uint64_t hash;
  };

  int wait_ms() const {
    if (late_.empty()) return -1;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(late_.front().due - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(wait, 0));
  }

  void watch(int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    require(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event), "watch a socket");
  }

  void accept_all() {
    for (;;) {
      const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor < 0) return;
      const int on = 1;
      ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const auto at = static_cast<std::size_t>(descriptor);
      if (at >= connections_.size()) connections_.resize(at + 64);
      connections_[at].in.clear();
      ++connections_[at].generation;
      watch(descriptor);
    }
  }

  void drop(int descriptor) {
    ++connections_[static_cast<std::size_t>(descriptor)].generation;
    ::close(descriptor);
  }

  void receive(int descriptor) {
    std::array<char, 16384> buffer;
    const auto size = ::recv(descriptor, buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return drop(descriptor);
    auto& connection = connections_[static_cast<std::size_t>(descriptor)];
    connection.in.append(buffer.data(), static_cast<std::size_t>(size));
    while (take_request(descriptor, connection)) {
    }
  }

  bool take_request(int descriptor, Connection& connection) {
    const std::string_view in = connection.in;
    const auto head = in.find("\r\n\r\n");
    if (head == std::string_view::npos) return false;
    std::size_t length = 0;
    for (std::size_t line = in.find("\r\n"); line < head; line = in.find("\r\n", line + 2)) {
      constexpr std::string_view kName = "content-length:";
      const auto name = in.substr(line + 2, kName.size());
      if (!std::equal(name.begin(), name.end(), kName.begin(), kName.end(),
                      [](char a, char b) { return (a | 0x20) == (b | 0x20); })) {
        continue;
      }
      auto digits = in.substr(line + 2 + kName.size());
      digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
      std::from_chars(digits.data(), digits.data() + digits.size(), length);
    }
    if (in.size() < head + 4 + length) return false;
    if (in.starts_with("GET ")) {
      send(descriptor, fmt::format(R"({{"requests":{}}})", requests_));
    } else {
      ++requests_;
      const auto hash = xxh3_64(in.substr(head + 4, length));
      if (options_.latency.count() == 0) {
        send(descriptor, completion(hash, options_.answer_bytes));
      } else {
        late_.push_back({Clock::now() + options_.latency, descriptor, connection.generation, hash});
      }
    }
    connection.in.erase(0, head + 4 + length);
    return !connection.in.empty();
  }

  void answer_due() {
    const auto now = Clock::now();
    for (; !late_.empty() && late_.front().due <= now; late_.pop_front()) {
      const auto& late = late_.front();
      if (connections_[static_cast<std::size_t>(late.descriptor)].generation != late.generation) continue;
      send(late.descriptor, completion(late.hash, options_.answer_bytes));
    }
  }

  /// A reply is far smaller than a socket's buffer, so that it goes out whole or the client is gone.
  void send(int descriptor, const std::string& body) {
    const auto reply = fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                                   body.size(), body);
    const auto sent = ::send(descriptor, reply.data(), reply.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(reply.size())) ::shutdown(descriptor, SHUT_RDWR);
  }

  FastOptions options_;
  std::uint16_t port_;
  int listener_, epoll_ = -1;
  std::vector<Connection> connections_;  // by descriptor
  std::deque<Late> late_;                // one latency for all, so in order of `due`
  std::uint64_t requests_ = 0;
};

}  // namespace

int run_fast_server(const FastOptions& options) {
  Server(options).run();
}

}  // namespace touchstone::judge_server
