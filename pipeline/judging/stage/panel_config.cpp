#include "pipeline/judging/stage/panel_config.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "pipeline/judging/human/human_judge.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"
#include "pipeline/judging/stage/panel_examples.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

using llm_client::KeySource;
using llm_client::PromptedModel;
using llm_client::ServedModel;
using llm_client::ServerSettings;
using llm_client::prompts::PromptExample;
using llm_client::prompts::PromptTemplate;
using llm_client::providers::ChatParameters;
using llm_client::providers::Protocol;
using model::RequestRoute;

bool is_model(const JudgeOptions& judge) {
  return stage::is_model(judge.kind);
}

bool is_anthropic(const JudgeOptions& judge) {
  return online(judge.kind) == JudgeKind::kAnthropic;
}

RequestRoute route_of(const JudgeOptions& judge) {
  return is_batch(judge.kind) ? RequestRoute::kBatch : RequestRoute::kOnline;
}

PromptedModel prompted_model(const JudgeOptions& judge, const std::string& prompt,
                             const std::vector<PromptExample>& examples) {
  if (!judge.extra_body.empty()) {
    const auto problem = llm_client::providers::extra_body_problem(judge.extra_body);
    if (!problem.empty()) throw ConfigError("judge.extra_body " + problem);
  }
  ChatParameters parameters;
  parameters.model = judge.model;
  parameters.temperature = judge.temperature;
  parameters.max_reply_tokens = static_cast<std::uint64_t>(judge.max_tokens);
  parameters.completion_tokens_name = judge.max_tokens_name == TokenLimitName::kMaxCompletionTokens;
  parameters.seed = judge.seed;
  parameters.logprobs = judge.logprobs && !is_anthropic(judge);
  parameters.structure = judge.structure;
  parameters.extra_body = judge.extra_body;
  return {is_anthropic(judge) ? Protocol::kAnthropic : Protocol::kOpenAi, std::move(parameters),
          judge.examples > 0 && prompt == judge.prompt ? PromptTemplate::load(prompt).with_examples(examples)
                                                       : PromptTemplate::load(prompt),
          judge.name, static_cast<int>(judge.evidence_grade)};
}

KeySource key_source(const JudgeOptions& judge) {
  if (!judge.key_env.empty()) return {KeySource::Kind::kEnvironment, judge.key_env};
  if (!judge.key_file.empty()) return {KeySource::Kind::kFile, judge.key_file};
  return {};
}

/// A name for a folder that holds nothing but letters, digits, '-' and '_', and is another for each id.
std::string folder_name(const std::string& id) {
  std::string name = id;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  }
  return name + "-" + sha256_hex(id).substr(0, 8);
}

llm_client::transport::TransportOptions transport_options(const JudgeOptions& judge) {
  llm_client::transport::TransportOptions options;
  options.in_flight = static_cast<std::size_t>(judge.in_flight);
  options.requests_per_minute = static_cast<std::uint64_t>(judge.requests_per_minute);
  options.tokens_per_minute = static_cast<std::uint64_t>(judge.tokens_per_minute);
  options.reply_timeout = std::chrono::seconds(judge.timeout_s);
  options.max_attempts = static_cast<int>(judge.max_attempts);
  options.patience = std::chrono::seconds(judge.patience_s);
  options.outage_patience = std::min<std::chrono::milliseconds>(options.outage_patience, options.patience);
  options.proxy = judge.proxy;
  options.ca_file = judge.ca_file;
  return options;
}

ServerSettings server_settings(const JudgeOptions& judge) {
  ServerSettings server;
  for (const auto* entries : {&judge.base_url, &judge.endpoints})
    for (const auto& entry : *entries) server.servers.push_back(llm_client::server_address(entry));
  if (!judge.base_url.empty()) server.base_url = server.servers.front().url;
  server.key = key_source(judge);
  llm_client::keep_key_secret(server.key);
  server.key_header = judge.key_header;
  server.headers = judge.headers;
  server.query = judge.query;
  server.max_ungraded = static_cast<std::uint64_t>(judge.max_ungraded);
  server.prices = {judge.price_prompt, judge.price_cached, judge.price_cache_write, judge.price_reply,
                   route_of(judge) == RequestRoute::kBatch ? judge.price_batch_factor : 1.0};
  server.probe = judge.probe;
  server.warm_up = judge.warm_up;
  server.transport = transport_options(judge);
  server.batch.limits = {static_cast<std::uint64_t>(judge.batch_requests),
                         static_cast<std::uint64_t>(judge.batch_bytes)};
  server.batch.poll_interval = std::chrono::seconds(judge.batch_poll_s);
  server.batch.submit = judge.batch_submit;
  return server;
}

void divide_caps(JudgeOptions& judge, std::int64_t parts) {
  for (auto* cap : {&judge.in_flight, &judge.requests_per_minute, &judge.tokens_per_minute}) {
    if (*cap > 0) *cap = std::max<std::int64_t>(1, *cap / parts);
  }
}

/// Each judge that shares an address gets an equal part of its caps, so that together they stay below. In a cascade the
/// first judge is asked before the others.
void share_caps(std::vector<JudgeOptions>& judges, bool cascade) {
  const auto first = judges.begin() + (cascade && !judges.empty() ? 1 : 0);
  std::map<std::string, std::int64_t> sharers;
  const auto of_address = [&](const JudgeOptions& judge) -> std::int64_t& {
    return sharers[judge.base_url.empty() ? "" : llm_client::without_slash(judge.base_url.front())];
  };
  for (auto judge = first; judge != judges.end(); ++judge) {
    if (is_model(*judge)) ++of_address(*judge);
  }
  for (auto judge = first; judge != judges.end(); ++judge) {
    if (is_model(*judge)) divide_caps(*judge, of_address(*judge));
  }
}

/// True if questions about different pages are different, since the prompt names the page.
bool names_page(const JudgeOptions& judge) {
  using llm_client::prompts::PromptField;
  const auto prompt = PromptTemplate::load(judge.prompt);
  return prompt.uses(PromptField::kArticle) || prompt.uses(PromptField::kStructured);
}

JudgeDescription describe_lexical(const JudgeOptions& judge) {
  JudgeDescription description;
  description.id = lexical::LexicalScorer::kId;
  description.name = "lexical";
  description.is_baseline = description.answers_at_once = true;
  // It answers a question once. The number of samples is here all the same, since manifests of collections hold it.
  description.fingerprint = fmt::format("{} samples; threshold {:.10g}", judge.samples, judge.threshold);
  return description;
}

JudgeDescription describe(const JudgeOptions& judge) {
  const auto replies = static_cast<std::uint32_t>(judge.samples);
  if (judge.kind == JudgeKind::kLexical) return describe_lexical(judge);
  if (judge.kind == JudgeKind::kHuman) return human::HumanJudge::describe(replies);
  return model::ModelJudge::describe(served_model(judge, judge.prompt), replies);
}

PanelRules rules_of(const JudgeOptions& judge) {
  PanelRules rules;
  rules.tie = judge.tie;
  rules.cascade = judge.cascade;
  rules.band_low = judge.band_low;
  rules.band_high = judge.band_high;
  return rules;
}

}  // namespace

std::vector<JudgeOptions> judges_of(const JudgeOptions& common, const PanelOptions& panel) {
  if (panel.judges.empty()) return {common};
  std::vector<JudgeOptions> all;
  for (const auto& table : panel.judges) all.push_back(table.over(common));
  share_caps(all, common.cascade);
  return all;
}

ServedModel served_model(const JudgeOptions& judge, const std::string& prompt,
                         const std::filesystem::path& batch_folder, const std::vector<PromptExample>& examples) {
  ServedModel served{prompted_model(judge, prompt, examples), server_settings(judge)};
  served.server.batch.folder = batch_folder / folder_name(served.model.id());
  return served;
}

bool model_words_queries(const evidence::PhraseOptions& phrase, const JudgeOptions& common, const PanelOptions& panel) {
  if (phrase.source != evidence::QuerySource::kAuto) return phrase.source == evidence::QuerySource::kJudge;
  const auto first = judges_of(common, panel).front();
  return is_model(first) && !is_batch(first.kind);
}

ServedModel phrasing_model(const JudgeOptions& common, const PanelOptions& panel, const std::string& prompt) {
  for (auto& judge : judges_of(common, panel)) {
    if (!is_model(judge)) continue;
    judge.kind = online(judge.kind);  // a few questions are not worth a job
    return served_model(judge, prompt);
  }
  throw ConfigError(
      "phrase.source is \"judge\", but the judge is the lexical one, which cannot word queries; choose another "
      "judge.kind");
}

PanelDescription describe_panel(const JudgeOptions& common, const PanelOptions& panel) {
  PanelDescription description;
  description.rules = rules_of(common);
  for (const auto& judge : judges_of(common, panel)) description.judges.push_back(describe(judge));
  return description;
}

std::uint32_t tasks_of_panel(const JudgeOptions& common, const PanelOptions& panel, std::uint32_t wanted) {
  bool asks = false;
  for (const auto& judge : judges_of(common, panel)) {
    if (judge.kind == JudgeKind::kLexical) continue;
    if (judge.kind == JudgeKind::kHuman || is_batch(judge.kind) || !names_page(judge)) return 0;
    asks = true;
  }
  return asks && wanted > 1 ? wanted : 0;
}

JudgePanel make_panel(const JudgeOptions& common, const PanelOptions& panel, const PanelContext& context) {
  std::vector<std::unique_ptr<Judge>> judges;
  for (auto& judge : judges_of(common, panel)) {
    divide_caps(judge, context.processes);
    if (judge.kind == JudgeKind::kHuman) {
      judges.push_back(std::make_unique<human::HumanJudge>(
          context.people_folder, static_cast<std::uint32_t>(judge.samples), context.services.replies));
    } else if (judge.kind == JudgeKind::kLexical) {
      judges.push_back(
          std::make_unique<lexical::LexicalJudge>(lexical::LexicalSettings{judge.threshold, context.list_prefixes},
                                                  describe_lexical(judge), context.services.replies));
    } else {
      auto served =
          served_model(judge, judge.prompt, context.batch_folder, prompt_examples(context.examples, judge.examples));
      auto& transport = served.server.transport;
      if (context.keeps_little) transport.queue = std::min(transport.queue, transport.in_flight);
      judges.push_back(std::make_unique<model::ModelJudge>(std::move(served), static_cast<std::uint32_t>(judge.samples),
                                                           route_of(judge), context.services));
    }
  }
  return {std::move(judges), rules_of(common)};
}

}  // namespace touchstone::pipeline::judging::stage
