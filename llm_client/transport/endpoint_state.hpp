#pragma once

#include "common/secrets.hpp"
#include "llm_client/transport/http_call.hpp"
#include "llm_client/transport/outcome.hpp"
#include "llm_client/transport/pacing.hpp"
#include "llm_client/transport/transport.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::transport::internal {

/// What a transport knows of one endpoint: how many requests it takes, its limits, and whether it is up. After a
/// failure to connect it is paused, and then asked one request at a time until one succeeds. After eight bad replies in
/// a row it is paused too, for a short while or as long as it says. Not thread-safe.
class EndpointState {
 public:
  EndpointState(Endpoint endpoint, const TransportOptions& options);

  /// When a request of `tokens` may be sent there: `now` or later; time_point::max() when only a reply can tell.
  Clock::time_point ready_at(std::uint64_t tokens, Clock::time_point now) const;
  /// True when it is not paused and no reply of it is needed to know that it is up.
  bool healthy(Clock::time_point now) const { return now >= paused_until_ && !probing_; }

  void sent(std::uint64_t tokens, Clock::time_point now);
  /// Takes note of a reply to a request of `tokens`. `jitter` in [0, 1).
  void replied(const Reply& reply, Outcome outcome, std::uint64_t tokens, double jitter, Clock::time_point now);
  /// A request was given up without a reply.
  void dropped(std::uint64_t tokens);

  const std::string& name() const noexcept { return name_; }
  const std::string& url(std::string_view path);
  /// Header lines of a request whose body is JSON, or a form; curl names a form's type and boundary itself.
  const HeaderList& headers_for(const Exchange& exchange) const noexcept {
    return exchange.form.empty() ? json_headers_ : form_headers_;
  }
  /// What no text of a server may show.
  const SecretFinder& secrets() const noexcept { return secrets_; }
  EndpointStatistics statistics() const { return {window_.size(), sent_, succeeded_, requests_.limit()}; }

  double in_flight_for_weight() const noexcept { return static_cast<double>(in_flight_) / endpoint_.weight; }
  /// Weighted turns: the endpoint with the least is next, unless it has far more in flight than its share.
  double turn = 0;
  double weight() const noexcept { return endpoint_.weight; }

 private:
  HeaderList headers(const std::string& content_type) const;
  void pause(const Reply& reply, double jitter, Clock::time_point now);

  Endpoint endpoint_;
  std::string name_, path_, url_;
  HeaderList json_headers_, form_headers_;
  SecretFinder secrets_;
  std::chrono::milliseconds patience_;
  ConcurrencyWindow window_;
  LearntLimit requests_, tokens_;
  std::size_t in_flight_ = 0;
  std::uint64_t tokens_in_flight_ = 0, sent_ = 0, succeeded_ = 0;
  int bad_in_row_ = 0, pauses_in_row_ = 0;
  bool probing_ = false;
  Clock::time_point paused_at_, paused_until_;
};

}  // namespace touchstone::llm_client::transport::internal
