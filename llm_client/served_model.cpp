#include "llm_client/served_model.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/secrets.hpp"
#include "llm_client/reply_secrets.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace touchstone::llm_client {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 8192;
constexpr std::size_t kKeptDamagedBytes = std::size_t{64} << 10;  // of a reply that did not arrive whole
constexpr std::string_view kAnthropicVersion = "2023-06-01";

/// The key, or nothing where the settings name none.
std::string read_key(const KeySource& source) {
  std::string key, place;
  switch (source.kind) {
    case KeySource::Kind::kNone:
      return {};
    case KeySource::Kind::kEnvironment:
      place = "environment variable " + source.place + " (judge.key_env)";
      if (const char* value = std::getenv(source.place.c_str())) key = value;
      break;
    case KeySource::Kind::kFile:
      place = "key file " + source.place + " (judge.key_file)";
      key = read_file(source.place, kMaxKeyBytes);
      break;
  }
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r' || key.back() == ' ')) key.pop_back();
  if (key.empty())
    throw ConfigError(place + " holds no key; set it, or leave the option empty for a server without keys");
  if (std::any_of(key.begin(), key.end(), [](unsigned char c) { return c <= 0x20 || c >= 0x7F; }))
    throw ConfigError(place + " holds something that no key can hold (a blank, a line end or a control character)");
  keep_secret(key);
  return key;
}

}  // namespace

void keep_key_secret(const KeySource& source) {
  if (source.kind == KeySource::Kind::kNone) return;
  forbid_core_dumps();
  try {
    read_key(source);
  } catch (const Error&) {
    // There is no key to keep. Who needs one reads it again, and says so.
  }
}

Spending ServedModel::worst_case(const prompts::TextSize& size) const {
  const auto prompt_tokens = prompts::most_tokens(size), reply_tokens = model.parameters().max_reply_tokens;
  return {server.prices.highest_cost(prompt_tokens, reply_tokens), 1, prompt_tokens + reply_tokens};
}

std::vector<transport::Endpoint> endpoints_of(const ServedModel& served) {
  auto headers = served.server.headers;
  const std::string key = read_key(served.server.key);
  const bool anthropic = served.model.protocol() == providers::Protocol::kAnthropic;
  if (anthropic) headers.push_back("anthropic-version: " + std::string(kAnthropicVersion));
  if (!key.empty() && (anthropic || !served.server.key_header.empty())) {
    headers.push_back((served.server.key_header.empty() ? "x-api-key" : served.server.key_header) + ": " + key);
  } else if (!key.empty()) {
    headers.push_back("Authorization: Bearer " + key);
  }
  std::vector<transport::Endpoint> endpoints;
  for (const auto& [url, weight] : served.server.servers)
    endpoints.push_back({{}, without_slash(url), weight, headers, served.server.query});
  return endpoints;
}

PaidReply paid_reply(const ServedModel& served, int status, std::string body) {
  PaidReply paid;
  paid.reply.judge = served.model.id();
  paid.reply.status = static_cast<std::uint64_t>(status);
  paid.spent.calls = 1;
  if (const auto usage = providers::read_usage(served.model.protocol(), body)) {
    paid.counted = usage->reply_counted;
    paid.reply.prompt_tokens = usage->prompt;
    paid.reply.cached_tokens = usage->cached;
    paid.reply.reply_tokens = usage->reply;
    paid.spent.cost = paid.reply.cost = served.server.prices.cost(*usage);
    paid.spent.tokens = usage->prompt + usage->reply;
  }
  paid.reply.reply = std::move(body);
  hide_secrets_in_reply(paid.reply.reply);
  return paid;
}

PaidReply paid_reply(const ServedModel& served, transport::Delivery& delivery) {
  auto paid = paid_reply(served, delivery.status, std::move(delivery.body));
  if (!delivery.damage.empty()) {
    paid.reply.failure = std::move(delivery.damage);
    if (paid.reply.reply.size() > kKeptDamagedBytes) paid.reply.reply.resize(kKeptDamagedBytes);
  }
  paid.reply.attempts = static_cast<std::uint64_t>(delivery.attempts);
  paid.reply.latency_us = static_cast<std::uint64_t>(delivery.latency.count());
  return paid;
}

}  // namespace touchstone::llm_client
