#include "llm_client/transport/endpoint_state.hpp"

#include <algorithm>
#include <cstdlib>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::milliseconds;

constexpr int kBadRepliesUntilPause = 8;
constexpr milliseconds kFirstPause{250};
/// Pauses of an endpoint that names none itself end soon, so that a server that is back is found. One that answers, if
/// badly, has its window and each request's own waits besides.
constexpr milliseconds kLongestPause{250}, kLongestPauseUnreached{5'000};

/// The secrets of an endpoint, and of the proxies that curl finds in the environment. The whole process keeps them.
std::vector<std::string> kept_secrets(const Endpoint& endpoint, const std::string& proxy) {
  auto secrets = secrets_of(endpoint);
  std::vector<std::string> proxies = {proxy};
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    if (const char* value = std::getenv(name)) proxies.emplace_back(value);
  }
  for (const auto& url : proxies) {
    for (auto& secret : secrets_of_url(url)) secrets.push_back(std::move(secret));
  }
  for (const auto& secret : secrets) keep_secret(secret);
  return secrets;
}

}  // namespace

EndpointState::EndpointState(Endpoint endpoint, const TransportOptions& options)
    : endpoint_(std::move(endpoint)),
      name_(endpoint_.name.empty() ? origin_of(endpoint_.base_url) : endpoint_.name),
      json_headers_(headers("Content-Type: application/json")),
      form_headers_(headers({})),
      secrets_(kept_secrets(endpoint_, options.proxy)),
      patience_(options.patience),
      window_(std::min(options.first_in_flight, options.in_flight), options.in_flight) {}

HeaderList EndpointState::headers(const std::string& content_type) const {
  auto lines = endpoint_.headers;
  // Without the empty `Expect`, curl asks leave before it sends a long body, which costs a round trip.
  lines.insert(lines.end(), {"Accept: application/json", "Accept-Encoding: gzip", "Expect:"});
  if (endpoint_.base_url.starts_with("http:")) lines.push_back("Connection: close");
  if (!content_type.empty()) lines.push_back(content_type);
  return header_list(lines);
}

const std::string& EndpointState::url(std::string_view path) {
  if (path != path_ || url_.empty()) {
    path_ = path;
    url_ = endpoint_.base_url;
    while (url_.ends_with('/')) url_.pop_back();
    url_ += path;
    if (!endpoint_.query.empty()) url_ += (path.find('?') == std::string_view::npos ? "?" : "&") + endpoint_.query;
  }
  return url_;
}

Clock::time_point EndpointState::ready_at(std::uint64_t tokens, Clock::time_point now) const {
  if (in_flight_ >= window_.size() || (probing_ && in_flight_ > 0)) return Clock::time_point::max();
  return std::max({now, paused_until_, requests_.ready_at(1, now), tokens_.ready_at(tokens, now)});
}

void EndpointState::sent(std::uint64_t tokens, Clock::time_point now) {
  ++in_flight_;
  ++sent_;
  tokens_in_flight_ += tokens;
  window_.sent(in_flight_, now);
  requests_.take(1, now);
  tokens_.take(tokens, now);
}

void EndpointState::dropped(std::uint64_t tokens) {
  --in_flight_;
  tokens_in_flight_ -= tokens;
}

void EndpointState::replied(const Reply& reply, Outcome outcome, std::uint64_t tokens, double jitter,
                            Clock::time_point now) {
  dropped(tokens);
  requests_.learn(reply.hints.requests, reply.sent, in_flight_, now);
  tokens_.learn(reply.hints.tokens, reply.sent, tokens_in_flight_, now);
  switch (outcome) {
    case Outcome::kSuccess:
      ++succeeded_;
      bad_in_row_ = pauses_in_row_ = 0;
      probing_ = false;
      window_.succeeded(reply.sent, now);
      return;
    case Outcome::kRejected:
    case Outcome::kRefused:
    case Outcome::kFatal:
      bad_in_row_ = pauses_in_row_ = 0;
      probing_ = false;
      return;
    case Outcome::kThrottled:
    case Outcome::kUnreached:
      window_.congested(reply.sent, now);
      break;
    case Outcome::kTransient:
      if (reply.arrival == Arrival::kTimeout || reply.status >= 500) window_.congested(reply.sent, now);
      break;
    case Outcome::kSuspect:
      break;
  }
  ++bad_in_row_;
  if (outcome == Outcome::kUnreached || bad_in_row_ >= kBadRepliesUntilPause) pause(reply, jitter, now);
}

void EndpointState::pause(const Reply& reply, double jitter, Clock::time_point now) {
  if (reply.arrival == Arrival::kNoConnection) probing_ = true;
  // A wait beyond all patience is asked about once more, soon; then the run stops.
  if (reply.hints.retry_after && *reply.hints.retry_after <= patience_) {
    paused_until_ = std::max(paused_until_, now + *reply.hints.retry_after);
  } else if (reply.sent >= paused_at_) {  // what was in flight when the pause began does not make it longer
    const auto cap = reply.arrival == Arrival::kNoConnection ? kLongestPauseUnreached : kLongestPause;
    const auto longest = std::min<milliseconds>(cap, kFirstPause * (1 << pauses_in_row_));
    paused_until_ =
        std::max(paused_until_, now + std::chrono::duration_cast<Clock::duration>(longest * (0.5 + 0.5 * jitter)));
    pauses_in_row_ = std::min(pauses_in_row_ + 1, 10);
  }
  if (reply.sent >= paused_at_) paused_at_ = now;
}

}  // namespace touchstone::llm_client::transport::internal
