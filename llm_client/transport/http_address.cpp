#include "llm_client/transport/http_address.hpp"

#include <charconv>

namespace touchstone::llm_client::transport::internal {

namespace {

constexpr std::string_view kNameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
constexpr std::string_view kAddressBytes = "0123456789abcdefABCDEF:.";
constexpr std::size_t kLongestName = 253;

bool take_port(std::string_view text, std::uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port != 0;
}

bool take_authority(std::string_view text, HttpAddress& address) {
  address.authority = text;
  std::string_view host, allowed = kNameBytes;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return false;
    host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    allowed = kAddressBytes;
  } else {
    host = text.substr(0, text.find(':'));
    text.remove_prefix(host.size());
  }
  if (host.empty() || host.size() > kLongestName || host.find_first_not_of(allowed) != std::string_view::npos)
    return false;
  address.host = host;
  return text.empty() || (text.starts_with(':') && take_port(text.substr(1), address.port));
}

bool is_sent_as_it_is(std::string_view target) {
  constexpr std::string_view kEscaped = "\"#<>\\^`{|}";
  for (const char c : target) {
    if (c <= ' ' || c >= '\x7f' || kEscaped.find(c) != std::string_view::npos) return false;
  }
  return target.find("/.") == std::string_view::npos;
}

}  // namespace

std::optional<HttpAddress> parse_http_address(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) return std::nullopt;
  url.remove_prefix(kScheme.size());
  const auto slash = url.find('/');
  HttpAddress address;
  address.target = slash == std::string_view::npos ? "/" : url.substr(slash);
  if (!take_authority(url.substr(0, slash), address) || !is_sent_as_it_is(address.target)) return std::nullopt;
  return address;
}

}  // namespace touchstone::llm_client::transport::internal
