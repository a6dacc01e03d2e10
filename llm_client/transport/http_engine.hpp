#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::llm_client::transport::internal {

/// Header lines of a request, in curl's form. A line without a value, "Expect:", sends nothing and keeps curl from
/// sending its own.
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
  /// A curl_slist.
  void* get() const noexcept { return list_; }

 private:
  void* list_ = nullptr;
};

/// Carries attempts out over libcurl's multi interface, driven by epoll: one request, one reply or a reason why there
/// is none. A connection of HTTP/1 serves one request. On it, replies belong to requests by their order alone, and a
/// second reply to one request would be taken for the reply to the next. Connections of HTTP/2 are shared while they
/// are in use. All but `wake` belongs to one thread.
class HttpEngine {
 public:
  /// Throws Error.
  explicit HttpEngine(const TransportOptions& options);
  ~HttpEngine();

  /// Starts an attempt at `exchange`, whose path `url` holds. `exchange` and `headers` must stay until the reply is
  /// there. `now` becomes its `sent`.
  void start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
             std::chrono::steady_clock::time_point now);

  /// Works until replies have arrived, `wake` was called, or `wait` has passed; replies are added to `replies`.
  void run(std::chrono::microseconds wait, std::vector<Reply>& replies);

  /// Ends the present or next `run`. Thread-safe.
  void wake() noexcept;

  std::size_t in_flight() const noexcept;
  /// Drops attempts in flight, all or those whose request was not sent yet; their tags are added to `tags`.
  enum class Which : std::uint8_t { kAll, kNotSent };
  void abort(Which which, std::vector<std::size_t>& tags);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Throws Error: the HTTP client cannot do `what` because of `why`.
[[noreturn]] void fail(const std::string& what, const char* why);

}  // namespace touchstone::llm_client::transport::internal
