#include "llm_client/transport/http_engine.hpp"

#include "common/error.hpp"
#include "llm_client/transport/curl_engine.hpp"
#include "llm_client/transport/http_address.hpp"
#include "llm_client/transport/plain_engine.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <new>
#include <string_view>

#include <curl/curl.h>

namespace touchstone::llm_client::transport::internal {

namespace {

/// Variables by which curl finds a proxy for http; it does not read HTTP_PROXY.
bool environment_names_proxy() {
  constexpr std::array<const char*, 3> kNames = {"http_proxy", "all_proxy", "ALL_PROXY"};
  return std::any_of(kNames.begin(), kNames.end(), [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

/// True for a line that changes how the request or its reply is framed, or that does not go out as it stands.
bool is_unusual(std::string_view line) {
  constexpr std::array<std::string_view, 9> kNames = {"host",    "connection",        "content-length",
                                                      "expect",  "transfer-encoding", "te",
                                                      "upgrade", "trailer",           "accept-encoding"};
  const auto name = line.substr(0, line.find(':'));
  const auto is = [&](std::string_view wanted) {
    return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(),
                      [](unsigned char a, char b) { return std::tolower(a) == b; });
  };
  const bool strange_bytes =
      std::any_of(line.begin(), line.end(), [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; });
  return strange_bytes || name.empty() || name.find_first_of(" \t;") != std::string_view::npos ||
         std::any_of(kNames.begin(), kNames.end(), is);
}

bool has_value(std::string_view line) {
  const auto colon = line.find(':');
  return colon != std::string_view::npos && line.find_first_not_of(" \t", colon + 1) != std::string_view::npos;
}

}  // namespace

HeaderList::HeaderList(const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    auto* longer = curl_slist_append(static_cast<curl_slist*>(list_), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    list_ = longer;
    if (has_value(line)) text_.append(line).append("\r\n");
  }
}

HeaderList::~HeaderList() {
  curl_slist_free_all(static_cast<curl_slist*>(list_));
}

bool plain_sockets_suffice(const std::vector<Endpoint>& endpoints, const TransportOptions& options) {
  if (!options.plain_sockets || !options.proxy.empty() || environment_names_proxy()) return false;
  return std::all_of(endpoints.begin(), endpoints.end(), [](const Endpoint& endpoint) {
    return parse_http_address(endpoint.base_url) &&
           std::none_of(endpoint.headers.begin(), endpoint.headers.end(), is_unusual);
  });
}

std::unique_ptr<HttpEngine> make_engine(const std::vector<Endpoint>& endpoints, const TransportOptions& options) {
  if (plain_sockets_suffice(endpoints, options)) return std::make_unique<PlainEngine>(options);
  return std::make_unique<CurlEngine>(options);
}

void fail(const std::string& what, const char* why) {
  throw Error("the HTTP client cannot " + what + ": " + why + "; check memory and the limit of open files (ulimit -n)");
}

}  // namespace touchstone::llm_client::transport::internal
