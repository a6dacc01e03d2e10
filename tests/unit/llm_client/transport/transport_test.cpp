#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/llm_client/transport/transport_fixture.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <netinet/in.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport {
namespace {

/// Another server program, on a port that was free when it was asked for.
class FileServer {
 public:
  explicit FileServer(std::vector<std::string> command) : port_(free_port()) {
    std::vector<char*> pointers;
    for (auto& word : command) {
      if (word == "{port}") word = std::to_string(port_);
      pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    if (::posix_spawnp(&process_, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) process_ = -1;
  }
  ~FileServer() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;
  int port() const noexcept { return port_; }

 private:
  static int free_port() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(listener);
    return ntohs(address.sin_port);
  }
  int port_;
  pid_t process_ = -1;
};

TEST(Transport, EveryExchangeGetsItsOwnReplyOnce) {
  JudgeServer server({"--jitter-ms", "5"});
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  const auto all = ask(transport, 500);
  ASSERT_EQ(all.size(), 500U);
  EXPECT_EQ(count(all, FailureKind::none), 500U);
  EXPECT_EQ(server.counts()["answered_distinct"], 500);
  EXPECT_EQ(server.counts()["answered_again"], 0);
  // The same question gets the same answer, so that replies can be told apart by their id.
  Transport again({{"", server.base_url(), 1, {}}}, quick());
  const auto others = ask(again, 500);
  for (const auto& [id, delivery] : all) EXPECT_EQ(delivery.body, others.at(id).body) << id;
}

TEST(Transport, AConnectionOfHttp1ServesOneRequest) {
  JudgeServer server;
  auto options = quick();
  options.in_flight = 8;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  ask(transport, 400);
  const auto statistics = transport.statistics();
  EXPECT_EQ(statistics.connections, 400U);
  EXPECT_LE(statistics.peak_in_flight, 8U);
  EXPECT_EQ(statistics.succeeded, 400U);
  EXPECT_EQ(statistics.sent, 400U);
  EXPECT_LE(server.counts()["peak_in_flight"], 8);
}

TEST(Transport, CompressedRepliesComeUncompressed) {
  JudgeServer plain, zipped({"--gzip"});
  Transport one({{"", plain.base_url(), 1, {}}}, quick()), other({{"", zipped.base_url(), 1, {}}}, quick());
  EXPECT_EQ(ask(one, 1).at(0).body, ask(other, 1).at(0).body);
}

TEST(Transport, AnEmptyBodyIsAGet) {
  JudgeServer server;
  Transport transport({{"", server.base_url() + "/", 1, {}}}, quick());
  ASSERT_TRUE(transport.submit({7, "/models", {}, 0, {}}));
  transport.close();
  const auto all = take_all(transport);
  EXPECT_EQ(all.at(7).status, 200);
  EXPECT_NE(all.at(7).body.find("test-model"), std::string::npos);
}

TEST(Transport, AFormIsSentWithItsFileAndTheNextRequestIsJsonAgain) {
  JudgeServer server;
  const testing::TemporaryFolder folder;
  const std::string content = std::string("a\r\n--b\0", 7) + std::string(200'000, 'x');
  write_file_atomically(folder / "requests.jsonl", content);
  auto options = quick();
  options.in_flight = options.first_in_flight = 1;  // one after the other
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  Exchange upload;
  upload.id = 1;
  upload.path = "/files";
  upload.form = {{"purpose", "batch", {}, {}}, {"file", {}, folder / "requests.jsonl", "application/jsonl"}};
  ASSERT_TRUE(transport.submit(upload));
  ASSERT_TRUE(transport.submit(chat(2)));
  upload.id = 3;
  ASSERT_TRUE(transport.submit(upload));
  transport.close();
  const auto all = take_all(transport);
  for (const auto id : {1, 3}) {
    ASSERT_EQ(all.at(id).status, 200) << all.at(id).body;
    const auto reply = parse_json(all.at(id).body);
    EXPECT_EQ(reply.at("bytes"), content.size());
    EXPECT_EQ(reply.at("filename"), "requests.jsonl");
  }
  EXPECT_EQ(all.at(2).status, 200);
}

TEST(Transport, NothingIsTakenAfterClose) {
  JudgeServer server;
  Transport transport({{"", server.base_url(), 1, {}}}, quick());
  transport.close();
  EXPECT_FALSE(transport.submit(chat(1)));
  EXPECT_TRUE(take_all(transport).empty());
}

TEST(Transport, ASlowTakerHoldsSubmissionsBackWithoutLoss) {
  JudgeServer server;
  auto options = quick();
  options.in_flight = 4;
  options.queue = 4;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  std::atomic<std::size_t> submitted{0};
  std::jthread producer([&] {
    for (std::size_t i = 0; i < 200 && transport.submit(chat(i)); ++i) ++submitted;
    transport.close();
  });
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_LE(submitted, 4U + 4U + 4U) << "queue and deliveries are bounded";
  EXPECT_EQ(take_all(transport).size(), 200U);
}

TEST(Transport, CancelKeepsWhatIsInFlightAndGivesTheRestBack) {
  JudgeServer server({"--latency-ms", "3000"});
  auto options = quick();
  options.drain_timeout = milliseconds(20'000);
  options.in_flight = 10;
  options.first_in_flight = 10;
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  for (std::size_t i = 0; i < 50; ++i) ASSERT_TRUE(transport.submit(chat(i)));
  // A request on a connection that is not open yet counts as in flight, and would be given back.
  while (server.counts()["requests"] < 10) std::this_thread::sleep_for(milliseconds(5));
  transport.cancel();
  EXPECT_FALSE(transport.submit(chat(99)));
  const auto all = take_all(transport);
  EXPECT_EQ(all.size(), 50U);
  EXPECT_EQ(count(all, FailureKind::none), 10U);
  EXPECT_EQ(count(all, FailureKind::cancelled), 40U);
  EXPECT_EQ(server.counts()["requests"], 10);
}

TEST(Transport, CancelDoesNotWaitForAServerThatHangs) {
  JudgeServer server({"--rules", R"([{"do":"hang"}])"});
  auto options = quick();
  options.drain_timeout = milliseconds(200);
  Transport transport({{"", server.base_url(), 1, {}}}, options);
  ASSERT_TRUE(transport.submit(chat(1)));
  while (transport.statistics().in_flight == 0) std::this_thread::sleep_for(milliseconds(5));
  const auto begin = std::chrono::steady_clock::now();
  transport.cancel();
  EXPECT_EQ(count(take_all(transport), FailureKind::cancelled), 1U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(Transport, MisspeltEndpointsAreConfigurationErrors) {
  EXPECT_THROW(Transport({}, quick()), ConfigError);
  EXPECT_THROW(Transport({{"", "localhost:8000", 1, {}}}, quick()), ConfigError);
  EXPECT_THROW(Transport({{"", "http://localhost", 0, {}}}, quick()), ConfigError);
  EXPECT_THROW(Transport({{"", "http://localhost", 1, {"Authorization: Bearer a\nb"}}}, quick()), ConfigError);
}

TEST(Transport, WeightsShareOutTheRequests) {
  JudgeServer large, small;
  auto options = quick();
  options.in_flight = 4;  // so that the windows of neither endpoint decide
  Transport transport({{"", large.base_url(), 3, {}}, {"", small.base_url(), 1, {}}}, options);
  EXPECT_EQ(count(ask(transport, 400), FailureKind::none), 400U);
  EXPECT_NEAR(large.counts()["requests"], 300, 20);
  EXPECT_NEAR(small.counts()["requests"], 100, 20);
}

TEST(Transport, ASlowEndpointGetsNoMoreThanItAnswers) {
  JudgeServer fast, slow({"--latency-ms", "400"});
  auto options = quick();
  options.in_flight = 8;
  Transport transport({{"", slow.base_url(), 1, {}}, {"", fast.base_url(), 1, {}}}, options);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(count(ask(transport, 400), FailureKind::none), 400U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8)) << "half of them would take it 20 s";
  EXPECT_GT(fast.counts()["requests"], 4 * slow.counts()["requests"].get<int>());
}

TEST(Transport, AnUntrustedCertificateStopsTheRunAndItsAuthorityHeals) {
  const Certificate certificate;
  const testing::JudgeServer server(certificate.arguments());
  Transport strict({{"", server.base_url(), 1, {}}}, quick());
  const auto refused = ask(strict, 5);
  EXPECT_EQ(count(refused, FailureKind::none), 0U);
  EXPECT_NE(strict.fatal().value_or("").find("certificate is not trusted"), std::string::npos) << *strict.fatal();
  auto options = quick();
  options.ca_file = certificate.file;
  Transport trusting({{"", server.base_url(), 1, {}}}, options);
  EXPECT_EQ(count(ask(trusting, 50), FailureKind::none), 50U);
}

TEST(Transport, Http2CarriesManyRequestsOnFewConnections) {
  const Certificate certificate;
  const testing::TemporaryFolder folder;
  ASSERT_EQ(std::system("command -v nghttpd >/dev/null"), 0) << "package nghttp2-server is not installed";
  std::filesystem::create_directories(folder / "v1/chat");
  std::ofstream(folder / "v1/chat/completions") << "{}";
  const FileServer server(
      {"nghttpd", "-d", folder.path().string(), "-a", "127.0.0.1", "{port}", certificate.key, certificate.file});
  auto options = quick();
  options.ca_file = certificate.file;
  options.in_flight = options.first_in_flight = 64;
  Transport transport({{"", fmt::format("https://127.0.0.1:{}/v1", server.port()), 1, {}}}, options);
  EXPECT_EQ(count(ask(transport, 500), FailureKind::none), 500U) << transport.fatal().value_or("");
  EXPECT_GE(transport.statistics().peak_in_flight, 16U);
  EXPECT_LE(transport.statistics().connections, 4U);
}

}  // namespace
}  // namespace touchstone::llm_client::transport
