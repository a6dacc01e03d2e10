#include "llm_client/transport/socket_state.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

bool holds_bytes(int descriptor) noexcept {
  char byte = 0;
  return ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool has_unread_request(int descriptor) noexcept {
  int bytes = 0;
  return descriptor >= 0 && ::ioctl(descriptor, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

int local_port_of(int descriptor) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return -1;
}

}  // namespace touchstone::llm_client::transport::internal
