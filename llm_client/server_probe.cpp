#include "llm_client/server_probe.hpp"

#include "common/digest.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "llm_client/attempt_budget.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using providers::ServerLimits;
using transport::Delivery;
using transport::FailureKind;
using transport::kOnlyExchange;

constexpr int kAttempts = 4;
constexpr std::size_t kShownNameBytes = 80;
// The order in which a refusal is looked into. Few servers refuse both.
constexpr std::array<ServerLimits, 4> kForms = {{{false, false}, {false, true}, {true, false}, {true, true}}};

/// False where the prompt alone holds answers to their form, since the settings or the kind of answer want it so.
bool sends_schema(const ServedModel& served) {
  return served.model.parameters().structure != providers::Structure::kNone &&
         prompts::has_schema(served.model.prompt().answer());
}

/// A question that no schema fits: a server that answers by the schema all the same is held to it.
prompts::RenderedPrompt probe_prompt(const ServedModel& served) {
  prompts::RenderedPrompt prompt;
  prompt.system = served.model.prompt().render({}).system;
  prompt.user = "This is a test of the connection. Leave the task above aside and reply with the one word: ready";
  return prompt;
}

/// A few words, beside which the question above is long.
prompts::RenderedPrompt short_prompt() {
  prompts::RenderedPrompt prompt;
  prompt.user = "Reply with the one word: ready";
  return prompt;
}

prompts::TextSize size_of(const prompts::RenderedPrompt& prompt) {
  auto size = prompts::measure_text(prompt.system);
  size += prompts::measure_text(prompt.user);
  return size;
}

/// Each form, and the short question, has a digest of its own.
std::string probe_digest(const ServedModel& served, const std::string& form) {
  return Sha256()
      .update_field("probe/1")
      .update_field(served.server.base_url)
      .update_field(served.model.fingerprint())
      .update_field(form)
      .hex();
}
std::string probe_digest(const ServedModel& served, std::size_t form) {
  return probe_digest(served, std::to_string(form));
}
constexpr const char* kShort = "short";

PendingRequest probe_request(const ServedModel& served, const prompts::RenderedPrompt& prompt, std::string digest,
                             const ServerLimits& limits) {
  PendingRequest request;
  request.digest = std::move(digest);
  request.body = providers::chat_body(served.model.protocol(), prompt, served.model.prompt().answer(),
                                      served.model.parameters(), limits);
  request.size = size_of(prompt);
  return request;
}

/// Statuses by which a server says that it does not know a field of the request.
bool is_refusal_of_form(std::uint64_t status) {
  return status == 400 || status == 422;
}

/// A count that does not grow by a quarter of a token for each further word follows something else than the prompt.
constexpr double kLeastGrowth = 0.25;

prompts::TokenCounting counting_of(const ServedModel& served, const providers::ChatReply& chat,
                                   const ReplyStore& store) {
  prompts::TokenCounting counting;
  if (!chat.usage) return counting;
  const double words = size_of(probe_prompt(served)).words;
  const auto tokens = static_cast<double>(chat.usage->prompt);
  counting.tokens_per_word = tokens / words;
  const auto reply = store.find(probe_digest(served, kShort));
  if (!reply || reply->status != 200) return counting;
  const auto usage = providers::read_usage(served.model.protocol(), reply->reply);
  if (usage)
    counting.trusted =
        tokens - static_cast<double>(usage->prompt) >= kLeastGrowth * (words - size_of(short_prompt()).words);
  return counting;
}

ServerTraits traits_of(const ServedModel& served, std::size_t form, const StoredReply& reply, const ReplyStore& store) {
  ServerTraits traits;
  traits.probed = true;
  traits.limits = kForms[form];
  if (reply.status != 200) return traits;
  const auto chat = providers::read_chat(served.model.protocol(), reply.reply, true);
  traits.keeps_to_schema = sends_schema(served) && !traits.limits.refuses_structure &&
                           prompts::parse_answer(served.model.prompt().answer(), chat.text).has_value();
  traits.gives_logprobs = !chat.tokens.empty() && !chat.tokens.front().alternatives.empty();
  traits.counting = counting_of(served, chat, store);
  traits.answers_as = chat.model;
  return traits;
}

/// One exchange, given up early: what a probe meets must not stop the run. The first server that can be reached
/// answers.
Delivery exchange(const ServedModel& served, const std::vector<transport::Endpoint>& endpoints, std::string path,
                  std::string body, const StopFlag& stop, AttemptBudget* attempts = nullptr) {
  auto options = served.server.transport;
  options.gate = attempts;
  options.in_flight = options.first_in_flight = 1;
  options.max_attempts = std::min(options.max_attempts, kAttempts);
  transport::Exchange question;
  question.path = std::move(path);
  question.body = std::move(body);
  return transport::exchange_alone(endpoints, std::move(options), std::move(question), stop);
}

/// Warns when the server lists models and the judge's is not among them; servers without a list are left alone.
void look_at_models(const ServedModel& served, const std::vector<transport::Endpoint>& endpoints,
                    const StopFlag& stop) {
  const auto delivery = exchange(served, endpoints, "/models", "", stop);
  if (delivery.failure != FailureKind::none || delivery.status != 200) return;
  const auto json = parse_json_or_discard(delivery.body);
  if (!json.is_object() || !json.contains("data") || !json["data"].is_array() || json["data"].empty()) return;
  std::string names;
  for (const auto& model : json["data"]) {
    if (!model.is_object() || !model.contains("id") || !model["id"].is_string()) continue;
    const std::string name = model["id"];
    if (name == served.model.parameters().model) return;
    if (names.size() < kExcerptBytes) names += (names.empty() ? "" : ", ") + display_excerpt(name, kShownNameBytes);
  }
  log_warn("judge {}: the server does not list a model \"{}\"; it lists {}", served.model.id(),
           served.model.parameters().model, names);
}

void report(const ServedModel& served, const ServerTraits& traits) {
  const auto& parameters = served.model.parameters();
  std::string notes;
  const auto note = [&](std::string_view text) { notes += (notes.empty() ? "" : "; ") + std::string(text); };
  if (!sends_schema(served)) {
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
  if (const auto& name = traits.answers_as; !name.empty() && !providers::is_same_model(parameters.model, name))
    note("it answers as the model \"" + display_excerpt(name, kShownNameBytes) + "\"");
  if (traits.counting.tokens_per_word == 0) {
    note("it does not count tokens, so cut prompts cannot be told");
  } else if (!traits.counting.trusted) {
    note("its count of tokens does not follow the prompts, so cut prompts cannot be told");
  }
  log_info("judge {}: tried the server: {}", served.model.id(), notes);
}

/// Puts questions to the server, each once: what the log knows is not asked.
class Probe {
 public:
  Probe(const ServedModel& served, const std::vector<transport::Endpoint>& endpoints, ReplyStore& store, Budget& budget,
        const StopFlag& stop)
      : served_(served), endpoints_(endpoints), store_(store), budget_(budget), stop_(stop) {}

  /// Nothing when no reply came; `failure` says why.
  std::optional<StoredReply> ask(PendingRequest request) {
    if (auto known = store_.find(request.digest)) return known;
    const auto worst = served_.worst_case(request.size);
    AttemptBudget attempts(budget_);
    if (!attempts.reserve(kOnlyExchange, worst))
      throw Interrupted(attempts.obstacle(worst) + "; run the same command again with a higher one to go on");
    auto delivery = exchange(served_, endpoints_, std::string(providers::chat_path(served_.model.protocol())),
                             std::move(request.body), stop_, &attempts);
    const auto charged = delivery.served ? worst : Spending{0, delivery.attempts > 0 ? 1U : 0U, 0};
    if (delivery.failure == FailureKind::fatal || delivery.failure == FailureKind::cancelled) {
      attempts.settle(kOnlyExchange, charged);
      throw Interrupted(delivery.message);
    }
    failure = delivery.message;
    failed_with = delivery.status;
    if (delivery.failure == FailureKind::transient_exhausted || delivery.failure == FailureKind::incomplete) {
      attempts.settle(kOnlyExchange, charged);
      return std::nullopt;
    }
    auto paid = paid_reply(served_, delivery);
    if (!paid.counted && (delivery.served || delivery.failure == FailureKind::none)) paid.spent = worst;
    attempts.settle(kOnlyExchange, paid.spent);
    if (paid.reply.status == 200 || is_refusal_of_form(paid.reply.status)) store_.add({{request.digest, paid.reply}});
    return std::move(paid.reply);
  }

  std::string failure;  ///< of the last question, when there was no good reply
  int failed_with = 0;  ///< its status

 private:
  const ServedModel& served_;
  const std::vector<transport::Endpoint>& endpoints_;
  ReplyStore& store_;
  Budget& budget_;
  const StopFlag& stop_;
};

/// True when leaving something out changes nothing, since the judge's requests do not hold it.
bool changes_nothing(const ServedModel& served, std::size_t form) {
  const auto& parameters = served.model.parameters();
  return form > 0 && ((kForms[form].refuses_logprobs && !parameters.logprobs) ||
                      (kForms[form].refuses_structure && !sends_schema(served)));
}

}  // namespace

ServerTraits remembered_traits(const ServedModel& served, const ReplyStore& store) {
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    const auto reply = store.find(probe_digest(served, form));
    if (reply && reply->status == 200) return traits_of(served, form, *reply, store);
  }
  return {};
}

std::vector<PendingRequest> probe_requests(const ServedModel& served, const ReplyStore& store) {
  std::vector<PendingRequest> requests;
  requests.push_back(probe_request(served, probe_prompt(served), probe_digest(served, 0), kForms[0]));
  requests.push_back(probe_request(served, short_prompt(), probe_digest(served, kShort), kForms[0]));
  std::erase_if(requests, [&](const PendingRequest& request) { return store.find(request.digest).has_value(); });
  return requests;
}

PendingRequest control_request(const ServedModel& served, const providers::ServerLimits& limits) {
  prompts::RenderedPrompt prompt;
  prompt.user = "Reply with the one word: present";
  return probe_request(served, prompt, {}, limits);
}

ServerTraits probe_server(const ServedModel& served, const std::vector<transport::Endpoint>& endpoints,
                          ReplyStore& store, Budget& budget, const StopFlag& stop) {
  look_at_models(served, endpoints, stop);
  Probe probe(served, endpoints, store, budget, stop);
  StoredReply refusal;
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    if (changes_nothing(served, form)) continue;
    const auto reply = probe.ask(probe_request(served, probe_prompt(served), probe_digest(served, form), kForms[form]));
    if (!reply) {
      if (probe.failed_with == 500) continue;  // llama.cpp answers so to fields that it does not know
      break;
    }
    if (reply->status == 200) {
      if (providers::read_usage(served.model.protocol(), reply->reply))
        probe.ask(probe_request(served, short_prompt(), probe_digest(served, kShort), kForms[form]));
      auto traits = traits_of(served, form, *reply, store);
      report(served, traits);
      return traits;
    }
    refusal = *reply;
    if (!is_refusal_of_form(reply->status) && reply->status != 500) break;
  }
  if (is_refusal_of_form(refusal.status))
    throw Interrupted(fmt::format(
        "judge {}: the server refuses even the plainest request with status {}: {}; put the settings right and run "
        "the same command again",
        served.model.id(), refusal.status,
        display_excerpt(providers::read_chat(served.model.protocol(), refusal.reply, false).reason)));
  log_warn("judge {}: the server could not be tried: {}", served.model.id(), probe.failure);
  return {};
}

}  // namespace touchstone::llm_client
