#include "pipeline/judging/stage/panel_problems.hpp"

#include "common/error.hpp"
#include "common/secrets.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/judging/stage/panel_config.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>

namespace touchstone::pipeline::judging::stage {
namespace {

using llm_client::prompts::highest_grade;
using llm_client::prompts::is_query;

bool is_variable_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

/// True for the name of an HTTP header (RFC 9110, section 5.6.2).
bool is_header_name(std::string_view name) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kSigns.find(c) != std::string_view::npos;
  });
}

/// What is added to each request.
void check_additions(const JudgeOptions& judge, std::vector<std::string>& problems) {
  constexpr std::string_view kGiveKey = "; give the key by judge.key_env or judge.key_file, with judge.key_header";
  for (const auto& line : judge.headers) {
    const auto name = line.substr(0, line.find(':'));
    const bool control = std::any_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
    if (name.size() == line.size() || control || !is_header_name(name)) {
      problems.emplace_back("judge.headers: write each as \"Name: value\" on one line");
    } else if (names_secret(name)) {
      problems.push_back("judge.headers: \"" + name +
                         "\" usually holds a secret, and configurations are copied into "
                         "manifests" +
                         std::string(kGiveKey));
    }
  }
  if (!judge.key_header.empty() && !is_header_name(judge.key_header))
    problems.emplace_back("judge.key_header must be the name of a header, such as api-key, never the key itself");
  if (names_secret(judge.query)) problems.push_back("judge.query seems to hold a secret" + std::string(kGiveKey));
  if (std::any_of(judge.query.begin(), judge.query.end(),
                  [](unsigned char c) { return c <= 0x20 || c >= 0x7F || c == '#' || c == '?'; }))
    problems.emplace_back("judge.query must be NAME=VALUE, several joined by &, with other bytes written as %XX");
}

/// Options that do not go together, of one judge.
void check_judge(const JudgeOptions& judge, std::vector<std::string>& problems) {
  if (!is_model(judge.kind)) return;
  if (judge.model.empty()) problems.emplace_back("judge.model is empty: name the model as the server knows it");
  if (judge.base_url.empty()) {
    problems.emplace_back("judge.base_url is empty: name the server, such as http://127.0.0.1:8080/v1");
  }
  const auto check_addresses = [&](const std::vector<std::string>& entries, const std::string& what) {
    for (const auto& entry : entries) {
      const auto [address, weight] = llm_client::server_address(entry);
      if (auto problem = llm_client::address_problem(what, address); !problem.empty())
        problems.push_back(std::move(problem));
      if (!(weight > 0 && weight <= 1e6))
        problems.push_back(what + ": write each as \"URL\" or \"URL WEIGHT\", with a weight above 0");
    }
  };
  check_addresses(judge.base_url, judge.base_url.size() == 1 ? "judge.base_url" : "an address of judge.base_url");
  check_addresses(judge.endpoints, "an address of judge.endpoints");
  if (judge.proxy.find('@') != std::string::npos)
    problems.emplace_back(
        "judge.proxy holds a user name or password; leave it empty and give the whole address in the environment "
        "variable https_proxy (http_proxy for http:// servers)");
  if (!judge.key_env.empty() && !is_variable_name(judge.key_env))
    problems.emplace_back(
        "judge.key_env must be the name of an environment variable (letters, digits, _), never the key itself");
  if (!judge.key_env.empty() && !judge.key_file.empty())
    problems.emplace_back("judge.key_env and judge.key_file are both set; keep one");
  check_additions(judge, problems);
  if (judge.samples > 1 && judge.temperature <= 0 && judge.temperature >= 0)
    problems.emplace_back(
        "judge.samples is above 1 and judge.temperature 0: all samples would be alike; raise the temperature");
  if (judge.batch_submit && is_batch(judge.kind) && judge.base_url.size() + judge.endpoints.size() > 1)
    problems.emplace_back("several servers cannot be used with batch jobs: a job belongs to one server");
}

/// What must differ between judges, and the prompt of each.
class JudgeComparison {
 public:
  void add(const JudgeOptions& judge, std::vector<std::string>& problems) {
    if (!is_model(judge.kind)) {
      const std::string name(choice_text(judge.kind));
      if (!names_.insert(name).second) problems.push_back("[[judges]] holds the " + name + " judge twice; keep one");
      return;
    }
    try {
      const auto model = served_model(judge, judge.prompt).model;
      if (is_query(model.prompt().answer()))
        problems.emplace_back("judge.prompt \"" + judge.prompt +
                              "\" asks for a query; the judge needs one that asks for a judgment");
      if (highest_grade(model.prompt().answer()) > 1) has_grades_ = true;
      if (!questions_.insert(model.fingerprint()).second)
        problems.emplace_back("two of [[judges]] ask model \"" + judge.model +
                              "\" the same, and so would share their replies; give one another seed, prompt or model");
    } catch (const Error& error) {
      problems.emplace_back(error.what());
      has_grades_ = true;  // for all that is known
    }
    if (!names_.insert(judge.name.empty() ? judge.model : judge.name).second)
      problems.emplace_back("two of [[judges]] have the same name; tell them apart by name = \"...\"");
  }

  /// False when no judge gives grades from which the lowest of evidence could be chosen.
  bool may_have_grades() const noexcept { return has_grades_; }

 private:
  std::set<std::string> names_, questions_;
  bool has_grades_ = false;
};

/// Options of the run and its panel.
void check_panel(const JudgeOptions& common, const std::vector<JudgeOptions>& judges,
                 std::vector<std::string>& problems) {
  const bool unpriced = std::any_of(judges.begin(), judges.end(), [](const JudgeOptions& judge) {
    return is_model(judge.kind) && judge.price_prompt <= 0 && judge.price_reply <= 0;
  });
  if (common.max_cost > 0 && unpriced)
    problems.emplace_back(
        "judge.max_cost (--max-cost) is set, but not what a judge costs: give judge.price_prompt and "
        "judge.price_reply");
  if (common.cascade && judges.size() < 2)
    problems.emplace_back("judge.cascade needs at least two [[judges]]: a cheap one first, then the strong ones");
  const bool shown =
      std::any_of(judges.begin(), judges.end(), [](const JudgeOptions& judge) { return judge.examples > 0; });
  if (shown && common.gold.empty())
    problems.emplace_back("judge.examples is set, but not where labels of people are: give judge.gold (--gold FILE)");
  if (common.band_low > common.band_high) problems.emplace_back("judge.band_low is above judge.band_high");
}

void check_phrasing(const evidence::PhraseOptions& phrase, const JudgeOptions& common, const PanelOptions& panel,
                    std::vector<std::string>& problems) {
  if (!model_words_queries(phrase, common, panel)) return;
  try {
    if (!is_query(phrasing_model(common, panel, phrase.prompt).model.prompt().answer()))
      problems.emplace_back("phrase.prompt \"" + phrase.prompt +
                            "\" does not ask for a query (answer = \"query\" or \"line\")");
  } catch (const Error& error) {
    problems.emplace_back(error.what());
  }
}

}  // namespace

std::vector<std::string> panel_problems(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& common = settings.get<JudgeOptions>();
  const auto& panel = settings.get<PanelOptions>();
  if (!common.gold.empty() && !std::filesystem::exists(common.gold))
    problems.push_back(common.gold + ": no such file; name it from the folder the command runs in");
  const auto judges = judges_of(common, panel);
  JudgeComparison comparison;
  for (const auto& judge : judges) {
    check_judge(judge, problems);
    comparison.add(judge, problems);
  }
  if (common.evidence_grade > 1 && !comparison.may_have_grades())
    problems.push_back("judge.evidence_grade is " + std::to_string(common.evidence_grade) +
                       ", but no judge gives grades above 1; choose a prompt with grades, such as evidence-graded, or "
                       "leave the option out");
  check_panel(common, judges, problems);
  check_phrasing(settings.get<evidence::PhraseOptions>(), common, panel, problems);
  return problems;
}

}  // namespace touchstone::pipeline::judging::stage
