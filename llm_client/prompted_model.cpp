#include "llm_client/prompted_model.hpp"

#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "common/secrets.hpp"
#include "llm_client/prompts/inert_text.hpp"
#include "llm_client/prompts/quotes.hpp"
#include "llm_client/prompts/token_probability.hpp"
#include "llm_client/providers/chat_protocols.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::llm_client {
namespace {

constexpr std::size_t kReasonBytes = 300;

std::size_t frame_of(const providers::ServerLimits& limits) {
  return (limits.refuses_structure ? 2U : 0U) + (limits.refuses_logprobs ? 1U : 0U);
}

/// The form of an answer, for the fingerprint.
std::string_view form_of(prompts::AnswerKind kind) {
  return prompts::has_schema(kind) ? prompts::answer_schema(kind) : prompts::answer_kind_name(kind);
}

/// Any line fits a prompt that asks for a bare one, and so would a refusal.
Result<prompts::Answer, std::string> answer_in(prompts::AnswerKind kind, std::string_view text) {
  if (kind == prompts::AnswerKind::kLine && providers::internal::sounds_like_refusal(text))
    return Result<prompts::Answer, std::string>::failure("the model declined to answer");
  return prompts::parse_answer(kind, text);
}

/// Where a quote is in a passage that was asked about in its inert form, code point for code point.
std::optional<std::pair<std::uint32_t, std::uint32_t>> find_in(const std::string& inert_passage,
                                                               const std::string& quote) {
  if (const auto span = prompts::find_quote(inert_passage, quote)) return span;
  return prompts::find_quote(inert_passage, prompts::inert_text(quote));
}

/// An answer as people may see it: what a server wrote may hold secrets in a form that shows only now, and signs that
/// change the screen.
JudgeAnswer shown(JudgeAnswer answer) {
  hide_secrets(answer.reply);
  hide_secrets(answer.reason);
  answer.reason = display_excerpt(answer.reason, kReasonBytes);
  return answer;
}

}  // namespace

PromptedModel::PromptedModel(providers::Protocol protocol, providers::ChatParameters parameters,
                             prompts::PromptTemplate prompt, std::string label, int evidence_grade)
    : protocol_(protocol),
      parameters_(std::move(parameters)),
      prompt_(std::move(prompt)),
      label_(label.empty() ? parameters_.model : std::move(label)),
      evidence_grade_(prompts::evidence_grade(prompt_.answer(), evidence_grade)) {
  static constexpr std::string_view kStructures[] = {"json schema", "vllm", "none"};
  fingerprint_ =
      fmt::format("{}; {}; temperature {:.6g}; at most {} tokens; seed {}; logprobs {}; structure {}; answer {}",
                  protocol_ == providers::Protocol::kOpenAi ? "openai" : "anthropic", parameters_.model,
                  parameters_.temperature, parameters_.max_reply_tokens, parameters_.seed, parameters_.logprobs,
                  kStructures[static_cast<std::size_t>(parameters_.structure)], form_of(prompt_.answer()));
  if (!parameters_.extra_body.empty()) fingerprint_ += "; extra " + parameters_.extra_body;
  auto sample = prompt_.render({});
  system_size_ = prompts::measure_text(sample.system);
  digest_start_.update_field("llm/1").update_field(fingerprint_).update_field(sample.system);
  if (protocol_ != providers::Protocol::kOpenAi) return;
  constexpr std::string_view kMark = "\"@user@\"";
  sample.user = "@user@";
  for (const bool structure : {false, true}) {
    for (const bool logprobs : {false, true}) {
      const providers::ServerLimits limits{structure, logprobs};
      const auto text = providers::chat_body(protocol_, sample, prompt_.answer(), parameters_, limits);
      const auto at = text.rfind(kMark);
      frames_[frame_of(limits)] = {text.substr(0, at), text.substr(at + kMark.size())};
    }
  }
}

std::string PromptedModel::body(const Question& question, const providers::ServerLimits& limits) const {
  if (protocol_ != providers::Protocol::kOpenAi)
    return providers::chat_body(protocol_, question.prompt, prompt_.answer(), parameters_, limits);
  const auto& [head, tail] = frames_[frame_of(limits)];
  std::string body = head;
  append_json_string(body, question.prompt.user);
  return body += tail;
}

std::string PromptedModel::fingerprint() const {
  return fmt::format("{}; texts {}; prompt {}", fingerprint_, prompts::PromptTemplate::kTextForm, prompt_.digest());
}

Question PromptedModel::question(const prompts::PromptValues& values, std::uint32_t sample) const {
  Question question;
  question.prompt = prompt_.render(values);
  question.size = system_size_;
  question.size += prompts::measure_text(question.prompt.user);
  question.digest = Sha256(digest_start_).update_field(question.prompt.user).update_field(std::to_string(sample)).hex();
  return question;
}

JudgeAnswer PromptedModel::read(const StoredReply& reply, const Asked& asked) const {
  if (reply.failure.empty()) return read(static_cast<int>(reply.status), reply.reply, asked);
  JudgeAnswer result;
  result.reply = reply.reply;
  result.reason = reply.failure;
  return shown(std::move(result));
}

JudgeAnswer PromptedModel::read(int status, std::string_view body, const Asked& asked) const {
  return shown(read_reply(status, body, asked));
}

JudgeAnswer PromptedModel::read_reply(int status, std::string_view body, const Asked& asked) const {
  JudgeAnswer result;
  auto chat = providers::read_chat(protocol_, body, parameters_.logprobs);
  result.reply = chat.text.empty() ? std::string(body) : chat.text;
  result.state = chat.state;
  result.reason = std::move(chat.reason);
  if (status != 200) {
    // A filter's refusal has a state of its own, whatever status it comes with.
    if (result.state == JudgmentState::kFiltered && status >= 400 && status < 500) return result;
    result.state = JudgmentState::kFailed;
    result.reason =
        fmt::format("the server answered with status {}{}{}", status, result.reason.empty() ? "" : ": ", result.reason);
    return result;
  }
  if (result.state != JudgmentState::kJudged) return result;
  if (!asked.answers_as.empty() && !chat.model.empty() && !providers::is_same_model(asked.answers_as, chat.model) &&
      !providers::is_same_model(parameters_.model, chat.model)) {
    result.state = JudgmentState::kOtherModel;
    result.reason = fmt::format("the model \"{}\" answered, and \"{}\" was asked", chat.model, parameters_.model);
    return result;
  }
  const auto least = prompts::least_tokens(asked.size, asked.counting);
  if (chat.usage && chat.usage->prompt < least) {
    result.state = JudgmentState::kTruncatedPrompt;
    result.reason =
        fmt::format("the server read {} tokens of a prompt that has at least {}: it cut the prompt to its context",
                    chat.usage->prompt, least);
    return result;
  }
  auto answer = answer_in(prompt_.answer(), chat.text);
  if (!answer) {
    const bool refusal = providers::internal::sounds_like_refusal(chat.text);
    result.state = refusal ? JudgmentState::kRefused : JudgmentState::kUnparseable;
    result.reason = refusal ? chat.text : answer.error();
    return result;
  }
  result.grade = answer->grade;
  if (!result.grade) return result;
  result.reason = std::move(answer->reason);
  if (const auto probability =
          prompts::evidence_probability(prompt_.answer(), chat.text, chat.tokens, evidence_grade_)) {
    result.probability = round_to(*probability, 4);
    result.contradicted = (*result.grade >= evidence_grade_) != (*probability >= 0.5) ? 1 : 0;
  }
  const auto passage = answer->quotes.empty() ? std::string() : prompts::inert_text(asked.passage_text);
  for (const auto& quote : answer->quotes) {
    if (const auto span = find_in(passage, quote)) {
      result.spans.push_back(*span);
    } else {
      ++result.quotes_not_found;
    }
  }
  result.spans = prompts::merge_spans(std::move(result.spans));
  return result;
}

std::string PromptedModel::read_query(int status, std::string_view body) const {
  if (status != 200) return {};
  const auto chat = providers::read_chat(protocol_, body, false);
  if (chat.state != JudgmentState::kJudged) return {};
  const auto answer = answer_in(prompt_.answer(), chat.text);
  if (!answer) return {};
  auto query = answer->query;
  hide_secrets(query);
  return query;
}

}  // namespace touchstone::llm_client
