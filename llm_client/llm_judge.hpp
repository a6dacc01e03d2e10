#pragma once

#include "common/digest.hpp"
#include "llm_client/chat.hpp"
#include "llm_client/judge.hpp"
#include "llm_client/prompt_template.hpp"
#include "llm_client/token_estimate.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::llm_client {

/// A question as it is sent and filed.
struct Question {
  std::string digest;  ///< key of its reply
  RenderedPrompt prompt;
  TextSize size;  ///< of system and user text
};

/// A language model with a prompt and parameters: words questions and reads replies. It sends nothing. Immutable but
/// for what a server was found to refuse; thread-safe.
class LlmJudge {
 public:
  /// \param label  name in judgments and reports; empty: the model's
  LlmJudge(Protocol protocol, ChatParameters parameters, PromptTemplate prompt, std::string label = {});

  const std::string& id() const noexcept { return label_; }
  const PromptTemplate& prompt() const noexcept { return prompt_; }
  const ChatParameters& parameters() const noexcept { return parameters_; }
  Protocol protocol() const noexcept { return protocol_; }

  /// \param sample  0-based number of the sample, where the same question is asked several times
  Question question(const JudgeRequest& request, std::uint32_t sample) const;
  Question question(const PromptValues& values, std::uint32_t sample) const;

  /// Body of the request: chat_body() of the question.
  std::string body(const Question& question, const ServerLimits& limits) const;

  /// What is needed to read a reply, besides its bytes.
  struct Asked {
    std::string_view passage_text;  ///< where quotes are looked for
    TextSize size;                  ///< of the question
    TokenCounting counting;         ///< of this server
  };
  /// Reads a verbatim body. A grade comes only out of an answer that fits the schema, to a prompt that was read whole.
  /// \param status  HTTP status; other than 200: no answer
  JudgeReply read(int status, std::string_view body, const Asked& asked) const;
  /// Likewise for a prompt that asks for a query; empty where there is none.
  std::string read_query(int status, std::string_view body) const;

  /// Everything besides the question's texts that replies depend on, as text.
  std::string fingerprint() const;

 private:
  Protocol protocol_;
  ChatParameters parameters_;
  PromptTemplate prompt_;
  std::string label_, fingerprint_;
  TextSize system_size_;
  Sha256 digest_start_;  ///< over all that the questions have in common
  /// Of the OpenAI protocol: what stands before and behind the user text, by what the server refuses. All questions
  /// share it, so only the user text is escaped anew.
  std::array<std::pair<std::string, std::string>, 4> frames_;
};

}  // namespace touchstone::llm_client
