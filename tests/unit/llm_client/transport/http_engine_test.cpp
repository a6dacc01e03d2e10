#include "llm_client/transport/http_engine.hpp"

#include "common/descriptor.hpp"
#include "llm_client/transport/http_address.hpp"
#include "tests/unit/llm_client/transport/transport_fixture.hpp"

#include <cstdlib>
#include <optional>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

/// Which engine serves which endpoints, and what only sockets of our own have to find out.
namespace touchstone::llm_client::transport {
namespace {

using internal::parse_http_address;
using internal::plain_sockets_suffice;

/// Environment variables of this process, put back at the end.
class Variables {
 public:
  Variables() {
    for (const char* name : kNames) {
      const char* value = std::getenv(name);
      before_.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
      ::unsetenv(name);
    }
  }
  ~Variables() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      ::unsetenv(kNames.at(i));
      if (before_[i]) ::setenv(kNames.at(i), before_[i]->c_str(), 1);
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  static constexpr std::array<const char*, 4> kNames = {"http_proxy", "all_proxy", "ALL_PROXY", "no_proxy"};
  std::vector<std::optional<std::string>> before_;
};

Endpoint endpoint(const std::string& url, std::vector<std::string> headers = {}) {
  return {"", url, 1, std::move(headers)};
}

TEST(HttpEngine, PlainEndpointsAreServedBySocketsOfOurOwn) {
  const Variables variables;
  for (const char* url :
       {"http://127.0.0.1:8000/v1", "http://localhost:11434", "http://gpu-7.example.org/v1/", "http://[::1]:8000/v1"})
    EXPECT_TRUE(plain_sockets_suffice({endpoint(url, {"Authorization: Bearer sk"})}, {})) << url;
}

TEST(HttpEngine, AllElseIsCurls) {
  const Variables variables;
  const std::string plain = "http://127.0.0.1:8000/v1";
  for (const char* url : {"https://127.0.0.1/v1", "http://user:word@host/v1", "http://host:0/v1",
                          "http://host:99999/v1", "http://host:/v1", "http://h\xC3\xB6st/v1", "http:///v1",
                          "http://host/a b", "http://host/a/../b", "http://[fe80::1%25eth0]/v1", "http://host/v1#x"})
    EXPECT_FALSE(plain_sockets_suffice({endpoint(plain), endpoint(url)}, {})) << url;
  for (const char* header : {"Host: other", "Transfer-Encoding: chunked", "content-length: 3", "Expect: 100-continue",
                             "Connection: close", "X: a\x01", "X;: a"})
    EXPECT_FALSE(plain_sockets_suffice({endpoint(plain, {header})}, {})) << header;
  TransportOptions options;
  options.proxy = "http://proxy:3128";
  EXPECT_FALSE(plain_sockets_suffice({endpoint(plain)}, options));
  options.proxy.clear();
  options.plain_sockets = false;
  EXPECT_FALSE(plain_sockets_suffice({endpoint(plain)}, options));
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) {
    const Variables inner;
    ::setenv(name, "http://proxy:3128", 1);
    ::setenv("no_proxy", "127.0.0.1", 1);
    EXPECT_FALSE(plain_sockets_suffice({endpoint(plain)}, {})) << name;
  }
}

TEST(HttpEngine, AnAddressIsTakenApart) {
  const auto address = parse_http_address("http://[::1]:8000/v1/chat?x=1");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "::1");
  EXPECT_EQ(address->port, 8000);
  EXPECT_EQ(address->authority, "[::1]:8000");
  EXPECT_EQ(address->target, "/v1/chat?x=1");
  EXPECT_EQ(parse_http_address("http://host")->target, "/");
  EXPECT_EQ(parse_http_address("http://host")->port, 80);
}

TEST(HttpEngine, ANameWithSeveralAddressesIsReachedAtTheOneThatAnswers) {
  JudgeServer server;  // on IPv4 only; localhost may be an address of IPv6 first
  Transport transport({endpoint(fmt::format("http://localhost:{}/v1", server.port()))}, quick());
  EXPECT_EQ(count(ask(transport, 50), FailureKind::none), 50U) << transport.fatal().value_or("");
}

TEST(HttpEngine, ANameWithoutAddressEndsTheRunWithASentence) {
  auto options = quick();
  options.outage_patience = milliseconds(500);
  Transport transport({endpoint("http://no-such-host.invalid/v1")}, options);
  const auto all = ask(transport, 5);
  EXPECT_EQ(count(all, FailureKind::none), 0U);
  EXPECT_NE(transport.fatal().value_or("").find("no connection ("), std::string::npos)
      << transport.fatal().value_or("");
}

/// A listener that accepts nothing: once its queue is full, connections to it get no answer.
TEST(HttpEngine, AServerThatDoesNotAnswerIsGivenUpInTime) {
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.get(), 0), 0);
  ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  std::vector<Descriptor> fill;
  for (int i = 0; i < 3; ++i) {
    fill.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    ::connect(fill.back().get(), reinterpret_cast<sockaddr*>(&address), size);
  }
  auto options = quick();
  options.connect_timeout = milliseconds(200);
  options.outage_patience = milliseconds(600);
  Transport transport({endpoint(fmt::format("http://127.0.0.1:{}/v1", ntohs(address.sin_port)))}, options);
  const auto all = ask(transport, 2);
  EXPECT_EQ(count(all, FailureKind::none), 0U);
  EXPECT_NE(transport.fatal().value_or("").find("no connection ("), std::string::npos)
      << transport.fatal().value_or("");
  for (const auto& [id, delivery] : all) EXPECT_FALSE(delivery.served) << id;
}

TEST(HttpEngine, ALongRequestIsSentWhole) {
  JudgeServer server;
  Transport transport({endpoint(server.base_url())}, quick());
  const std::string text(3'000'000, 'x');
  for (std::size_t i = 0; i < 6; ++i) ASSERT_TRUE(transport.submit(chat(i, text)));
  transport.close();
  EXPECT_EQ(count(take_all(transport), FailureKind::none), 6U);
  EXPECT_EQ(server.counts()["answered_distinct"], 6);
}

}  // namespace
}  // namespace touchstone::llm_client::transport
