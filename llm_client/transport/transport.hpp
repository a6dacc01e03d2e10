#pragma once

#include "common/stop.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace touchstone::llm_client::transport {

namespace internal {
class TransportLoop;
}

/// One server that answers requests.
struct Endpoint {
  std::string name;                  ///< for logs and reports; empty: scheme, host and port of `base_url`
  std::string base_url;              ///< "https://api.example.org/v1"; an exchange's path is appended to it
  double weight = 1;                 ///< share of the requests beside the other endpoints', > 0
  std::vector<std::string> headers;  ///< "Name: value" as sent. Held secret: in no message, log, body or statistic
  std::string query = {};            ///< appended to every path behind a question mark; empty: none
};

/// Pays for attempts. Called by the I/O thread, which must not wait there.
class AttemptGate {
 public:
  virtual ~AttemptGate() = default;
  /// Asked before each attempt; `attempts` were made before. False: not now.
  virtual bool may_send(std::uint64_t id, int attempts) = 0;
  /// A whole reply came, of which the body tells the cost. Called before anything else is sent.
  virtual void arrived(std::uint64_t id, std::string_view body) = 0;
  /// An attempt failed, and another one may follow. `served`: it may have been served all the same.
  virtual void failed(std::uint64_t id, bool served) = 0;
};

/// Limits and patience of a transport. Zero means "no limit" where a field says so.
struct TransportOptions {
  std::size_t in_flight = 256;            ///< hard cap on requests in flight, over all endpoints; >= 1
  std::size_t first_in_flight = 16;       ///< requests in flight to start with, per endpoint; grows while that pays
  std::uint64_t requests_per_minute = 0;  ///< hard cap over all endpoints, in any 60 seconds; 0: none
  std::uint64_t tokens_per_minute = 0;    ///< hard cap on the sum of `token_estimate`, likewise; 0: none
  std::size_t queue = 4096;  ///< exchanges before `submit` blocks, and deliveries before sending stops; >= 1

  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds reply_timeout{300'000};    ///< for one whole attempt; 0: none
  std::chrono::seconds stall_timeout{0};               ///< without a byte of the reply; 0: none
  std::size_t max_reply_bytes = std::size_t{8} << 20;  ///< after decompression; a longer reply is given up
  /// Of all replies together. Beyond it, those that are longer than their share of it are given up and asked again
  /// later, and no new request is sent before deliveries are taken.
  std::size_t max_held_bytes = std::size_t{64} << 20;

  int max_attempts = 8;                         ///< of one request, those not counted that were told to come later
  std::chrono::milliseconds patience{900'000};  ///< with one request, from its first attempt to its last
  std::chrono::milliseconds backoff{500};       ///< upper bound of the first wait, doubled by each further failure
  std::chrono::milliseconds longest_backoff{60'000};
  std::chrono::milliseconds outage_patience{
      180'000};  ///< the run stops when nothing succeeds and something fails for so long
  std::uint64_t retries_per_run =
      100'000;  ///< the run stops when this many retries, told-to-wait ones aside; 0: no cap
  std::chrono::milliseconds drain_timeout{30'000};  ///< for attempts in flight after `cancel` or a fatal failure
  std::uint64_t seed = 1;                           ///< of the jitter

  bool http2 = true;    ///< offer HTTP/2 on https endpoints
  std::string proxy;    ///< URL; empty: the environment's, as curl reads it
  std::string ca_file;  ///< PEM file of trusted certificates; empty: the system's

  AttemptGate* gate = nullptr;  ///< outlives the transport; none: every attempt may be sent
  /// A request that the server is known to take. It is sent when one request is refused again and again and nothing
  /// else is under way by which to tell whose fault that is. Its reply is not delivered. Without a body: it is not
  /// sent.
  std::string control_path, control_body;
};

/// One part of a form, which is sent as multipart/form-data (RFC 7578).
struct FormPart {
  std::string name;
  std::string text;            ///< its value, unless it is a file
  std::filesystem::path file;  ///< its value is the content of this file, read while it is sent
  std::string content_type;    ///< of the file
};

/// Id of the control exchange, which no other exchange may have.
inline constexpr std::uint64_t kControlExchange = ~std::uint64_t{0};

/// One request. Its reply comes back under its id.
struct Exchange {
  std::uint64_t id = 0;
  std::string path;                  ///< after the endpoint's base: "/chat/completions"
  std::string body;                  ///< JSON, sent with POST; empty: GET
  std::uint64_t token_estimate = 0;  ///< prompt and longest reply, for the limit of tokens a minute
  std::vector<FormPart> form;        ///< sent with POST in place of `body`
};

enum class FailureKind : std::uint8_t {
  none,
  transient_exhausted,  ///< might have healed, but attempts or patience ran out: ask again another day
  request_rejected,     ///< this request's own fault: 400, 413, 422, or 403 or 500 again and again while others pass
  incomplete,           ///< likewise: no reply arrived whole and undamaged while others passed
  fatal,                ///< the run must stop: 401, 403, 404, quota, redirect, a server that stays away
  cancelled             ///< not sent, or given up, because of `cancel` or another request's fatal failure
};

/// What became of an exchange. There is exactly one for each that `submit` took.
struct Delivery {
  std::uint64_t id = 0;
  int status = 0;        ///< HTTP status of the last attempt, 0 when no whole reply came
  std::string body;      ///< of the last attempt, decompressed, cut at `max_reply_bytes`; secrets replaced by "***"
  std::string endpoint;  ///< name of the endpoint of the last attempt
  std::chrono::microseconds latency{0};  ///< of the last attempt
  int attempts = 0;
  bool served = false;  ///< the last attempt may have been served, although it failed
  FailureKind failure = FailureKind::none;
  std::string damage;   ///< what was wrong with the last reply, when it did not arrive whole; names no endpoint
  std::string message;  ///< one sentence for the user: where, what, what to do; empty on success
};

struct EndpointStatistics {
  std::size_t window = 0;  ///< requests that may be in flight at once, as learnt
  std::uint64_t sent = 0, succeeded = 0;
  std::uint64_t requests_limit = 0;  ///< as its headers say; 0: they do not
};

/// Counters since the start. Rates are for the caller to make, from two readings.
struct TransportStatistics {
  std::uint64_t succeeded = 0;
  std::uint64_t sent = 0;       ///< attempts
  std::uint64_t retries = 0;    ///< attempts after a request's first
  std::uint64_t throttled = 0;  ///< replies that said "later": 429, 503, 529
  std::uint64_t timeouts = 0, connection_failures = 0, oversized = 0;
  std::uint64_t connections = 0;     ///< opened
  std::uint64_t bytes_received = 0;  ///< bodies, after decompression
  std::size_t in_flight = 0, peak_in_flight = 0;
  std::vector<EndpointStatistics> endpoints;
};

/// Sends requests over HTTP and brings their replies: one I/O thread between two bounded queues.
///
/// Requests in flight double each round trip at first, then grow by one, and shrink by half on 429, 529, 503, timeouts
/// and refused connections, per endpoint (docs/decisions/0007). Limits are learnt from `x-ratelimit-*` and
/// `anthropic-ratelimit-*`; `Retry-After` and `retry-after-ms` are kept to. What may heal is tried again after an
/// exponential, jittered wait, or at another endpoint where there is one; new requests go on meanwhile. Redirects are
/// not followed, so headers go to no other host. TLS certificates are verified.
///
/// Memory: queue + 3 x in_flight exchanges, and queue + in_flight deliveries, at most; of bodies of replies, some three
/// times `max_held_bytes`.
/// Thread-safe: `submit`, `take` and the rest may be called from different threads.
class Transport {
 public:
  /// Starts the I/O thread. Throws ConfigError when an endpoint or option makes no sense.
  Transport(std::vector<Endpoint> endpoints, TransportOptions options);
  /// Gives up what is in flight.
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  /// Queues a request; blocks while the queue is full. False, and the exchange is dropped, after `close`, `cancel` or a
  /// fatal failure.
  bool submit(Exchange exchange);

  /// All deliveries that have arrived, in order of arrival; waits up to `wait` for the first. Empty on timeout, and at
  /// once when `finished`.
  std::vector<Delivery> take(std::chrono::milliseconds wait);

  /// No more submissions; what was taken is brought to its end.
  void close();

  /// No more submissions and no more attempts. Replies in flight are still waited for (they are paid for), at most
  /// `drain_timeout`; all else is delivered as cancelled. Safe to call more than once.
  void cancel();

  /// True once closed, cancelled or failed, and every delivery has been taken.
  bool finished() const;

  /// The sentence of the fatal failure, when there was one.
  std::optional<std::string> fatal() const;

  TransportStatistics statistics() const;

 private:
  void end(std::chrono::milliseconds patience);
  void run() noexcept;
  /// Hands deliveries out and takes exchanges in; false when there is nothing left to do.
  bool exchange();
  void take_in();
  void hand_out();

  TransportOptions options_;
  // Of the I/O thread; the rest is guarded by mutex_.
  std::unique_ptr<internal::TransportLoop> loop_;
  std::size_t queued_ = 0;
  bool blocked_ = false;
  bool stale_ = false;  // the statistics, since they were made a moment ago
  std::chrono::steady_clock::time_point measured_at_;

  mutable std::mutex mutex_;
  std::condition_variable space_, arrival_;
  std::deque<Exchange> queue_;
  std::vector<Delivery> arrived_;
  std::size_t held_bytes_ = 0;  // of the bodies that have arrived
  bool ended_ = false;          // no more submissions
  bool done_ = false;           // the thread has left
  bool wants_work_ = true;      // a submission should wake the thread
  bool wants_room_ = false;     // so should a `take`
  std::optional<std::chrono::milliseconds> stop_within_;
  std::optional<std::string> fatal_;
  std::exception_ptr thrown_;
  TransportStatistics statistics_;
  std::jthread thread_;  // last: it uses all the others
};

/// Id of an exchange that is alone, for the gate of the options.
inline constexpr std::uint64_t kOnlyExchange = 1;

/// One exchange over a transport of its own, so that what it meets does not stop the run's. Waits for its end; on a
/// stop request it gives the exchange up and throws Interrupted.
Delivery exchange_alone(std::vector<Endpoint> endpoints, TransportOptions options, Exchange exchange,
                        const StopFlag& stop);

}  // namespace touchstone::llm_client::transport
