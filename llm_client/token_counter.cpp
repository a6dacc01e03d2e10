#include "llm_client/token_counter.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"

#include <unordered_map>

#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using Json = nlohmann::ordered_json;
using transport::FailureKind;

/// Token counters are beside the versioned part of an address: http://host/v1 has http://host/tokenize.
std::vector<transport::Endpoint> tokenizer_endpoints(const ServedModel& served, bool beside_version) {
  auto endpoints = endpoints_of(served);
  for (auto& endpoint : endpoints) {
    if (beside_version && endpoint.base_url.ends_with("/v1")) endpoint.base_url.resize(endpoint.base_url.size() - 3);
  }
  return endpoints;
}

/// Gives up early: a count is not worth minutes.
transport::TransportOptions impatient(const ServedModel& served) {
  auto options = served.server.transport;
  options.max_attempts = 2;
  options.patience = options.outage_patience = std::chrono::seconds(10);
  return options;
}

std::optional<std::uint64_t> count_in(const std::string& body) {
  const auto json = parse_json_or_discard(body);
  if (!json.is_object()) return std::nullopt;
  for (const auto* name : {"count", "input_tokens"}) {
    if (json.contains(name) && json[name].is_number_unsigned()) return json[name].get<std::uint64_t>();
  }
  if (json.contains("tokens") && json["tokens"].is_array()) return json["tokens"].size();
  return std::nullopt;
}

}  // namespace

TokenCounter::TokenCounter(const ServedModel& served, Kind kind)
    : kind_(kind), transport_(tokenizer_endpoints(served, kind != Kind::kAnthropic), impatient(served)) {}

std::unique_ptr<TokenCounter> TokenCounter::find(const ServedModel& served) {
  const bool anthropic = served.model.protocol() == providers::Protocol::kAnthropic;
  const std::vector<Kind> kinds = anthropic ? std::vector{Kind::kAnthropic} : std::vector{Kind::kVllm, Kind::kLlamaCpp};
  const auto sample = served.model.body(served.model.question(prompts::PromptValues{}, 0), {});
  for (const auto kind : kinds) {
    std::unique_ptr<TokenCounter> counter(new TokenCounter(served, kind));
    if (counter->count({sample}).front().value_or(0) == 0) continue;
    // By another transport, since servers without templates answer 404, which ends it.
    if (kind == Kind::kLlamaCpp) counter->template_tokens_ = TokenCounter(served, kind).measure_template(sample);
    return counter;
  }
  return nullptr;
}

std::string TokenCounter::question(const std::string& body) const {
  const auto request = parse_json(body);
  Json question;
  if (kind_ == Kind::kLlamaCpp) {
    std::string text;
    for (const auto& message : request.at("messages")) text += message.at("content").get<std::string>() + "\n";
    question = {{"content", text}, {"add_special", true}};
  } else {
    question = {{"model", request.at("model")}, {"messages", request.at("messages")}};
    if (request.contains("system")) question["system"] = request.at("system");
  }
  return json_text(question);
}

std::vector<std::optional<std::string>> TokenCounter::exchange(const std::string& path,
                                                               std::vector<std::string> bodies) {
  std::vector<std::optional<std::string>> replies(bodies.size());
  const auto first = next_id_;
  std::size_t sent = 0, received = 0;
  for (; sent < bodies.size(); ++sent) {
    transport::Exchange exchange;
    exchange.id = next_id_++;
    exchange.path = path;
    exchange.body = std::move(bodies[sent]);
    if (!transport_.submit(std::move(exchange))) break;
  }
  while (received < sent) {
    auto deliveries = transport_.take(std::chrono::milliseconds(100));
    if (deliveries.empty() && transport_.finished()) break;
    for (auto& delivery : deliveries) {
      ++received;
      if (delivery.failure == FailureKind::none && delivery.status == 200)
        replies[delivery.id - first] = std::move(delivery.body);
    }
  }
  return replies;
}

/// What the template adds is the same for all requests: one is put into it and counted. 0 where the server shows none.
std::uint64_t TokenCounter::measure_template(const std::string& body) {
  const auto reply = exchange("/apply-template", {json_text({{"messages", parse_json(body).at("messages")}})}).front();
  const auto json = parse_json_or_discard(reply.value_or(""));
  if (!json.is_object() || !json.contains("prompt") || !json["prompt"].is_string()) return 0;
  const Json templated = {{"content", json["prompt"]}, {"add_special", true}, {"parse_special", true}};
  const auto counts = exchange("/tokenize", {json_text(templated), question(body)});
  const auto with = count_in(counts[0].value_or("")).value_or(0),
             without = count_in(counts[1].value_or("")).value_or(0);
  return with > without ? with - without : 0;
}

std::vector<std::optional<std::uint64_t>> TokenCounter::count(const std::vector<std::string>& bodies) {
  std::vector<std::string> questions;
  for (const auto& body : bodies) questions.push_back(question(body));
  std::vector<std::optional<std::uint64_t>> counts;
  const auto* path = kind_ == Kind::kAnthropic ? "/messages/count_tokens" : "/tokenize";
  for (const auto& reply : exchange(path, std::move(questions))) {
    counts.push_back(reply ? count_in(*reply) : std::nullopt);
    if (counts.back()) *counts.back() += template_tokens_;
  }
  return counts;
}

}  // namespace touchstone::llm_client
