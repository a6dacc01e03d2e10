#include "llm_client/transport/http_engine.hpp"

#include "common/descriptor.hpp"
#include "tests/unit/llm_client/transport/transport_fixture.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

/// What happens between a request and its server below HTTP.
namespace touchstone::llm_client::transport {
namespace {

Endpoint endpoint(const std::string& url, std::vector<std::string> headers = {}) {
  return {"", url, 1, std::move(headers)};
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
