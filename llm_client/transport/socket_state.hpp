#pragma once

#include <cstdint>

namespace touchstone::llm_client::transport::internal {

/// How a connection stands just before a request is sent on it.
enum class SocketState : std::uint8_t { kClean, kHoldsBytes, kClosed };
SocketState socket_state(int descriptor) noexcept;

/// True while the other side has not acknowledged all bytes that were sent.
bool has_unread_request(int descriptor) noexcept;

}  // namespace touchstone::llm_client::transport::internal
