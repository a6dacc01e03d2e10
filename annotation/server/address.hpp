#pragma once

#include <string>
#include <string_view>

namespace touchstone::annotation::server {

/// Where a server listens.
struct BindAddress {
  std::string host;
  int port = 0;  ///< 0: any that is free
};

/// Reads "127.0.0.1:8080", "[::1]:8080" or "localhost:8080". Throws ConfigError for anything else.
BindAddress parse_bind_address(std::string_view text);

/// Whether only this machine can reach it: 127.0.0.0/8, ::1 or localhost.
bool is_loopback(const BindAddress& address);

/// The address that annotators see behind a proxy, "https://judge.example.org", without a slash at its end; may be
/// empty. Throws ConfigError for anything else, also for an address with a path: cookies and pages are those of "/".
std::string checked_public_url(std::string_view text);

/// "http://127.0.0.1:8080"
std::string url_of(const BindAddress& address, bool tls);

}  // namespace touchstone::annotation::server
