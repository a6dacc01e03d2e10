#include "llm_client/transport/name_lookup.hpp"

#include <cstring>
#include <memory>

#include <netdb.h>
#include <sys/eventfd.h>

namespace touchstone::llm_client::transport::internal {

namespace {

constexpr std::size_t kMostAddresses = 16;

}  // namespace

NameLookup::NameLookup(const std::string& host, std::uint16_t port, int woken) {
  find(host, port, AI_NUMERICHOST);
  if (!addresses_.empty()) {
    done_ = true;
    return;
  }
  thread_ = std::jthread([this, host, port, woken] {
    try {
      find(host, port, 0);
    } catch (...) {
      addresses_.clear();  // out of memory; the sentence is the one for a name without an address
    }
    done_ = true;
    eventfd_write(woken, 1);
  });
}

void NameLookup::find(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* first = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &first);
  if (code != 0) {
    problem_ = "the address of " + host + " was not found: " + ::gai_strerror(code);
    return;
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> list(first, &::freeaddrinfo);
  for (const auto* each = first; each != nullptr && addresses_.size() < kMostAddresses; each = each->ai_next) {
    if (each->ai_addrlen > sizeof(sockaddr_storage)) continue;
    auto& added = addresses_.emplace_back();
    std::memcpy(&added.address, each->ai_addr, each->ai_addrlen);
    added.size = each->ai_addrlen;
  }
}

}  // namespace touchstone::llm_client::transport::internal
