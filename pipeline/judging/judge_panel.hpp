#pragma once

#include "llm_client/budget.hpp"
#include "llm_client/llm_judge.hpp"
#include "llm_client/transport.hpp"
#include "llm_client/vote.hpp"
#include "pipeline/config.hpp"

#include <memory>
#include <string>
#include <vector>

namespace touchstone::pipeline {

/// One judge of a run.
struct Panelist {
  JudgeConfig config;
  std::unique_ptr<llm_client::LlmJudge> llm;  ///< null: the lexical judge

  bool is_batch() const { return config.kind.starts_with("batch-"); }
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

/// The settings of each judge: `[judge]` alone, or one for each `[[judges]]` table over it. Throws ConfigError.
std::vector<JudgeConfig> judge_configs(const Config& config);

/// Throws ConfigError for a prompt that cannot be read.
JudgePanel make_panel(const Config& config);
/// The model of the first judge that is one, with the prompt of phrase.prompt; the panel then has this one judge.
Panelist make_phraser(const Config& config);

/// What the panel's answers depend on, as text: models, parameters, prompts, vote. Neither addresses nor prices, nor
/// whether requests travel in batches.
std::string panel_fingerprint(const Config& config);

/// Problems that no single option shows; each is a sentence.
std::vector<std::string> panel_problems(const Config& config);

/// The servers of a judge with their secret headers. Throws ConfigError when the key is not where the config says; no
/// message holds any of it.
std::vector<llm_client::Endpoint> endpoints_of(const JudgeConfig& config);
llm_client::TransportOptions transport_options(const JudgeConfig& config);

}  // namespace touchstone::pipeline
