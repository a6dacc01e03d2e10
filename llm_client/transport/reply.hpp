#pragma once

#include "llm_client/transport/rate_hints.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace touchstone::llm_client::transport::internal {

/// How one attempt ended, as far as HTTP goes.
enum class Arrival : std::uint8_t {
  kReply,         ///< a whole reply with a status
  kNoConnection,  ///< name not resolved, refused, TLS handshake failed: nothing was sent
  kUntrusted,     ///< the certificate is not one we trust
  kTimeout,
  kBroken,     ///< reset, cut, damaged, or not HTTP
  kOversized,  ///< body or headers beyond the bound
  kCrowded     ///< all replies together are beyond theirs
};

struct Reply {
  std::size_t tag = 0;  ///< as given to `start`
  Arrival arrival = Arrival::kReply;
  int status = 0;
  std::string body;
  std::string redirect;  ///< host that the `Location` of a 3xx names
  RateHints hints;
  std::chrono::steady_clock::time_point sent;
  std::chrono::microseconds latency{0};
  bool connected = false;  ///< a connection was opened for it
  bool asked = false;      ///< bytes of the request may have left
  std::string error;       ///< why, when it is no kReply
};

}  // namespace touchstone::llm_client::transport::internal
