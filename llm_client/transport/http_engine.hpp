#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::llm_client::transport::internal {

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

  /// Starts an attempt at `exchange`, whose path `url` holds. `exchange` and `headers` must stay until the reply is
  /// there. `now` becomes its `sent`. With `fresh` it gets a connection of its own.
  void start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
             std::chrono::steady_clock::time_point now, bool fresh = false);

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

}  // namespace touchstone::llm_client::transport::internal
