#include "llm_client/transport/file_fetcher.hpp"

#include "common/error.hpp"

#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <httplib.h>

namespace touchstone::llm_client::transport {
namespace {

using std::chrono::milliseconds;

/// Keeps what comes.
struct KeptFile : FileSink {
  FileHead head;
  int begun = 0;
  std::string bytes;
  bool wanted = true;

  bool begin(const FileHead& told) override {
    head = told;
    ++begun;
    return wanted;
  }
  bool take(std::string_view piece) override {
    bytes += piece;
    return true;
  }
};

class ServedFile : public ::testing::Test {
 protected:
  ServedFile() {
    server_.Get("/file", [](const httplib::Request& request, httplib::Response& response) {
      response.set_header("ETag", "\"v1\"");
      response.set_header("Last-Modified", "Sun, 01 Nov 2026 00:00:00 GMT");
      response.set_header("X-Agent", request.get_header_value("User-Agent"));
      response.set_content("0123456789", "application/octet-stream");
    });
    server_.Get("/weak", [](const httplib::Request&, httplib::Response& response) {
      response.set_header("ETag", "W/\"v1\"");
      response.set_header("Last-Modified", "Sun, 01 Nov 2026 00:00:00 GMT");
      response.set_content("", "application/octet-stream");
    });
    server_.Get("/busy", [](const httplib::Request&, httplib::Response& response) {
      response.status = 503;
      response.set_header("Retry-After", "7");
      response.set_content("later", "text/plain");
    });
    server_.Get(R"(/hop/(\d+))", [](const httplib::Request& request, httplib::Response& response) {
      const int left = std::stoi(request.matches[1]);
      response.set_redirect(left == 0 ? "../file" : fmt::format("{}", left - 1), 302);
    });
    server_.Get("/away", [](const httplib::Request&, httplib::Response& response) {
      response.set_redirect("file:///etc/passwd", 302);
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~ServedFile() override {
    server_.stop();
    thread_.join();
  }

  FetchResult fetch(const std::string& path, FileSink& sink, std::uint64_t offset = 0,
                    const std::string& validator = "") {
    FileFetcher fetcher(TransportOptions{});
    fetcher.start(3, {fmt::format("http://127.0.0.1:{}{}", port_, path), offset, validator}, sink);
    for (int i = 0; i < 1000; ++i) {
      const auto results = fetcher.run(milliseconds(50));
      if (!results.empty()) return results.front();
    }
    return {};
  }

  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

TEST_F(ServedFile, AFileComesWithItsSizeAndVersion) {
  KeptFile file;
  const auto result = fetch("/file", file);
  EXPECT_EQ(result.end, FetchEnd::kDone) << result.failure;
  EXPECT_EQ(result.tag, 3U);
  EXPECT_EQ(file.bytes, "0123456789");
  EXPECT_EQ(file.head.file_bytes, 10U);
  EXPECT_EQ(file.head.validator, "\"v1\"");
}

TEST_F(ServedFile, AWeakValidatorIsNotUsedAndAnEmptyFileIsAnnounced) {
  KeptFile file;
  EXPECT_EQ(fetch("/weak", file).end, FetchEnd::kDone);
  EXPECT_EQ(file.begun, 1);
  EXPECT_EQ(file.head.validator, "Sun, 01 Nov 2026 00:00:00 GMT");
}

TEST_F(ServedFile, ARangeBeginsAtTheOffset) {
  KeptFile file;
  EXPECT_EQ(fetch("/file", file, 7, "\"v1\"").end, FetchEnd::kDone);
  EXPECT_EQ(file.bytes, "789");
  EXPECT_EQ(file.head.offset, 7U);
  EXPECT_EQ(file.head.file_bytes, 10U);
}

TEST_F(ServedFile, ARangeBehindTheEndIsToldApart) {
  KeptFile file;
  EXPECT_EQ(fetch("/file", file, 10).end, FetchEnd::kPastEnd);
  EXPECT_EQ(file.begun, 0);
}

TEST_F(ServedFile, ASinkCanRefuseTheBody) {
  KeptFile file;
  file.wanted = false;
  EXPECT_EQ(fetch("/file", file).end, FetchEnd::kUnwanted);
  EXPECT_EQ(file.bytes, "");
}

TEST_F(ServedFile, WhatASinkThrowsEndsTheRun) {
  struct Throws : KeptFile {
    bool take(std::string_view) override { throw StorageError("full"); }
  } file;
  EXPECT_THROW(fetch("/file", file), StorageError);
}

TEST_F(ServedFile, FailuresSayWhetherTheyMayHeal) {
  KeptFile file;
  EXPECT_EQ(fetch("/nothing", file).end, FetchEnd::kNotThere);
  const auto busy = fetch("/busy", file);
  EXPECT_EQ(busy.end, FetchEnd::kMayHeal);
  EXPECT_EQ(busy.retry_after, milliseconds(7000));
  EXPECT_EQ(busy.failure, fmt::format("http://127.0.0.1:{} answered 503", port_));
  EXPECT_EQ(file.begun, 0);
}

TEST_F(ServedFile, UpToFiveRedirectsAreFollowed) {
  KeptFile file;
  EXPECT_EQ(fetch("/hop/4", file).end, FetchEnd::kDone);
  EXPECT_EQ(file.bytes, "0123456789");
  const auto result = fetch("/hop/5", file);
  EXPECT_EQ(result.end, FetchEnd::kFailed);
  EXPECT_NE(result.failure.find("redirects more than 5 times"), std::string::npos);
  EXPECT_NE(fetch("/away", file).failure.find("address that is not followed"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::llm_client::transport
