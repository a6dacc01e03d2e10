#pragma once

#include "common/settings.hpp"
#include "llm_client/providers/chat.hpp"
#include "llm_client/served_model.hpp"
#include "pipeline/judging/vote_aggregation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {
namespace pipeline::judging::stage {

/// Who judges, and how requests travel.
enum class JudgeKind : std::uint8_t { kLexical, kOpenAi, kAnthropic, kBatchOpenAi, kBatchAnthropic, kHuman };

/// How several answers to one question become one grade.
enum class VoteRule : std::uint8_t { kMajority };

/// What a server calls the limit on a reply's tokens.
enum class TokenLimitName : std::uint8_t { kMaxTokens, kMaxCompletionTokens };

/// True for kinds that send their requests as batch jobs.
constexpr bool is_batch(JudgeKind kind) {
  return kind == JudgeKind::kBatchOpenAi || kind == JudgeKind::kBatchAnthropic;
}
/// True for kinds that are a language model behind a server.
constexpr bool is_model(JudgeKind kind) {
  return kind != JudgeKind::kLexical && kind != JudgeKind::kHuman;
}
/// The same provider without batch jobs.
constexpr JudgeKind online(JudgeKind kind) {
  if (kind == JudgeKind::kBatchOpenAi) return JudgeKind::kOpenAi;
  return kind == JudgeKind::kBatchAnthropic ? JudgeKind::kAnthropic : kind;
}

/// A judge: who it is, what it is asked, how fast, and what it may cost.
struct JudgeOptions {
  JudgeKind kind = JudgeKind::kLexical;
  double threshold = 0.5;
  std::string gold;

  std::string name;
  std::vector<std::string> base_url, endpoints;
  std::string model;
  std::string key_env;
  std::string key_file;
  std::string key_header;
  std::vector<std::string> headers;
  std::string query;
  std::string prompt = "evidence-binary";
  std::int64_t examples = 0;
  std::int64_t evidence_grade = 1;
  double temperature = 0;
  std::int64_t max_tokens = 256;
  TokenLimitName max_tokens_name = TokenLimitName::kMaxTokens;
  std::int64_t seed = -1;
  bool logprobs = true;
  llm_client::providers::Structure structure = llm_client::providers::Structure::kJsonSchema;
  std::string extra_body;
  std::int64_t samples = 1;

  VoteRule vote = VoteRule::kMajority;
  TieRule tie = TieRule::kLowest;
  bool cascade = false;
  double band_low = 0.2;
  double band_high = 0.8;

  bool probe = true;
  llm_client::WarmUp warm_up = llm_client::WarmUp::kAuto;
  std::int64_t in_flight = 64;
  std::int64_t requests_per_minute = 0;
  std::int64_t tokens_per_minute = 0;
  std::int64_t tasks = 4;
  std::int64_t max_attempts = 8;
  std::int64_t timeout_s = 300;
  std::int64_t patience_s = 900;
  std::string proxy;
  std::string ca_file;

  double price_prompt = 0;
  double price_cached = -1;
  double price_cache_write = -1;
  double price_reply = 0;
  double price_batch_factor = 0.5;

  double max_cost = 0;
  std::int64_t max_calls = 0;
  std::int64_t max_total_tokens = 0;
  std::int64_t max_ungraded = 50;

  bool batch_submit = true;
  std::int64_t batch_requests = 50'000;
  std::int64_t batch_bytes = 190'000'000;
  std::int64_t batch_poll_s = 60;

  static std::vector<Option<JudgeOptions>> options();
};

/// The judges of a run where there are several: each `[[judges]]` table gives what differs from `[judge]`.
struct PanelOptions {
  std::vector<Overrides<JudgeOptions>> judges;

  static std::vector<Option<PanelOptions>> options();
  /// Of the judges one by one and together, and of the model that words queries.
  static std::vector<std::string> problems(const Settings& settings);
};

}  // namespace pipeline::judging::stage

template <>
struct Choices<pipeline::judging::stage::JudgeKind> {
  static constexpr Choice<pipeline::judging::stage::JudgeKind> table[] = {
      {"lexical", pipeline::judging::stage::JudgeKind::kLexical},
      {"openai", pipeline::judging::stage::JudgeKind::kOpenAi},
      {"anthropic", pipeline::judging::stage::JudgeKind::kAnthropic},
      {"batch-openai", pipeline::judging::stage::JudgeKind::kBatchOpenAi},
      {"batch-anthropic", pipeline::judging::stage::JudgeKind::kBatchAnthropic},
      {"human", pipeline::judging::stage::JudgeKind::kHuman}};
};
template <>
struct Choices<pipeline::judging::stage::VoteRule> {
  static constexpr Choice<pipeline::judging::stage::VoteRule> table[] = {
      {"majority", pipeline::judging::stage::VoteRule::kMajority}};
};
template <>
struct Choices<pipeline::judging::stage::TokenLimitName> {
  static constexpr Choice<pipeline::judging::stage::TokenLimitName> table[] = {
      {"max_tokens", pipeline::judging::stage::TokenLimitName::kMaxTokens},
      {"max_completion_tokens", pipeline::judging::stage::TokenLimitName::kMaxCompletionTokens}};
};
template <>
struct Choices<llm_client::WarmUp> {
  static constexpr Choice<llm_client::WarmUp> table[] = {{"auto", llm_client::WarmUp::kAuto},
                                                         {"always", llm_client::WarmUp::kAlways},
                                                         {"never", llm_client::WarmUp::kNever}};
};
template <>
struct Choices<llm_client::providers::Structure> {
  static constexpr Choice<llm_client::providers::Structure> table[] = {
      {"json_schema", llm_client::providers::Structure::kJsonSchema},
      {"vllm", llm_client::providers::Structure::kVllm},
      {"none", llm_client::providers::Structure::kNone}};
};
}  // namespace touchstone
