#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace touchstone::judge_server {

struct FastOptions {
  std::uint16_t port = 0;  ///< 0: any
  std::chrono::milliseconds latency{0};
  std::size_t answer_bytes = 500;  ///< of a reply's body
};

/// A server for benchmarks: one thread and epoll, the right answer to every POST after a fixed latency, nothing else.
/// It reads no JSON. `GET /counts` tells the number of requests. Prints its port, and returns on SIGTERM.
int run_fast_server(const FastOptions& options);

}  // namespace touchstone::judge_server
