#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/transport.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::transport::internal {

/// What an attempt's end means for the request and the run.
enum class Outcome : std::uint8_t {
  kSuccess,
  kThrottled,  ///< 429, 503, 529, or too much at once: the server is fine, and fewer requests are wanted
  kUnreached,  ///< no connection
  kTransient,  ///< timeout, reset, cut, 408, 409, 425, 502, 504 and other 5xx
  kSuspect,    ///< 500, or a reply without end or sense: the server's fault or this request's, which the next attempts
               ///< tell
  kRejected,   ///< the request's own fault: 400, 413, 422 and other 4xx
  kRefused,    ///< 401, 402, 403, 404, 405, 407, 501, 505, redirect: the run's fault when others meet it too, else this
               ///< request's
  kFatal       ///< the run's fault: quota, untrusted certificate
};

/// Pure. Looks into the body of 400, 403 and 429 for the codes that mean "no money left".
Outcome classify(const Reply& reply);

/// True for a rejection by a filter of the provider, which says nothing about other requests.
bool is_filtered(const Reply& reply);

/// True when an attempt that brought no good reply may have been served all the same, and so be on the bill: the
/// request left, and what came back is not a clear refusal.
bool may_have_been_served(const Reply& reply) noexcept;

/// True for a rejection because the request is longer than the server takes, which says nothing about other requests.
bool is_too_long(const Reply& reply);

/// One sentence on a reply that is not a success: what `endpoint` answered and why, with the server's own message,
/// without what to do. `reply.body` must hold no secrets any more.
std::string describe(const Reply& reply, std::string_view endpoint);
/// Why a reply did not arrive whole, without the endpoint. \pre it did not
std::string describe_arrival(const Reply& reply);

/// What the user can do about a fatal reply; a clause to follow `describe`.
std::string_view remedy(const Reply& reply);

/// `error.message` of a JSON body in OpenAI's or Anthropic's form, else its first words; one printable line, at most
/// 300 bytes.
std::string server_message(std::string_view body);

/// The values that must not be seen: keys in header lines, user and password of URLs.
std::vector<std::string> secrets_of(const Endpoint& endpoint);
std::vector<std::string> secrets_of_url(std::string_view url);

/// "https://host:port" of a URL, without user, path and query.
std::string origin_of(std::string_view url);

}  // namespace touchstone::llm_client::transport::internal
