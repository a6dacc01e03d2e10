#include "pipeline/judging/server_probe.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging {
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

/// A few words, beside which the question above is long.
llm_client::RenderedPrompt short_prompt() {
  llm_client::RenderedPrompt prompt;
  prompt.user = "Reply with the one word: ready";
  return prompt;
}

llm_client::TextSize size_of(const llm_client::RenderedPrompt& prompt) {
  auto size = llm_client::measure_text(prompt.system);
  size += llm_client::measure_text(prompt.user);
  return size;
}

/// The first form has the key of the server and judge; each other form, and the short question, one of its own.
std::string probe_key(const Panelist& judge, const std::string& form) {
  return Sha256()
      .update_field("probe/1")
      .update_field(judge.options.base_url)
      .update_field(judge.llm->fingerprint())
      .update_field(form)
      .hex();
}
std::string probe_key(const Panelist& judge, std::size_t form) {
  return probe_key(judge, std::to_string(form));
}
constexpr const char* kShort = "short";

Errand probe_errand(const Panelist& judge, const llm_client::RenderedPrompt& prompt, std::string key,
                    const ServerLimits& limits) {
  Errand errand;
  errand.key = std::move(key);
  errand.body = llm_client::chat_body(judge.llm->protocol(), prompt, judge.llm->prompt().answer(),
                                      judge.llm->parameters(), limits);
  errand.size = size_of(prompt);
  return errand;
}

/// Statuses by which a server says that it does not know a field of the request.
bool is_refusal_of_form(std::uint64_t status) {
  return status == 400 || status == 422;
}

/// A count that does not grow by a quarter of a token for each further word follows something else than the prompt.
constexpr double kLeastGrowth = 0.25;

llm_client::TokenCounting counting_of(const Panelist& judge, const llm_client::ChatReply& chat,
                                      const JudgmentLog& log) {
  llm_client::TokenCounting counting;
  if (!chat.usage) return counting;
  const double words = size_of(probe_prompt(judge)).words;
  const auto tokens = static_cast<double>(chat.usage->prompt);
  counting.tokens_per_word = tokens / words;
  const auto reply = log.find(probe_key(judge, kShort));
  if (!reply || reply->status != 200) return counting;
  const auto usage = llm_client::read_usage(judge.llm->protocol(), reply->reply);
  if (usage)
    counting.trusted =
        tokens - static_cast<double>(usage->prompt) >= kLeastGrowth * (words - size_of(short_prompt()).words);
  return counting;
}

ServerTraits traits_of(const Panelist& judge, std::size_t form, const LoggedReply& reply, const JudgmentLog& log) {
  ServerTraits traits;
  traits.probed = true;
  traits.limits = kForms[form];
  if (reply.status != 200) return traits;
  const auto chat = llm_client::read_chat(judge.llm->protocol(), reply.reply, true);
  traits.keeps_to_schema =
      !traits.limits.refuses_structure && llm_client::parse_answer(judge.llm->prompt().answer(), chat.text).has_value();
  traits.gives_logprobs = !chat.tokens.empty() && !chat.tokens.front().alternatives.empty();
  traits.counting = counting_of(judge, chat, log);
  return traits;
}

/// One exchange on a transport of its own: what a probe meets must not stop the run's.
Delivery exchange(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, std::string path,
                  std::string body, const StopFlag& stop) {
  auto options = transport_options(judge.options);
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
    if (name == judge.options.model) return;
    if (names.size() < 200) names += (names.empty() ? "" : ", ") + name;
  }
  log_warn("judge {}: the server does not list a model \"{}\"; it lists {}", judge.llm->id(), judge.options.model,
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
  if (traits.counting.tokens_per_word == 0) {
    note("it does not count tokens, so cut prompts cannot be told");
  } else if (!traits.counting.trusted) {
    note("its count of tokens does not follow the prompts, so cut prompts cannot be told");
  }
  log_info("judge {}: tried the server: {}", judge.llm->id(), notes);
}

/// Puts questions to the server, each once: what the log knows is not asked.
class Probe {
 public:
  Probe(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, JudgmentLog& log,
        llm_client::Budget& budget, const StopFlag& stop)
      : judge_(judge), endpoints_(endpoints), log_(log), budget_(budget), stop_(stop) {}

  /// Nothing when no reply came; `failure` says why.
  std::optional<LoggedReply> ask(Errand errand) {
    if (auto known = log_.find(errand.key)) return known;
    const auto reply_tokens = judge_.llm->parameters().max_reply_tokens;
    const auto most = llm_client::most_tokens(errand.size);
    const llm_client::Spending worst = {judge_.prices().highest_cost(most, reply_tokens), 1, most + reply_tokens};
    if (!budget_.reserve(worst))
      throw Interrupted(budget_.obstacle(worst) + "; run the same command again with a higher one to go on");
    auto delivery = exchange(judge_, endpoints_, std::string(llm_client::chat_path(judge_.llm->protocol())),
                             std::move(errand.body), stop_);
    if (delivery.failure == FailureKind::fatal || delivery.failure == FailureKind::cancelled) {
      budget_.settle(worst, {0, 1, 0});
      throw Interrupted(delivery.message);
    }
    failure = delivery.message;
    failed_with = delivery.status;
    if (delivery.failure == FailureKind::transient_exhausted) {
      budget_.settle(worst, worst);
      return std::nullopt;
    }
    LoggedReply reply;
    reply.judge = judge_.llm->id();
    reply.status = static_cast<std::uint64_t>(delivery.status);
    reply.attempts = static_cast<std::uint64_t>(delivery.attempts);
    reply.latency_us = static_cast<std::uint64_t>(delivery.latency.count());
    llm_client::Spending actual = {0, 1, 0};
    if (const auto usage = llm_client::read_usage(judge_.llm->protocol(), delivery.body)) {
      reply.prompt_tokens = usage->prompt;
      reply.cached_tokens = usage->cached;
      reply.reply_tokens = usage->reply;
      actual.cost = reply.cost = judge_.prices().cost(*usage);
      actual.tokens = usage->prompt + usage->reply;
    }
    reply.reply = std::move(delivery.body);
    budget_.settle(worst, actual);
    if (reply.status == 200 || is_refusal_of_form(reply.status))
      log_.add({{errand.key, reply}}, storage::Durability::kMachine);
    return reply;
  }

  std::string failure;  ///< of the last question, when there was no good reply
  int failed_with = 0;  ///< its status

 private:
  const Panelist& judge_;
  const std::vector<llm_client::Endpoint>& endpoints_;
  JudgmentLog& log_;
  llm_client::Budget& budget_;
  const StopFlag& stop_;
};

/// True when leaving something out changes nothing, since the judge's requests do not hold it.
bool changes_nothing(const Panelist& judge, std::size_t form) {
  const auto& parameters = judge.llm->parameters();
  return form > 0 && ((kForms[form].refuses_logprobs && !parameters.logprobs) ||
                      (kForms[form].refuses_structure && parameters.structure == llm_client::Structure::kNone));
}

}  // namespace

ServerTraits remembered_traits(const Panelist& judge, const JudgmentLog& log) {
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    const auto reply = log.find(probe_key(judge, form));
    if (reply && reply->status == 200) return traits_of(judge, form, *reply, log);
  }
  return {};
}

std::vector<Errand> probe_errands(const Panelist& judge, const JudgmentLog& log) {
  std::vector<Errand> errands;
  errands.push_back(probe_errand(judge, probe_prompt(judge), probe_key(judge, 0), kForms[0]));
  errands.push_back(probe_errand(judge, short_prompt(), probe_key(judge, kShort), kForms[0]));
  std::erase_if(errands, [&](const Errand& errand) { return log.find(errand.key).has_value(); });
  return errands;
}

ServerTraits probe_server(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, JudgmentLog& log,
                          llm_client::Budget& budget, const StopFlag& stop) {
  look_at_models(judge, endpoints, stop);
  Probe probe(judge, endpoints, log, budget, stop);
  LoggedReply refusal;
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    if (changes_nothing(judge, form)) continue;
    const auto reply = probe.ask(probe_errand(judge, probe_prompt(judge), probe_key(judge, form), kForms[form]));
    if (!reply) {
      if (probe.failed_with == 500) continue;  // llama.cpp answers so to fields that it does not know
      break;
    }
    if (reply->status == 200) {
      if (llm_client::read_usage(judge.llm->protocol(), reply->reply))
        probe.ask(probe_errand(judge, short_prompt(), probe_key(judge, kShort), kForms[form]));
      const auto traits = traits_of(judge, form, *reply, log);
      report(judge, traits);
      return traits;
    }
    refusal = *reply;
    if (!is_refusal_of_form(reply->status) && reply->status != 500) break;
  }
  if (is_refusal_of_form(refusal.status))
    throw Interrupted(fmt::format(
        "judge {}: the server refuses even the plainest request with status {}: {}; put the settings right and run "
        "the same command again",
        judge.llm->id(), refusal.status, llm_client::read_chat(judge.llm->protocol(), refusal.reply, false).reason));
  log_warn("judge {}: the server could not be tried: {}", judge.llm->id(), probe.failure);
  return {};
}

}  // namespace touchstone::pipeline::judging
