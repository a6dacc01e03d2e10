#include "llm_client/transport/outcome.hpp"

#include "common/display_text.hpp"
#include "common/secrets.hpp"
#include "llm_client/transport/error_body.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client::transport::internal {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kMaxMessageBytes = 300;

/// Whether the `code` or the `type` of an error is one of these.
bool is_one_of(const json& error, std::initializer_list<std::string_view> codes) {
  return std::ranges::any_of(codes, [code = text_in(error, "code"), type = text_in(error, "type")](auto known) {
    return known == code || known == type;
  });
}

/// Sources: OpenAI's error codes; Anthropic's "Your credit balance is too low" comes as 400 invalid_request_error.
bool no_money_left(std::string_view body) {
  const auto error = error_of(body);
  return is_one_of(error,
                   {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"}) ||
         text_in(error, "message").find("credit balance is too low") != std::string::npos;
}

/// Sources: llm servers' own words (read 2026-11): OpenAI `context_length_exceeded`; llama.cpp
/// `exceed_context_size_error`, which some releases send with 500; vLLM and SGLang "maximum context length", Anthropic
/// "prompt is too long".
bool names_context_length(std::string_view body) {
  const auto error = error_of(body);
  if (is_one_of(error, {"context_length_exceeded", "exceed_context_size_error"})) return true;
  const auto message = error.is_string() ? error.get<std::string>() : text_in(error, "message");
  constexpr std::array<std::string_view, 4> kWords = {"maximum context length", "exceeds the available context size",
                                                      "prompt is too long", "longer than the model's context length"};
  return std::ranges::any_of(kWords, [&](std::string_view words) { return message.find(words) != std::string::npos; });
}

Outcome classify_status(int status, std::string_view body) {
  if (status >= 200 && status < 300) return Outcome::kSuccess;
  if (status >= 300 && status < 400) return Outcome::kRefused;
  if (status >= 400 && status < 500 && names_content_filter(body)) return Outcome::kRejected;
  switch (status) {
    case 400:
      return no_money_left(body) ? Outcome::kFatal : Outcome::kRejected;
    case 401:
    case 402:
    case 403:
    case 404:
    case 405:
    case 407:
    case 501:
    case 505:
      return no_money_left(body) ? Outcome::kFatal : Outcome::kRefused;
    case 408:
    case 409:
    case 425:
      return Outcome::kTransient;
    case 429:
      return no_money_left(body) ? Outcome::kFatal : Outcome::kThrottled;
    case 500:
      return names_context_length(body) ? Outcome::kRejected : Outcome::kSuspect;
    case 503:
    case 529:
      return Outcome::kThrottled;
    default:
      if (status >= 500) return Outcome::kTransient;
      return status >= 400 ? Outcome::kRejected : Outcome::kSuspect;  // a lone 1xx or less is no HTTP
  }
}

void add_secret(std::string_view value, std::vector<std::string>& secrets) {
  if (!value.empty()) secrets.emplace_back(value);
}

}  // namespace

Outcome classify(const Reply& reply) {
  switch (reply.arrival) {
    case Arrival::kReply:
      return classify_status(reply.status, reply.body);
    case Arrival::kNoConnection:
      return Outcome::kUnreached;
    case Arrival::kUntrusted:
      return Outcome::kFatal;
    case Arrival::kTimeout:
      return Outcome::kTransient;
    case Arrival::kBroken:
    case Arrival::kOversized:
      return Outcome::kSuspect;
    case Arrival::kCrowded:
      return Outcome::kThrottled;
  }
  return Outcome::kTransient;
}

bool is_too_long(const Reply& reply) {
  return reply.arrival == Arrival::kReply && (reply.status == 413 || names_context_length(reply.body));
}

bool is_filtered(const Reply& reply) {
  return reply.arrival == Arrival::kReply && reply.status >= 400 && reply.status < 500 &&
         names_content_filter(reply.body);
}

bool may_have_been_served(const Reply& reply) noexcept {
  switch (reply.arrival) {
    case Arrival::kNoConnection:
    case Arrival::kUntrusted:
      return false;
    case Arrival::kReply:
      break;
    default:
      return reply.asked;
  }
  if (reply.status < 300 || reply.status == 408) return true;
  // A server that has no room, or does not know the method, did not begin. Of other errors nobody can know.
  return reply.status >= 500 && reply.status != 501 && reply.status != 503 && reply.status != 505 &&
         reply.status != 529;
}

std::string describe_arrival(const Reply& reply) {
  switch (reply.arrival) {
    case Arrival::kReply:
      break;
    case Arrival::kNoConnection:
      return fmt::format("no connection ({})", display_excerpt(reply.error));
    case Arrival::kUntrusted:
      return fmt::format("its TLS certificate is not trusted ({})", display_excerpt(reply.error));
    case Arrival::kTimeout:
      return fmt::format("no whole reply in time ({})", display_excerpt(reply.error));
    case Arrival::kBroken:
      return fmt::format("the reply broke off or was not HTTP ({})", display_excerpt(reply.error));
    case Arrival::kOversized:
      return fmt::format("the reply did not end within the bound of {} bytes read", reply.body.size());
    case Arrival::kCrowded:
      return fmt::format("all replies together passed their bound of memory, and {} bytes of this one had come",
                         reply.body.size());
  }
  return {};
}

std::string describe(const Reply& reply, std::string_view endpoint) {
  if (reply.arrival != Arrival::kReply) return fmt::format("{}: {}", endpoint, describe_arrival(reply));
  if (reply.status >= 300 && reply.status < 400) {
    return fmt::format("{}: answered {}, a redirect to {}", endpoint, reply.status,
                       reply.redirect.empty() ? "nowhere" : display_excerpt(reply.redirect));
  }
  const auto message = server_message(reply.body);
  return message.empty() ? fmt::format("{}: answered {}", endpoint, reply.status)
                         : fmt::format("{}: answered {} ({})", endpoint, reply.status, message);
}

std::string_view remedy(const Reply& reply) {
  if (reply.arrival == Arrival::kUntrusted) return "name the file of its certificate authority, or correct the address";
  switch (reply.status) {
    case 400:
    case 402:
    case 429:
      return "the account has no quota left; add credit or use another key, then run again to go on";
    case 401:
    case 403:
      return "the key is missing, wrong or not allowed to do this; set the right one, then run again to go on";
    case 404:
    case 405:
    case 501:
      return "check the base URL and the name of the model, then run again to go on";
    case 407:
      return "the proxy wants a user and password; give its address with both in the environment variable http_proxy "
             "or https_proxy, then run again to go on";
    default:
      return reply.status >= 300 && reply.status < 400
                 ? "redirects are not followed, since they would take the key along; set the base URL to the right "
                   "address, then run again to go on"
                 : "check the endpoint, then run again to go on";
  }
}

std::string server_message(std::string_view body) {
  const auto error = error_of(body);
  std::string text = error.is_string() ? error.get<std::string>() : text_in(error, "message");
  if (text.empty()) text = body.substr(0, kMaxMessageBytes);
  return display_excerpt(text, kMaxMessageBytes);
}

std::vector<std::string> secrets_of(const Endpoint& endpoint) {
  auto secrets = secrets_of_url(endpoint.base_url);
  for (const std::string_view line : endpoint.headers) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !names_secret(line.substr(0, colon))) continue;
    auto value = line.substr(colon + 1);
    // "Bearer KEY": the scheme is not a secret.
    const auto begin = value.find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    value.remove_prefix(begin);
    const auto space = value.find(' ');
    add_secret(space == std::string_view::npos ? value : value.substr(space + 1), secrets);
  }
  return secrets;
}

std::vector<std::string> secrets_of_url(std::string_view url) {
  std::vector<std::string> secrets;
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return secrets;
  const auto authority = url.substr(scheme + 3, url.find_first_of("/?#", scheme + 3) - scheme - 3);
  const auto at = authority.rfind('@');
  if (at == std::string_view::npos) return secrets;
  const auto user = authority.substr(0, at);
  const auto colon = user.find(':');
  if (colon != std::string_view::npos) add_secret(user.substr(colon + 1), secrets);
  add_secret(user, secrets);
  return secrets;
}

std::string origin_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url.substr(0, url.find_first_of("/?#")));
  auto authority = url.substr(scheme + 3, url.find_first_of("/?#", scheme + 3) - scheme - 3);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
  return fmt::format("{}://{}", url.substr(0, scheme), authority);
}

}  // namespace touchstone::llm_client::transport::internal
