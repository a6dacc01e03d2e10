#include "annotation/server/address.hpp"

#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>

#include <arpa/inet.h>

namespace touchstone::annotation::server {

BindAddress parse_bind_address(std::string_view text) {
  const auto colon = text.rfind(':');
  BindAddress address;
  if (colon != std::string_view::npos) address.host = text.substr(0, colon);
  const bool bracketed = address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']';
  if (bracketed) address.host = address.host.substr(1, address.host.size() - 2);
  const bool bare_ipv6 = !bracketed && address.host.find(':') != std::string::npos;
  if (colon == std::string_view::npos || address.host.empty() || address.host.front() == '[' || bare_ipv6 ||
      !formats::fields::parse_integer(text.substr(colon + 1), 0, 65'535, address.port)) {
    throw ConfigError("--bind " + formats::fields::quote_for_message(text) +
                      " is no address with a port; write 127.0.0.1:8080 or [::1]:8080");
  }
  return address;
}

bool is_loopback(const BindAddress& address) {
  in6_addr six{};
  if (inet_pton(AF_INET6, address.host.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six) != 0;
  in_addr four{};
  if (inet_pton(AF_INET, address.host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24U) == 127;
  return address.host == "localhost";
}

std::string checked_public_url(std::string_view text) {
  if (text.empty()) return "";
  auto host = text;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (host.starts_with(scheme)) host.remove_prefix(scheme.size());
  }
  const bool has_scheme = host.size() < text.size();
  if (host.ends_with('/')) host.remove_suffix(1);
  const bool is_plain = std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view(".-:[]").find(c) != std::string_view::npos;
  });
  if (!has_scheme || host.empty() || !is_plain) {
    throw ConfigError("--public-url " + formats::fields::quote_for_message(text) +
                      " is no address without a path; write https://judge.example.org");
  }
  return std::string(text.substr(0, text.size() - (text.ends_with('/') ? 1 : 0)));
}

std::string url_of(const BindAddress& address, bool tls) {
  const bool six = address.host.find(':') != std::string::npos;
  return (tls ? "https://" : "http://") + (six ? "[" + address.host + "]" : address.host) + ":" +
         std::to_string(address.port);
}

}  // namespace touchstone::annotation::server
