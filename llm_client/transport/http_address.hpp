#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// The parts of a plain address, "http://host:port/path?query".
struct HttpAddress {
  std::string host;  ///< name, IPv4 address, or IPv6 address without brackets
  std::uint16_t port = 80;
  std::string authority;  ///< host and port as they were written, for the header `Host`
  std::string target;     ///< path and query; "/" when there is no path
};

/// Takes an address apart that needs no rewriting before it is sent. Returns nothing for any other: another scheme, a
/// user, a fragment, bytes that must be escaped, dot segments. Pure and thread-safe. Source: RFC 3986, section 3.
std::optional<HttpAddress> parse_http_address(std::string_view url);

}  // namespace touchstone::llm_client::transport::internal
