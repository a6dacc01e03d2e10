#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::llm_client::transport::internal {

/// Header lines of a request. A line without a value, "Expect:", sends nothing and keeps curl from sending its own.
class HeaderList {
 public:
  HeaderList() = default;
  explicit HeaderList(const std::vector<std::string>& lines);
  ~HeaderList();
  HeaderList(HeaderList&& other) noexcept
      : list_(std::exchange(other.list_, nullptr)), text_(std::exchange(other.text_, {})) {}
  HeaderList& operator=(HeaderList&& other) noexcept {
    std::swap(list_, other.list_);
    std::swap(text_, other.text_);
    return *this;
  }
  /// In curl's form, a curl_slist.
  void* get() const noexcept { return list_; }
  /// As it is sent, each line with its line end.
  const std::string& text() const noexcept { return text_; }

 private:
  void* list_ = nullptr;
  std::string text_;
};

/// Carries attempts out: one request, one reply or a reason why there is none. All but `wake` belongs to one thread.
class HttpEngine {
 public:
  virtual ~HttpEngine() = default;

  /// Starts an attempt at `exchange`, whose path `url` holds. `exchange` and `headers` must stay until the reply is
  /// there. `now` becomes its `sent`. With `fresh` it gets a connection of its own.
  virtual void start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
                     std::chrono::steady_clock::time_point now, bool fresh) = 0;

  /// Works until replies have arrived, `wake` was called, or `wait` has passed; replies are added to `replies`.
  virtual void run(std::chrono::microseconds wait, std::vector<Reply>& replies) = 0;

  /// Ends the present or next `run`. Thread-safe.
  virtual void wake() noexcept = 0;

  virtual std::size_t in_flight() const noexcept = 0;
  /// Drops all attempts in flight; their tags are added to `tags`.
  virtual void abort(std::vector<std::size_t>& tags) = 0;
};

/// True when sockets of our own can serve the endpoints: all are plain http with usual addresses and header lines, no
/// proxy is set, and `options` allow it. All else is curl's.
bool plain_sockets_suffice(const std::vector<Endpoint>& endpoints, const TransportOptions& options);

/// The engine that suits the endpoints. Throws Error.
std::unique_ptr<HttpEngine> make_engine(const std::vector<Endpoint>& endpoints, const TransportOptions& options);

/// Throws Error: the HTTP client cannot do `what` because of `why`.
[[noreturn]] void fail(const std::string& what, const char* why);

}  // namespace touchstone::llm_client::transport::internal
