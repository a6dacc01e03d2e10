#pragma once

#include "llm_client/internal/rate_hints.hpp"
#include "llm_client/transport.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::llm_client::internal {

/// How one attempt ended, as far as HTTP goes.
enum class Arrival : std::uint8_t {
  kReply,         ///< a whole reply with a status
  kNoConnection,  ///< name not resolved, refused, TLS handshake failed: nothing was sent
  kUntrusted,     ///< the certificate is not one we trust
  kTimeout,
  kBroken,    ///< reset, cut, or not HTTP
  kOversized  ///< body or headers beyond the bound
};

struct Reply {
  std::size_t tag = 0;  ///< as given to `start`
  Arrival arrival = Arrival::kReply;
  int status = 0;
  std::string body;
  std::string redirect;  ///< host that the `Location` of a 3xx names
  RateHints hints;
  std::chrono::steady_clock::time_point sent;
  std::chrono::microseconds latency{0};
  bool connected = false;  ///< a connection was opened for it
  std::string error;       ///< curl's words, when it is no kReply
};

/// Header lines in curl's form.
class HeaderList {
 public:
  HeaderList() = default;
  explicit HeaderList(const std::vector<std::string>& lines);
  ~HeaderList();
  HeaderList(HeaderList&& other) noexcept : list_(std::exchange(other.list_, nullptr)) {}
  HeaderList& operator=(HeaderList&& other) noexcept {
    std::swap(list_, other.list_);
    return *this;
  }
  void* get() const noexcept { return list_; }

 private:
  void* list_ = nullptr;  // curl_slist
};

/// Attempts over libcurl's multi interface, driven by epoll. All but `wake` belongs to one thread.
class HttpEngine {
 public:
  explicit HttpEngine(const TransportOptions& options);
  ~HttpEngine();

  /// Starts an attempt: POST of `body`, or GET when it is empty. `body` and `headers` must stay until the reply is
  /// there. `now` becomes its `sent`.
  void start(std::size_t tag, const std::string& url, std::string_view body, const HeaderList& headers,
             std::chrono::steady_clock::time_point now);

  /// Works until replies have arrived, `wake` was called, or `wait` has passed; replies are added to `replies`.
  void run(std::chrono::microseconds wait, std::vector<Reply>& replies);

  /// Ends the present or next `run`. Thread-safe.
  void wake() noexcept;

  std::size_t in_flight() const noexcept;
  /// Drops all attempts in flight; their tags are added to `tags`.
  void abort(std::vector<std::size_t>& tags);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::llm_client::internal
