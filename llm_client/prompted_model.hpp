#pragma once

#include "common/digest.hpp"
#include "llm_client/judge_answer.hpp"
#include "llm_client/prompts/prompt_template.hpp"
#include "llm_client/prompts/token_estimate.hpp"
#include "llm_client/providers/chat.hpp"
#include "llm_client/reply_store.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::llm_client {

/// A question as it is sent and filed.
struct Question {
  std::string digest;  ///< key of its reply
  prompts::RenderedPrompt prompt;
  prompts::TextSize size;  ///< of system and user text
};

/// A request that has no reply yet.
struct PendingRequest {
  std::string digest;  ///< that its reply will be filed under
  std::string body;    ///< as it is sent
  std::string topic;   ///< requests of one topic begin alike
  prompts::TextSize size;
  std::uint64_t shared_tokens = 0;  ///< guess of the tokens that all requests of the topic begin with
  bool asks_again = false;          ///< there are replies to its question without a grade, under other digests
  std::uint32_t sample = 0;         ///< number of the sample, where the same question is asked several times
};

/// A language model with a prompt and parameters: words questions and reads replies. It sends nothing. Immutable, and
/// so thread-safe.
class PromptedModel {
 public:
  /// \param label           name in judgments and reports; empty: the model's
  /// \param evidence_grade  lowest grade that is evidence, of prompts with several grades. It decides how replies are
  ///                        read, and nothing of what is asked.
  PromptedModel(providers::Protocol protocol, providers::ChatParameters parameters, prompts::PromptTemplate prompt,
                std::string label = {}, int evidence_grade = 1);

  const std::string& id() const noexcept { return label_; }
  const prompts::PromptTemplate& prompt() const noexcept { return prompt_; }
  const providers::ChatParameters& parameters() const noexcept { return parameters_; }
  providers::Protocol protocol() const noexcept { return protocol_; }
  /// Lowest grade that is evidence: 1 for yes and no.
  int evidence_grade() const noexcept { return evidence_grade_; }

  /// \param sample  0-based number of the sample, where the same question is asked several times
  Question question(const prompts::PromptValues& values, std::uint32_t sample) const;

  /// Body of the request: providers::chat_body() of the question.
  std::string body(const Question& question, const providers::ServerLimits& limits) const;

  /// What is needed to read a reply, besides its bytes.
  struct Asked {
    std::string_view passage_text;     ///< where quotes are looked for; as the wiki has it
    prompts::TextSize size;            ///< of the question
    prompts::TokenCounting counting;   ///< of this server
    std::string_view answers_as = {};  ///< the model, by the word of this server's probe; empty: names say nothing
  };
  /// Reads a verbatim body. A grade comes only from an answer that fits the schema, to a prompt that was read whole.
  /// \param status  HTTP status; other than 200: no answer
  JudgeAnswer read(int status, std::string_view body, const Asked& asked) const;
  /// Likewise; one that did not arrive whole says why it has failed.
  JudgeAnswer read(const StoredReply& reply, const Asked& asked) const;
  /// Likewise for a prompt that asks for a query; returns an empty text where the reply holds none.
  std::string read_query(int status, std::string_view body) const;

  /// Everything besides the question's texts that replies depend on, as text. The evidence grade is none of it.
  std::string fingerprint() const;

 private:
  JudgeAnswer read_reply(int status, std::string_view body, const Asked& asked) const;

  providers::Protocol protocol_;
  providers::ChatParameters parameters_;
  prompts::PromptTemplate prompt_;
  std::string label_, fingerprint_;
  int evidence_grade_;
  prompts::TextSize system_size_;
  Sha256 digest_start_;  ///< over all that the questions have in common
  /// Of the OpenAI protocol: what is before and behind the user text, by what the server refuses. All questions
  /// share it, so only the user text is escaped anew.
  std::array<std::pair<std::string, std::string>, 4> frames_;
};

}  // namespace touchstone::llm_client
