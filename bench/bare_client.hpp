#pragma once

#include <cstddef>
#include <string>

namespace touchstone::bench {

/// Sends `requests` POST requests with bodies of `body_bytes` bytes to a server of this machine, over `in_flight` kept
/// connections, and reads each reply up to the length that its head gives. One thread, one epoll, nothing else: no
/// retries, no checks, no store. So it is what any client could reach. Returns requests a second; throws Error when the
/// server cannot be reached or breaks off.
/// \param url  "http://127.0.0.1:PORT/v1"
double bare_requests_per_second(const std::string& url, std::size_t requests, std::size_t in_flight,
                                std::size_t body_bytes);

}  // namespace touchstone::bench
