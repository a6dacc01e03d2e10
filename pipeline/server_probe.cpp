#include "pipeline/server_probe.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline {
namespace {

using llm_client::AnswerKind;
using llm_client::Delivery;
using llm_client::FailureKind;
using llm_client::ServerLimits;

constexpr int kAttempts = 4;
// The order in which a refusal is looked into. Few servers refuse both.
constexpr std::array<ServerLimits, 4> kForms = {{{false, false}, {false, true}, {true, false}, {true, true}}};

/// A question that no schema fits: a server that answers by the schema all the same is held to it.
llm_client::RenderedPrompt probe_prompt(const Panelist& judge) {
  llm_client::RenderedPrompt prompt;
  prompt.system = judge.llm->prompt().render({}).system;
  prompt.user = "This is a test of the connection. Leave the task above aside and reply with the one word: ready";
  return prompt;
}

/// The first form has the key of the server and judge; each other form one of its own.
std::string probe_key(const Panelist& judge, std::size_t form) {
  return Sha256()
      .update_field("probe/1")
      .update_field(judge.config.base_url)
      .update_field(judge.llm->fingerprint())
      .update_field(std::to_string(form))
      .hex();
}

/// Statuses by which a server says that it does not know a field of the request.
bool is_refusal_of_form(std::uint64_t status) {
  return status == 400 || status == 422;
}

ServerTraits traits_of(const Panelist& judge, std::size_t form, const LoggedReply& reply) {
  ServerTraits traits;
  traits.probed = true;
  traits.limits = kForms[form];
  if (reply.status != 200) return traits;
  const auto chat = llm_client::read_chat(judge.llm->protocol(), reply.reply, true);
  traits.keeps_to_schema =
      !traits.limits.refuses_structure && llm_client::parse_answer(judge.llm->prompt().answer(), chat.text).has_value();
  traits.gives_logprobs = !chat.tokens.empty() && !chat.tokens.front().alternatives.empty();
  if (chat.usage) {
    const auto prompt = probe_prompt(judge);
    auto size = llm_client::measure_text(prompt.system);
    size += llm_client::measure_text(prompt.user);
    traits.tokens_per_word = static_cast<double>(chat.usage->prompt) / size.words;
  }
  return traits;
}

/// One exchange on a transport of its own: what a probe meets must not stop the run's.
Delivery exchange(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, std::string path,
                  std::string body, const StopFlag& stop) {
  auto options = transport_options(judge.config);
  options.in_flight = options.first_in_flight = 1;
  options.max_attempts = std::min(options.max_attempts, kAttempts);
  llm_client::Transport transport({endpoints.front()}, options);
  llm_client::Exchange question;
  question.id = 1;
  question.path = std::move(path);
  question.body = std::move(body);
  transport.submit(std::move(question));
  transport.close();
  for (;;) {
    auto deliveries = transport.take(std::chrono::milliseconds(200));
    if (!deliveries.empty()) return std::move(deliveries.front());
    if (transport.finished()) return {};
    if (stop.requested()) {
      transport.cancel();
      stop.check();
    }
  }
}

/// Warns when the server lists models and the judge's is not among them; servers without a list are left alone.
void look_at_models(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, const StopFlag& stop) {
  const auto delivery = exchange(judge, endpoints, "/models", "", stop);
  if (delivery.failure != FailureKind::none || delivery.status != 200) return;
  const auto json = nlohmann::json::parse(delivery.body, nullptr, false);
  if (!json.is_object() || !json.contains("data") || !json["data"].is_array() || json["data"].empty()) return;
  std::string names;
  for (const auto& model : json["data"]) {
    if (!model.is_object() || !model.contains("id") || !model["id"].is_string()) continue;
    const std::string name = model["id"];
    if (name == judge.config.model) return;
    if (names.size() < 200) names += (names.empty() ? "" : ", ") + name;
  }
  log_warn("judge {}: the server does not list a model \"{}\"; it lists {}", judge.llm->id(), judge.config.model,
           names);
}

void report(const Panelist& judge, const ServerTraits& traits) {
  const auto& parameters = judge.llm->parameters();
  std::string notes;
  const auto note = [&](std::string_view text) { notes += (notes.empty() ? "" : "; ") + std::string(text); };
  if (parameters.structure == llm_client::Structure::kNone) {
    note("answers held to their form by the prompt alone");
  } else if (traits.limits.refuses_structure) {
    note("it refuses structured output, which is left out");
  } else {
    note(traits.keeps_to_schema ? "it keeps to the answer's schema" : "it silently ignores the answer's schema");
  }
  if (parameters.logprobs)
    note(traits.limits.refuses_logprobs ? "it refuses log-probabilities, which are left out"
         : traits.gives_logprobs
             ? "it gives log-probabilities"
             : "it gives no log-probabilities, so answers have no probability unless judge.samples is raised");
  if (traits.tokens_per_word == 0) note("it does not count tokens, so cut prompts cannot be told");
  log_info("judge {}: tried the server: {}", judge.llm->id(), notes);
}

}  // namespace

ServerTraits remembered_traits(const Panelist& judge, const JudgmentLog& log) {
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    const auto reply = log.find(probe_key(judge, form));
    if (reply && reply->status == 200) return traits_of(judge, form, *reply);
  }
  return {};
}

ServerTraits probe_server(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, JudgmentLog& log,
                          llm_client::Budget& budget, const StopFlag& stop) {
  look_at_models(judge, endpoints, stop);
  const auto prompt = probe_prompt(judge);
  auto size = llm_client::measure_text(prompt.system);
  size += llm_client::measure_text(prompt.user);
  const auto reply_tokens = judge.llm->parameters().max_reply_tokens;
  const auto most = llm_client::most_tokens(size);
  Delivery delivery;
  LoggedReply refusal;
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    const bool changes_nothing =
        form > 0 &&
        ((kForms[form].refuses_logprobs && !judge.llm->parameters().logprobs) ||
         (kForms[form].refuses_structure && judge.llm->parameters().structure == llm_client::Structure::kNone));
    if (changes_nothing) continue;
    const auto key = probe_key(judge, form);
    auto logged = log.find(key);
    if (!logged) {
      const llm_client::Spending worst = {judge.prices().highest_cost(most, reply_tokens), 1, most + reply_tokens};
      if (!budget.reserve(worst))
        throw Interrupted(budget.obstacle(worst) + "; run the same command again with a higher one to go on");
      delivery = exchange(judge, endpoints, std::string(llm_client::chat_path(judge.llm->protocol())),
                          llm_client::chat_body(judge.llm->protocol(), prompt, judge.llm->prompt().answer(),
                                                judge.llm->parameters(), kForms[form]),
                          stop);
      if (delivery.failure == FailureKind::fatal || delivery.failure == FailureKind::cancelled) {
        budget.settle(worst, {0, 1, 0});
        throw Interrupted(delivery.message);
      }
      if (delivery.failure == FailureKind::transient_exhausted) {
        budget.settle(worst, worst);
        if (delivery.status == 500) continue;  // llama.cpp answers so to fields that it does not know
        break;
      }
      logged.emplace();
      logged->judge = judge.llm->id();
      logged->status = static_cast<std::uint64_t>(delivery.status);
      logged->reply = delivery.body;
      logged->attempts = static_cast<std::uint64_t>(delivery.attempts);
      logged->latency_us = static_cast<std::uint64_t>(delivery.latency.count());
      llm_client::Spending actual = {0, 1, 0};
      if (const auto usage = llm_client::read_usage(judge.llm->protocol(), delivery.body)) {
        logged->prompt_tokens = usage->prompt;
        logged->cached_tokens = usage->cached;
        logged->reply_tokens = usage->reply;
        actual.cost = logged->cost = judge.prices().cost(*usage);
        actual.tokens = usage->prompt + usage->reply;
      }
      budget.settle(worst, actual);
      if (logged->status == 200 || is_refusal_of_form(logged->status))
        log.add({{key, *logged}}, storage::Durability::kMachine);
    }
    if (logged->status == 200) {
      const auto traits = traits_of(judge, form, *logged);
      report(judge, traits);
      return traits;
    }
    refusal = *logged;
    if (!is_refusal_of_form(logged->status) && logged->status != 500) break;
  }
  if (is_refusal_of_form(refusal.status))
    throw Interrupted(fmt::format(
        "judge {}: the server refuses even the plainest request with status {}: {}; put the settings right and run "
        "the same command again",
        judge.llm->id(), refusal.status, llm_client::read_chat(judge.llm->protocol(), refusal.reply, false).reason));
  log_warn("judge {}: the server could not be tried: {}", judge.llm->id(), delivery.message);
  return {};
}

}  // namespace touchstone::pipeline
