#pragma once

#include "common/descriptor.hpp"
#include "llm_client/transport/http_call.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <curl/curl.h>

namespace touchstone::llm_client::transport::internal {

/// Carries attempts out over libcurl's multi interface, driven by epoll: one request, one reply or a reason why there
/// is none. A connection of HTTP/1 serves one request. On it, replies belong to requests by their order alone, and a
/// second reply to one request would be taken for the reply to the next. Connections of HTTP/2 are shared while they
/// are in use. All but `wake` belongs to one thread.
class HttpEngine {
 public:
  /// Throws Error.
  explicit HttpEngine(TransportOptions options);
  ~HttpEngine();
  HttpEngine(const HttpEngine&) = delete;
  HttpEngine& operator=(const HttpEngine&) = delete;

  /// Starts an attempt at `exchange`, whose path `url` holds. `exchange` and `headers` must stay until the reply is
  /// there. `now` becomes its `sent`.
  /// \param tag   no other attempt in flight has it
  /// \param sink  takes the body of a success, and must stay likewise; null: `Reply::body` gets it
  void start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
             std::chrono::steady_clock::time_point now, BodySink* sink = nullptr);

  /// Works until replies have arrived, `wake` was called, or `wait` has passed; replies are added to `replies`.
  void run(std::chrono::microseconds wait, std::vector<Reply>& replies);

  /// Ends the present or next `run`. Thread-safe.
  void wake() noexcept;

  std::size_t in_flight() const noexcept { return calls_.size(); }
  /// Drops attempts in flight, all or those whose request was not sent yet; their tags are added to `tags`.
  enum class Which : std::uint8_t { kAll, kNotSent };
  void abort(Which which, std::vector<std::size_t>& tags);

 private:
  static int on_socket(CURL* easy, curl_socket_t descriptor, int what, void* user, void* known) noexcept;
  static int on_timer(CURLM* multi, long timeout_ms, void* user) noexcept;
  void act(int descriptor, int events);
  void act_on_due_timer();
  void collect(std::vector<Reply>& replies);
  /// Takes the handle of a call back from curl, and ends the call.
  void release(std::size_t tag);

  const TransportOptions options_;
  Descriptor epoll_, woken_;
  // Of TLS, so that a new connection need not begin at nothing.
  std::unique_ptr<CURLSH, CurlCleanup<&curl_share_cleanup>> sessions_;
  std::set<std::string> multiplexed_;  // URLs whose last reply came over HTTP/2
  int watch_error_ = 0;                // of epoll, met in a callback
  std::optional<std::chrono::steady_clock::time_point> timer_due_;
  std::size_t held_bytes_ = 0;
  std::unique_ptr<CURLM, CurlCleanup<&curl_multi_cleanup>> multi_;
  std::map<std::size_t, HttpCall> calls_;  // by tag
};

}  // namespace touchstone::llm_client::transport::internal
