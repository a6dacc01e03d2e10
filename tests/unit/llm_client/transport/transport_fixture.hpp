#pragma once

#include "llm_client/transport/transport.hpp"
#include "tests/support/judge_server.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace touchstone::llm_client::transport {

using std::chrono::milliseconds;

/// A self-signed certificate for 127.0.0.1 and its key, made by the openssl program.
struct Certificate {
  testing::TemporaryFolder folder;
  std::string file = folder / "certificate.pem", key = folder / "key.pem";
  Certificate() {
    const auto command = fmt::format(
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 "
        "-keyout {} -out {} 2>/dev/null",
        key, file);
    EXPECT_EQ(std::system(command.c_str()), 0) << "no certificate; is package openssl installed?";
  }
  std::vector<std::string> arguments() const { return {"--certificate", file, "--certificate-key", key}; }
};

/// The certificate of all servers when the tests run over TLS; null when they run over plain http.
inline const Certificate* certificate_of_all() {
  const char* wanted = std::getenv("TS_TRANSPORT");
  if (wanted == nullptr || std::string_view(wanted) != "tls") return nullptr;
  static const Certificate certificate;
  return &certificate;
}

/// A server that plays a language model's, over the scheme of this run of the tests.
class JudgeServer : public testing::JudgeServer {
 public:
  explicit JudgeServer(std::vector<std::string> arguments = {})
      : testing::JudgeServer(with_tls(std::move(arguments))) {}
  void restart(std::vector<std::string> arguments = {}) {
    testing::JudgeServer::restart(with_tls(std::move(arguments)));
  }

 private:
  static std::vector<std::string> with_tls(std::vector<std::string> arguments) {
    if (certificate_of_all() == nullptr) return arguments;
    for (auto& argument : certificate_of_all()->arguments()) arguments.push_back(std::move(argument));
    return arguments;
  }
};

/// A transport with waits that suit tests.
inline TransportOptions quick() {
  TransportOptions options;
  options.backoff = milliseconds(10);
  options.longest_backoff = milliseconds(100);
  options.connect_timeout = milliseconds(2'000);
  options.reply_timeout = milliseconds(10'000);
  options.outage_patience = milliseconds(2'000);
  options.drain_timeout = milliseconds(2'000);
  if (certificate_of_all() != nullptr) options.ca_file = certificate_of_all()->file;
  return options;
}

inline std::string question(std::size_t number, const std::string& text = "question") {
  return fmt::format(R"({{"model":"test-model","messages":[{{"role":"user","content":"{} {}"}}]}})", text, number);
}

inline Exchange chat(std::size_t number, const std::string& text = "question") {
  return {number, "/chat/completions", question(number, text), 100, {}};
}

/// Takes until the transport has finished, or for a minute.
inline std::map<std::uint64_t, Delivery> take_all(Transport& transport) {
  std::map<std::uint64_t, Delivery> all;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!transport.finished() && std::chrono::steady_clock::now() < end) {
    for (auto& delivery : transport.take(milliseconds(100))) {
      const auto id = delivery.id;
      EXPECT_TRUE(all.emplace(id, std::move(delivery)).second) << "delivered twice: " << id;
    }
  }
  EXPECT_TRUE(transport.finished());
  return all;
}

/// Sends `count` questions and takes all that becomes of them.
inline std::map<std::uint64_t, Delivery> ask(Transport& transport, std::size_t count,
                                             const std::string& text = "question") {
  std::jthread producer([&transport, count, text] {
    for (std::size_t i = 0; i < count && transport.submit(chat(i, text)); ++i) {
    }
    transport.close();
  });
  return take_all(transport);
}

inline std::size_t count(const std::map<std::uint64_t, Delivery>& all, FailureKind failure) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const auto& each) { return each.second.failure == failure; }));
}

/// The sentence of the first delivery of that kind.
inline std::string message(const std::map<std::uint64_t, Delivery>& all, FailureKind failure) {
  for (const auto& [id, delivery] : all) {
    if (delivery.failure == failure) return delivery.message;
  }
  return {};
}

}  // namespace touchstone::llm_client::transport
