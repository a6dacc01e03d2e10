#pragma once

#include "llm_client/budget.hpp"
#include "llm_client/llm_judge.hpp"
#include "llm_client/transport.hpp"
#include "llm_client/vote.hpp"
#include "pipeline/judging/judge_options.hpp"

#include <memory>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// One judge of a run.
struct Panelist {
  JudgeOptions options;
  std::unique_ptr<llm_client::LlmJudge> llm;  ///< null: the lexical judge

  bool is_batch() const { return judging::is_batch(options.kind); }
  llm_client::Prices prices() const;  ///< with the batch factor where it holds
};

/// All judges, and how their answers become one.
struct JudgePanel {
  std::vector<Panelist> judges;
  llm_client::TieRule tie = llm_client::TieRule::kLowest;
  bool cascade = false;  ///< the first judge alone decides outside of [band_low, band_high]
  double band_low = 0, band_high = 1;

  /// For collections and reports: the judge's name, or "majority of a, b", "cascade of a, b".
  std::string name() const;
  bool uses_llm() const;
};

/// The settings of each judge: `[judge]` alone, or one for each `[[judges]]` table over it.
std::vector<JudgeOptions> judges_of(const JudgeOptions& judge, const PanelOptions& panel);

/// Throws ConfigError for a prompt that cannot be read.
JudgePanel make_panel(const JudgeOptions& judge, const PanelOptions& panel);
/// The model of the first judge that is one, with a prompt that asks for queries. Throws ConfigError when no judge is a
/// model.
Panelist make_phraser(const JudgeOptions& judge, const PanelOptions& panel, const std::string& prompt);

/// What the panel's answers depend on, as text: models, parameters, prompts, vote. Neither addresses nor prices, nor
/// whether requests travel in batches.
std::string panel_fingerprint(const JudgeOptions& judge, const PanelOptions& panel);

/// Problems that no single option shows; each is a sentence.
std::vector<std::string> panel_problems(const Settings& settings);

/// The servers of a judge with their secret headers. Throws ConfigError when the key is not where the config says; no
/// message holds any of it.
std::vector<llm_client::Endpoint> endpoints_of(const JudgeOptions& options);
llm_client::TransportOptions transport_options(const JudgeOptions& options);

}  // namespace touchstone::pipeline::judging
