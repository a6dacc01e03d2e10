#include "llm_client/transport/socket_state.hpp"

#include <cerrno>

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

SocketState socket_state(int descriptor) noexcept {
  char byte = 0;
  const auto received = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (received > 0) return SocketState::kHoldsBytes;
  if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return SocketState::kClean;
  return SocketState::kClosed;
}

bool has_unread_request(int descriptor) noexcept {
  int bytes = 0;
  return descriptor >= 0 && ::ioctl(descriptor, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

}  // namespace touchstone::llm_client::transport::internal
