#include "tests/judge_server/raw_server.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <thread>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace touchstone::judge_server {

namespace {

struct RawConnection {
  int descriptor = -1;
  bool hung_up = false;
  bool answered = false;  // what httplib writes for this request is dropped
  bool left = false;      // by the client, amid the reply
};
thread_local RawConnection present;
std::string greeting;  // set before the server is made

bool write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const auto sent = ::send(descriptor, data, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

class SocketStream : public httplib::Stream {
 public:
  explicit SocketStream(int descriptor) : descriptor_(descriptor) {}

  /// True when a request, or the end, has come within the keep-alive time.
  bool wait_readable(int timeout_ms) const {
    if (begin_ < end_) return true;
    pollfd poller{descriptor_, POLLIN, 0};
    return ::poll(&poller, 1, timeout_ms) > 0;
  }
  bool is_readable() const override { return wait_readable(5'000); }
  bool is_writable() const override { return true; }
  ssize_t read(char* data, size_t size) override {
    if (begin_ == end_) {
      const auto received = ::recv(descriptor_, buffer_.data(), buffer_.size(), 0);
      if (received <= 0) return received;
      begin_ = 0;
      end_ = static_cast<std::size_t>(received);
    }
    const std::size_t taken = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, taken, data);
    begin_ += taken;
    return static_cast<ssize_t>(taken);
  }
  ssize_t write(const char* data, size_t size) override {
    if (present.answered) return static_cast<ssize_t>(size);
    if (present.hung_up || !write_all(descriptor_, data, size)) return -1;
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { name(&::getpeername, ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { name(&::getsockname, ip, port); }
  socket_t socket() const override { return descriptor_; }

 private:
  void name(int (*get)(int, sockaddr*, socklen_t*), std::string& ip, int& port) const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    get(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    std::array<char, INET_ADDRSTRLEN> text{};
    ip = ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
    port = ntohs(address.sin_port);
  }

  int descriptor_;
  std::array<char, 16384> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

/// Sends the greeting before any of the request is read, and gives the client the time to see that.
void greet(int descriptor) {
  constexpr int kLook_ms = 2'000;
  send_raw(greeting);
  pollfd poller{descriptor, 0, 0};  // until the client has left
  ::poll(&poller, 1, kLook_ms);
}

/// Of a server that greets: takes so little of a request before it is read that the client can tell it was not.
void take_little(socket_t listener) {
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &on, sizeof on);
}

/// httplib lets five connections wait to be accepted; those after them are tried again by the client's kernel after a
/// second.
class RawServer : public httplib::Server {
 public:
  void deepen_backlog() { ::listen(svr_sock_, 4096); }

 private:
  bool process_and_close_socket(socket_t descriptor) override {
    present = {};
    present.descriptor = descriptor;
    if (!greeting.empty()) greet(descriptor);
    SocketStream stream(descriptor);
    for (bool closed = false; !closed && !present.hung_up && stream.wait_readable(60'000);) {
      present.answered = present.left = false;
      if (!process_request(stream, false, closed, nullptr)) break;
    }
    ::shutdown(descriptor, SHUT_RDWR);
    ::close(descriptor);
    present = {};
    return true;
  }
};

class ThreadEach : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override {
    std::thread(std::move(task)).detach();  // the process ends by a signal; nobody waits for them
  }
  void shutdown() override {}
};

}  // namespace

std::unique_ptr<httplib::Server> make_server() {
  auto server = std::make_unique<RawServer>();
  if (!greeting.empty()) server->set_socket_options(take_little);
  server->new_task_queue = [] { return new ThreadEach; };
  server->set_tcp_nodelay(true);
  server->set_keep_alive_max_count(std::size_t{1} << 40);
  server->set_keep_alive_timeout(60);
  server->set_payload_max_length(std::size_t{300} << 20);
  return server;
}

int bind(httplib::Server& server, int port) {
  const int bound = port == 0                                ? server.bind_to_any_port("127.0.0.1")
                    : server.bind_to_port("127.0.0.1", port) ? port
                                                             : -1;
  static_cast<RawServer&>(server).deepen_backlog();
  return bound;
}

bool send_raw(std::string_view bytes) {
  if (present.descriptor < 0 || present.hung_up) return false;
  present.left = present.left || !write_all(present.descriptor, bytes.data(), bytes.size());
  return !present.left;
}

bool client_stays() {
  return !present.left;
}

bool answer_raw(std::string_view bytes) {
  if (!send_raw(bytes)) return false;
  present.answered = true;
  return true;
}

void greet_with(std::string bytes) {
  greeting = std::move(bytes);
}

bool hang_up(bool reset) {
  if (present.descriptor < 0) return false;
  if (reset) {
    const linger now{1, 0};
    ::setsockopt(present.descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  } else {
    ::shutdown(present.descriptor, SHUT_RDWR);
  }
  present.hung_up = true;
  return true;
}

bool wait_for_client_to_leave() {
  if (present.descriptor < 0) return false;
  std::array<char, 256> ignored;
  while (::recv(present.descriptor, ignored.data(), ignored.size(), 0) > 0) {
  }
  return hang_up(false);
}

}  // namespace touchstone::judge_server
