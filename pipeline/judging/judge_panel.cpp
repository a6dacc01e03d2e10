#include "pipeline/judging/judge_panel.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::pipeline {
namespace {

using llm_client::ChatParameters;
using llm_client::LlmJudge;
using llm_client::PromptTemplate;
using llm_client::Protocol;
using llm_client::Structure;

constexpr std::uint64_t kMaxKeyBytes = 8192;
constexpr std::string_view kAnthropicVersion = "2023-06-01";

bool is_anthropic(const JudgeConfig& config) {
  return config.kind.ends_with("anthropic");
}

std::unique_ptr<LlmJudge> make_llm(const JudgeConfig& config, const std::string& prompt) {
  ChatParameters parameters;
  parameters.model = config.model;
  parameters.temperature = config.temperature;
  parameters.max_reply_tokens = static_cast<std::uint64_t>(config.max_tokens);
  parameters.completion_tokens_name = config.max_tokens_name == "max_completion_tokens";
  parameters.seed = config.seed;
  parameters.logprobs = config.logprobs && !is_anthropic(config);
  parameters.structure = config.structure == "json_schema" ? Structure::kJsonSchema
                         : config.structure == "vllm"      ? Structure::kVllm
                                                           : Structure::kNone;
  return std::make_unique<LlmJudge>(is_anthropic(config) ? Protocol::kAnthropic : Protocol::kOpenAi,
                                    std::move(parameters), PromptTemplate::load(prompt), config.name);
}

/// The weight behind an address, and the address alone.
std::pair<std::string, double> address_and_weight(const std::string& entry) {
  const auto blank = entry.find_last_of(' ');
  if (blank == std::string::npos) return {entry, 1};
  double weight = 0;
  const char* end = entry.data() + entry.size();
  const auto [stop, error] = std::from_chars(entry.data() + blank + 1, end, weight);
  return {entry.substr(0, entry.find_last_not_of(' ', blank) + 1), error == std::errc() && stop == end ? weight : 0};
}

std::string without_slash(std::string address) {
  while (address.ends_with('/')) address.pop_back();
  return address;
}

/// What is wrong with an address; never repeats the part that may be a secret.
std::string address_problem(std::string_view key, const std::string& address) {
  const auto scheme = address.find("://");
  const bool known = address.starts_with("http://") || address.starts_with("https://");
  if (!known || address.size() <= scheme + 3)
    return fmt::format("{} must start with http:// or https:// and a host", key);
  const std::string rest = address.substr(scheme + 3);
  if (rest.substr(0, rest.find('/')).find('@') != std::string::npos || rest.find_first_of("?#") != std::string::npos)
    return fmt::format(
        "{} holds a user name, password, query or fragment; give the address alone, and the key by judge.key_env or "
        "judge.key_file",
        key);
  return {};
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

/// The key, or nothing where the config names none.
std::string read_key(const JudgeConfig& config) {
  std::string key, source;
  if (!config.key_env.empty()) {
    source = "environment variable " + config.key_env + " (judge.key_env)";
    const char* value = std::getenv(config.key_env.c_str());
    if (value != nullptr) key = value;
  } else if (!config.key_file.empty()) {
    source = "key file " + config.key_file + " (judge.key_file)";
    key = read_file(config.key_file, kMaxKeyBytes);
  } else {
    return {};
  }
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r' || key.back() == ' ')) key.pop_back();
  if (key.empty())
    throw ConfigError(source + " holds no key; set it, or leave the option empty for a server without keys");
  if (std::any_of(key.begin(), key.end(), [](unsigned char c) { return c <= 0x20 || c >= 0x7F; }))
    throw ConfigError(source + " holds something that no key can hold (a blank, a line end or a control character)");
  return key;
}

void check_judge(const JudgeConfig& judge, std::vector<std::string>& problems) {
  if (judge.kind == "lexical") return;
  if (judge.model.empty()) problems.emplace_back("judge.model is empty: name the model as the server knows it");
  if (judge.base_url.empty()) {
    problems.emplace_back("judge.base_url is empty: name the server, such as http://127.0.0.1:8080/v1");
  } else if (auto problem = address_problem("judge.base_url", judge.base_url); !problem.empty()) {
    problems.push_back(std::move(problem));
  }
  for (const auto& entry : judge.endpoints) {
    const auto [address, weight] = address_and_weight(entry);
    if (auto problem = address_problem("an address of judge.endpoints", address); !problem.empty())
      problems.push_back(std::move(problem));
    if (!(weight > 0 && weight <= 1e6))
      problems.emplace_back("judge.endpoints: write each as \"URL\" or \"URL WEIGHT\", with a weight above 0");
  }
  if (judge.proxy.find('@') != std::string::npos)
    problems.emplace_back(
        "judge.proxy holds a user name or password; leave it empty and give the whole address in the environment "
        "variable https_proxy (http_proxy for http:// servers)");
  if (!judge.key_env.empty() && !is_variable_name(judge.key_env))
    problems.emplace_back(
        "judge.key_env must be the name of an environment variable (letters, digits, _), never the key itself");
  if (!judge.key_env.empty() && !judge.key_file.empty())
    problems.emplace_back("judge.key_env and judge.key_file are both set; keep one");
  if (judge.samples > 1 && judge.temperature <= 0 && judge.temperature >= 0)
    problems.emplace_back(
        "judge.samples is above 1 and judge.temperature 0: all samples would be alike; raise the temperature");
  if (judge.batch_submit && judge.kind.starts_with("batch-") && !judge.endpoints.empty())
    problems.emplace_back("judge.endpoints cannot be used with batch jobs: a job belongs to one server");
}

}  // namespace

llm_client::Prices Panelist::prices() const {
  return {config.price_prompt, config.price_cached, config.price_cache_write, config.price_reply,
          is_batch() ? config.price_batch_factor : 1.0};
}

std::vector<JudgeConfig> judge_configs(const Config& config) {
  if (config.judges.empty()) return {config.judge};
  std::vector<JudgeConfig> all;
  for (const auto& table : config.judges)
    all.push_back(read_judge_table(config.judge, table, "judge " + std::to_string(all.size() + 1) + " of [[judges]]"));
  return all;
}

namespace {

/// Judges that are asked at the same time and have an address in common share its caps: each gets an equal part, so
/// that together they stay below. In a cascade the first judge is asked before the others.
void share_caps(JudgePanel& panel) {
  const auto first = panel.judges.begin() + (panel.cascade && !panel.judges.empty() ? 1 : 0);
  std::map<std::string, std::int64_t> sharers;
  for (auto judge = first; judge != panel.judges.end(); ++judge) {
    if (judge->llm) ++sharers[without_slash(judge->config.base_url)];
  }
  for (auto judge = first; judge != panel.judges.end(); ++judge) {
    if (!judge->llm) continue;
    const auto parts = sharers[without_slash(judge->config.base_url)];
    for (auto* cap : {&judge->config.in_flight, &judge->config.requests_per_minute, &judge->config.tokens_per_minute}) {
      if (*cap > 0) *cap = std::max<std::int64_t>(1, *cap / parts);
    }
  }
}

}  // namespace

JudgePanel make_panel(const Config& config) {
  JudgePanel panel;
  for (auto& judge : judge_configs(config)) {
    Panelist panelist;
    if (judge.kind != "lexical") panelist.llm = make_llm(judge, judge.prompt);
    panelist.config = std::move(judge);
    panel.judges.push_back(std::move(panelist));
  }
  panel.tie = config.judge.tie == "lowest"    ? llm_client::TieRule::kLowest
              : config.judge.tie == "highest" ? llm_client::TieRule::kHighest
                                              : llm_client::TieRule::kNone;
  panel.cascade = config.judge.cascade;
  panel.band_low = config.judge.band_low;
  panel.band_high = config.judge.band_high;
  share_caps(panel);
  return panel;
}

Panelist make_phraser(const Config& config) {
  for (auto& judge : judge_configs(config)) {
    if (judge.kind == "lexical") continue;
    judge.samples = 1;
    if (judge.kind.starts_with("batch-")) judge.kind.erase(0, 6);  // a few questions are not worth a job
    Panelist panelist;
    panelist.llm = make_llm(judge, config.phrase.prompt);
    panelist.config = std::move(judge);
    return panelist;
  }
  throw ConfigError(
      "phrase.source is \"judge\", but the judge is the lexical one, which cannot word queries; choose another "
      "judge.kind");
}

std::string JudgePanel::name() const {
  std::string names;
  for (const auto& judge : judges)
    names += (names.empty() ? "" : ", ") + (judge.llm ? judge.llm->id() : std::string("lexical"));
  if (judges.size() == 1) return names;
  return (cascade ? "cascade of " : "majority of ") + names;
}

bool JudgePanel::uses_llm() const {
  return std::any_of(judges.begin(), judges.end(), [](const Panelist& judge) { return judge.llm != nullptr; });
}

std::string panel_fingerprint(const Config& config) {
  const auto panel = make_panel(config);
  if (!panel.uses_llm() && panel.judges.size() == 1) return {};
  std::string text = panel.cascade ? fmt::format("cascade {:.6g} {:.6g}", panel.band_low, panel.band_high) : "vote";
  text += fmt::format("; tie {}", config.judge.tie);
  for (const auto& judge : panel.judges) {
    text +=
        fmt::format("\n{}; {} samples; {}", judge.llm ? judge.llm->id() : "lexical", judge.config.samples,
                    judge.llm ? judge.llm->fingerprint() : fmt::format("threshold {:.10g}", judge.config.threshold));
  }
  return text;
}

std::vector<std::string> panel_problems(const Config& config) {
  std::vector<std::string> problems;
  std::vector<JudgeConfig> judges;
  try {
    judges = judge_configs(config);
  } catch (const ConfigError& error) {
    return {error.what()};
  }
  std::set<std::string> names, questions;
  for (const auto& judge : judges) {
    check_judge(judge, problems);
    if (judge.kind == "lexical") {
      if (!names.insert("lexical").second) problems.emplace_back("[[judges]] holds the lexical judge twice; keep one");
      continue;
    }
    try {
      const auto llm = make_llm(judge, judge.prompt);
      if (llm->prompt().answer() == llm_client::AnswerKind::kQuery)
        problems.emplace_back("judge.prompt \"" + judge.prompt +
                              "\" asks for a query; the judge needs one that asks for a judgment");
      if (!questions.insert(llm->fingerprint()).second)
        problems.emplace_back("two of [[judges]] ask model \"" + judge.model +
                              "\" the same, and so would share their replies; give one another seed, prompt or model");
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
    if (!names.insert(judge.name.empty() ? judge.model : judge.name).second)
      problems.emplace_back("two of [[judges]] have the same name; tell them apart by name = \"...\"");
  }
  const bool unpriced = std::any_of(judges.begin(), judges.end(), [](const JudgeConfig& judge) {
    return judge.kind != "lexical" && judge.price_prompt <= 0 && judge.price_reply <= 0;
  });
  if (config.judge.max_cost > 0 && unpriced)
    problems.emplace_back(
        "judge.max_cost (--max-cost) is set, but not what a judge costs: give judge.price_prompt and "
        "judge.price_reply");
  if (config.judge.cascade && judges.size() < 2)
    problems.emplace_back("judge.cascade needs at least two [[judges]]: a cheap one first, then the strong ones");
  if (config.judge.band_low > config.judge.band_high) problems.emplace_back("judge.band_low is above judge.band_high");
  if (config.phrase.source == "judge") {
    try {
      if (make_phraser(config).llm->prompt().answer() != llm_client::AnswerKind::kQuery)
        problems.emplace_back("phrase.prompt \"" + config.phrase.prompt +
                              "\" does not ask for a query (answer = \"query\")");
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  }
  return problems;
}

std::vector<llm_client::Endpoint> endpoints_of(const JudgeConfig& config) {
  std::vector<std::string> headers;
  const std::string key = read_key(config);
  if (is_anthropic(config)) {
    headers.push_back("anthropic-version: " + std::string(kAnthropicVersion));
    if (!key.empty()) headers.push_back("x-api-key: " + key);
  } else if (!key.empty()) {
    headers.push_back("Authorization: Bearer " + key);
  }
  std::vector<llm_client::Endpoint> endpoints;
  const auto add = [&](const std::string& entry) {
    const auto [address, weight] = address_and_weight(entry);
    endpoints.push_back({{}, without_slash(address), weight, headers});
  };
  add(config.base_url);
  for (const auto& entry : config.endpoints) add(entry);
  return endpoints;
}

llm_client::TransportOptions transport_options(const JudgeConfig& config) {
  llm_client::TransportOptions options;
  options.in_flight = static_cast<std::size_t>(config.in_flight);
  options.requests_per_minute = static_cast<std::uint64_t>(config.requests_per_minute);
  options.tokens_per_minute = static_cast<std::uint64_t>(config.tokens_per_minute);
  options.reply_timeout = std::chrono::seconds(config.timeout_s);
  options.max_attempts = static_cast<int>(config.max_attempts);
  options.patience = std::chrono::seconds(config.patience_s);
  options.outage_patience = std::min<std::chrono::milliseconds>(options.outage_patience, options.patience);
  options.proxy = config.proxy;
  options.ca_file = config.ca_file;
  return options;
}

}  // namespace touchstone::pipeline
