#pragma once

namespace touchstone::llm_client::transport::internal {

/// True when bytes wait to be read.
bool holds_bytes(int descriptor) noexcept;

/// True while the other side has not acknowledged all bytes that were sent.
bool has_unread_request(int descriptor) noexcept;

/// The port of this side; -1 for what is no connection over IP.
int local_port_of(int descriptor) noexcept;

}  // namespace touchstone::llm_client::transport::internal
