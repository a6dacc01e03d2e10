#include "pipeline/judging/judge_panel.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {

std::string PanelDescription::name() const {
  if (judges.size() == 1) return judges.front().id;
  std::string names;
  for (const auto& judge : judges) names += (names.empty() ? "" : ", ") + judge.name;
  return (rules.cascade ? "cascade of " : "majority of ") + names;
}

bool PanelDescription::is_baseline() const {
  return std::all_of(judges.begin(), judges.end(), [](const auto& judge) { return judge.is_baseline; });
}

bool PanelDescription::asks() const {
  return std::any_of(judges.begin(), judges.end(), [](const auto& judge) { return !judge.answers_at_once; });
}

bool PanelDescription::needs_queries() const {
  return std::any_of(judges.begin(), judges.end(), [](const auto& judge) { return judge.needs_queries; });
}

bool PanelDescription::mixed_scales() const {
  return std::any_of(judges.begin(), judges.end(), [&](const auto& judge) {
    return judge.highest_grade != judges.front().highest_grade || judge.evidence_grade != judges.front().evidence_grade;
  });
}

int PanelDescription::evidence_grade() const {
  return judges.empty() || mixed_scales() ? 1 : judges.front().evidence_grade;
}

std::string PanelDescription::fingerprint() const {
  if (!asks() && judges.size() == 1) return {};
  std::string text = rules.cascade ? fmt::format("cascade {:.6g} {:.6g}", rules.band_low, rules.band_high) : "vote";
  text += fmt::format("; tie {}", choice_text(rules.tie));
  for (const auto& judge : judges) text += fmt::format("\n{}; {}", judge.name, judge.fingerprint);
  return text;
}

JudgePanel::JudgePanel(std::vector<std::unique_ptr<Judge>> judges, PanelRules rules) : judges_(std::move(judges)) {
  for (const auto& judge : judges_) description_.judges.push_back(judge->description());
  description_.rules = rules;
  name_ = description_.name();
}

JudgePanel JudgePanel::without_instant_judges() && {
  auto rules = description_.rules;
  if (!judges_.empty() && judges_.front()->description().answers_at_once) rules.cascade = false;
  std::erase_if(judges_, [](const auto& judge) { return judge->description().answers_at_once; });
  return {std::move(judges_), rules};
}

}  // namespace touchstone::pipeline::judging
