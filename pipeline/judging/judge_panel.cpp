#include "pipeline/judging/judge_panel.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/evidence/phrase_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::ChatParameters;
using llm_client::LlmJudge;
using llm_client::PromptTemplate;
using llm_client::Protocol;

constexpr std::uint64_t kMaxKeyBytes = 8192;
constexpr std::string_view kAnthropicVersion = "2023-06-01";

bool is_anthropic(const JudgeOptions& options) {
  return online(options.kind) == JudgeKind::kAnthropic;
}

std::unique_ptr<LlmJudge> make_llm(const JudgeOptions& options, const std::string& prompt) {
  ChatParameters parameters;
  parameters.model = options.model;
  parameters.temperature = options.temperature;
  parameters.max_reply_tokens = static_cast<std::uint64_t>(options.max_tokens);
  parameters.completion_tokens_name = options.max_tokens_name == TokenLimitName::kMaxCompletionTokens;
  parameters.seed = options.seed;
  parameters.logprobs = options.logprobs && !is_anthropic(options);
  parameters.structure = options.structure;
  return std::make_unique<LlmJudge>(is_anthropic(options) ? Protocol::kAnthropic : Protocol::kOpenAi,
                                    std::move(parameters), PromptTemplate::load(prompt), options.name);
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
std::string read_key(const JudgeOptions& options) {
  std::string key, source;
  if (!options.key_env.empty()) {
    source = "environment variable " + options.key_env + " (judge.key_env)";
    const char* value = std::getenv(options.key_env.c_str());
    if (value != nullptr) key = value;
  } else if (!options.key_file.empty()) {
    source = "key file " + options.key_file + " (judge.key_file)";
    key = read_file(options.key_file, kMaxKeyBytes);
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

void check_judge(const JudgeOptions& judge, std::vector<std::string>& problems) {
  if (judge.kind == JudgeKind::kLexical) return;
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
  if (judge.batch_submit && is_batch(judge.kind) && !judge.endpoints.empty())
    problems.emplace_back("judge.endpoints cannot be used with batch jobs: a job belongs to one server");
}

}  // namespace

llm_client::Prices Panelist::prices() const {
  return {options.price_prompt, options.price_cached, options.price_cache_write, options.price_reply,
          is_batch() ? options.price_batch_factor : 1.0};
}

std::vector<JudgeOptions> judges_of(const JudgeOptions& judge, const PanelOptions& panel) {
  if (panel.judges.empty()) return {judge};
  std::vector<JudgeOptions> all;
  for (const auto& table : panel.judges) all.push_back(table.over(judge));
  return all;
}

namespace {

/// Judges that are asked at the same time and have an address in common share its caps: each gets an equal part, so
/// that together they stay below. In a cascade the first judge is asked before the others.
void share_caps(JudgePanel& panel) {
  const auto first = panel.judges.begin() + (panel.cascade && !panel.judges.empty() ? 1 : 0);
  std::map<std::string, std::int64_t> sharers;
  for (auto judge = first; judge != panel.judges.end(); ++judge) {
    if (judge->llm) ++sharers[without_slash(judge->options.base_url)];
  }
  for (auto judge = first; judge != panel.judges.end(); ++judge) {
    if (!judge->llm) continue;
    const auto parts = sharers[without_slash(judge->options.base_url)];
    for (auto* cap :
         {&judge->options.in_flight, &judge->options.requests_per_minute, &judge->options.tokens_per_minute}) {
      if (*cap > 0) *cap = std::max<std::int64_t>(1, *cap / parts);
    }
  }
}

}  // namespace

JudgePanel make_panel(const JudgeOptions& common, const PanelOptions& tables) {
  JudgePanel panel;
  for (auto& judge : judges_of(common, tables)) {
    Panelist panelist;
    if (judge.kind != JudgeKind::kLexical) panelist.llm = make_llm(judge, judge.prompt);
    panelist.options = std::move(judge);
    panel.judges.push_back(std::move(panelist));
  }
  panel.tie = common.tie;
  panel.cascade = common.cascade;
  panel.band_low = common.band_low;
  panel.band_high = common.band_high;
  share_caps(panel);
  return panel;
}

Panelist make_phraser(const JudgeOptions& common, const PanelOptions& panel, const std::string& prompt) {
  for (auto& judge : judges_of(common, panel)) {
    if (judge.kind == JudgeKind::kLexical) continue;
    judge.samples = 1;
    judge.kind = online(judge.kind);  // a few questions are not worth a job
    Panelist panelist;
    panelist.llm = make_llm(judge, prompt);
    panelist.options = std::move(judge);
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

std::string panel_fingerprint(const JudgeOptions& common, const PanelOptions& tables) {
  const auto panel = make_panel(common, tables);
  if (!panel.uses_llm() && panel.judges.size() == 1) return {};
  std::string text = panel.cascade ? fmt::format("cascade {:.6g} {:.6g}", panel.band_low, panel.band_high) : "vote";
  text += fmt::format("; tie {}", choice_text(panel.tie));
  for (const auto& judge : panel.judges) {
    text +=
        fmt::format("\n{}; {} samples; {}", judge.llm ? judge.llm->id() : "lexical", judge.options.samples,
                    judge.llm ? judge.llm->fingerprint() : fmt::format("threshold {:.10g}", judge.options.threshold));
  }
  return text;
}

std::vector<std::string> panel_problems(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& common = settings.get<JudgeOptions>();
  const auto& panel = settings.get<PanelOptions>();
  const auto& phrase = settings.get<evidence::PhraseOptions>();
  if (!common.gold.empty() && !std::filesystem::exists(common.gold))
    problems.push_back(common.gold + ": no such file; name it from the folder the command runs in");
  const auto judges = judges_of(common, panel);
  std::set<std::string> names, questions;
  for (const auto& judge : judges) {
    check_judge(judge, problems);
    if (judge.kind == JudgeKind::kLexical) {
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
  const bool unpriced = std::any_of(judges.begin(), judges.end(), [](const JudgeOptions& judge) {
    return judge.kind != JudgeKind::kLexical && judge.price_prompt <= 0 && judge.price_reply <= 0;
  });
  if (common.max_cost > 0 && unpriced)
    problems.emplace_back(
        "judge.max_cost (--max-cost) is set, but not what a judge costs: give judge.price_prompt and "
        "judge.price_reply");
  if (common.cascade && judges.size() < 2)
    problems.emplace_back("judge.cascade needs at least two [[judges]]: a cheap one first, then the strong ones");
  if (common.band_low > common.band_high) problems.emplace_back("judge.band_low is above judge.band_high");
  if (phrase.source == evidence::QuerySource::kJudge) {
    try {
      if (make_phraser(common, panel, phrase.prompt).llm->prompt().answer() != llm_client::AnswerKind::kQuery)
        problems.emplace_back("phrase.prompt \"" + phrase.prompt + "\" does not ask for a query (answer = \"query\")");
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  }
  return problems;
}

std::vector<llm_client::Endpoint> endpoints_of(const JudgeOptions& options) {
  std::vector<std::string> headers;
  const std::string key = read_key(options);
  if (is_anthropic(options)) {
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
  add(options.base_url);
  for (const auto& entry : options.endpoints) add(entry);
  return endpoints;
}

llm_client::TransportOptions transport_options(const JudgeOptions& judge) {
  llm_client::TransportOptions options;
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

}  // namespace touchstone::pipeline::judging
