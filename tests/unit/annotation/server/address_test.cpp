#include "annotation/server/address.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone::annotation::server {
namespace {

TEST(BindAddress, HostAndPortOfAllForms) {
  const auto text = [](const char* given, bool tls = false) { return url_of(parse_bind_address(given), tls); };
  EXPECT_EQ(text("127.0.0.1:8080"), "http://127.0.0.1:8080");
  EXPECT_EQ(text("[::1]:80", true), "https://[::1]:80");
  EXPECT_EQ(text("localhost:0"), "http://localhost:0");
}

TEST(BindAddress, OtherTextsAreRefused) {
  for (const auto* const wrong : {"", ":", "8080", "127.0.0.1", "127.0.0.1:", ":8080", "host:65536", "host:-1",
                                  "host:8o", "::1:80", "host:80:90", "[::1]", "[]:80"})
    EXPECT_THROW(parse_bind_address(wrong), ConfigError) << wrong;
}

TEST(BindAddress, OnlyLoopbackIsForThisMachineAlone) {
  for (const auto* const own : {"127.0.0.1:1", "127.8.9.10:1", "[::1]:1", "localhost:1"})
    EXPECT_TRUE(is_loopback(parse_bind_address(own))) << own;
  for (const auto* const open :
       {"0.0.0.0:1", "[::]:1", "192.168.0.1:1", "128.0.0.1:1", "example.org:1", "localhost.evil.org:1"})
    EXPECT_FALSE(is_loopback(parse_bind_address(open))) << open;
}

TEST(PublicUrl, IsAnOriginWithoutAPath) {
  EXPECT_EQ(checked_public_url(""), "");
  EXPECT_EQ(checked_public_url("https://judge.example.org"), "https://judge.example.org");
  EXPECT_EQ(checked_public_url("http://judge.example.org:8080/"), "http://judge.example.org:8080");
  for (const auto* const wrong :
       {"judge.example.org", "ftp://judge.example.org", "https://", "https://a b", "https://a\nb",
        "https://judge.example.org/annotate", "https://a?b", "https://a#b", "https://a@b"})
    EXPECT_THROW(checked_public_url(wrong), ConfigError) << wrong;
}

}  // namespace
}  // namespace touchstone::annotation::server
