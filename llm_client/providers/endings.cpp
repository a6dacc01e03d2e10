#include "common/display_text.hpp"
#include "llm_client/providers/chat_protocols.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace touchstone::llm_client::providers::internal {
namespace {

using Words = std::pair<std::string_view, Ending>;

constexpr auto kOpenAiWords = std::to_array<Words>({
    {"stop", Ending::kWhole},
    {"STOP", Ending::kWhole},
    {"eos", Ending::kWhole},
    {"eos_token", Ending::kWhole},
    {"end_turn", Ending::kWhole},
    {"stop_sequence", Ending::kWhole},
    {"COMPLETE", Ending::kWhole},
    {"length", Ending::kLength},
    {"max_tokens", Ending::kLength},
    {"MAX_TOKENS", Ending::kLength},
    {"model_length", Ending::kLength},
    {"content_filter", Ending::kFiltered},
    {"safety", Ending::kFiltered},
    {"SAFETY", Ending::kFiltered},
    {"recitation", Ending::kFiltered},
    {"RECITATION", Ending::kFiltered},
    {"blocklist", Ending::kFiltered},
    {"BLOCKLIST", Ending::kFiltered},
    {"prohibited_content", Ending::kFiltered},
    {"PROHIBITED_CONTENT", Ending::kFiltered},
    {"spii", Ending::kFiltered},
    {"SPII", Ending::kFiltered},
    {"tool_calls", Ending::kTool},
    {"function_call", Ending::kTool},
});

constexpr auto kAnthropicWords = std::to_array<Words>({
    {"end_turn", Ending::kWhole},
    {"stop_sequence", Ending::kWhole},
    {"max_tokens", Ending::kLength},
    {"model_context_window_exceeded", Ending::kLength},
    {"tool_use", Ending::kTool},
});

Ending look_up(std::span<const Words> words, std::string_view word) noexcept {
  const auto found = std::find_if(words.begin(), words.end(), [&](const auto& known) { return known.first == word; });
  return found == words.end() ? Ending::kOther : found->second;
}

}  // namespace

Ending openai_ending(std::string_view word) noexcept {
  if (word.starts_with("content_filter:")) return Ending::kFiltered;  // Gemini: "content_filter: RECITATION"
  return look_up(kOpenAiWords, word);
}

Ending anthropic_ending(std::string_view word) noexcept {
  return look_up(kAnthropicWords, word);
}

bool read_ending(Ending ending, std::string_view word, ChatReply& reply) {
  constexpr std::size_t kShownWord = 40;
  switch (ending) {
    case Ending::kWhole:
      reply.state = JudgmentState::kJudged;
      return true;
    case Ending::kLength:
      reply.state = JudgmentState::kLengthLimited;
      reply.reason = "the reply reached the limit of its tokens (judge.max_tokens)";
      return false;
    case Ending::kFiltered:
      reply.state = JudgmentState::kFiltered;
      reply.reason = kFilteredReason;
      return false;
    case Ending::kTool:
      reply.state = JudgmentState::kUnparseable;
      reply.reason = "the model called a tool instead of answering";
      return false;
    case Ending::kOther:
      break;
  }
  reply.state = JudgmentState::kFailed;
  reply.reason = fmt::format("the server ended the reply with \"{}\", so the answer is incomplete",
                             display_excerpt(word, kShownWord));
  return false;
}

}  // namespace touchstone::llm_client::providers::internal
