#include "tests/judge_server/tls_front.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"

#include <array>
#include <memory>
#include <thread>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

namespace touchstone::judge_server {

namespace {

struct SslCleanup {
  void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
};

sockaddr_in local_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

void set_option(const Descriptor& socket, int level, int option, const auto& value) {
  ::setsockopt(socket.get(), level, option, &value, sizeof value);
}

Descriptor connect_to(int port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto address = local_address(port);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return {};
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

/// False when the client has gone.
bool pass_to_server(SSL& client, const Descriptor& server) {
  std::array<char, 16384> buffer;
  do {
    const int size = SSL_read(&client, buffer.data(), static_cast<int>(buffer.size()));
    if (size <= 0 || ::send(server.get(), buffer.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) != size)
      return false;
  } while (SSL_pending(&client) > 0);
  return true;
}

/// False when the connection has ended.
bool pass_to_client(const Descriptor& server, SSL& client, const Descriptor& socket) {
  std::array<char, 16384> buffer;
  const auto size = ::recv(server.get(), buffer.data(), buffer.size(), 0);
  if (size > 0) return SSL_write(&client, buffer.data(), static_cast<int>(size)) > 0;
  if (size == 0) {
    SSL_shutdown(&client);
  } else {
    set_option(socket, SOL_SOCKET, SO_LINGER, linger{1, 0});
  }
  return false;
}

void serve(Descriptor socket, SSL_CTX* context, int server_port) {
  const std::unique_ptr<SSL, SslCleanup> client(SSL_new(context));
  if (!client || SSL_set_fd(client.get(), socket.get()) != 1 || SSL_accept(client.get()) != 1) return;
  const auto server = connect_to(server_port);
  if (server.get() < 0) return;
  for (;;) {
    std::array<pollfd, 2> sides = {{{socket.get(), POLLIN, 0}, {server.get(), POLLIN, 0}}};
    if (::poll(sides.data(), sides.size(), -1) <= 0) return;
    if (sides[0].revents != 0 && !pass_to_server(*client, server)) return;
    if (sides[1].revents != 0 && !pass_to_client(server, *client, socket)) return;
  }
}

}  // namespace

int start_tls_front(const std::string& certificate, const std::string& key, int port, int server_port) {
  auto* context = SSL_CTX_new(TLS_server_method());  // for the life of the process
  if (context == nullptr || SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    throw Error("the test server cannot use its certificate");
  Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  set_option(listener, SOL_SOCKET, SO_REUSEADDR, 1);
  auto address = local_address(port);
  socklen_t size = sizeof address;
  auto* name = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.get(), name, size) != 0 || ::listen(listener.get(), 4096) != 0 ||
      ::getsockname(listener.get(), name, &size) != 0)
    throw Error("the test server cannot bind a port for TLS");
  std::thread([listener = std::move(listener), context, server_port] {
    for (;;) {
      Descriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (socket.get() < 0) continue;
      set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
      std::thread(serve, std::move(socket), context, server_port).detach();
    }
  }).detach();
  return ntohs(address.sin_port);
}

}  // namespace touchstone::judge_server
