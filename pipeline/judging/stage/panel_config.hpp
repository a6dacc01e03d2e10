#pragma once

#include "llm_client/served_model.hpp"
#include "pipeline/config.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/stage.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::judging::stage {

/// The options of each judge: `[judge]` alone, or one for each `[[judges]]` table over it. Judges that are asked at the
/// same time and have an address in common share its caps. Throws ConfigError.
std::vector<JudgeConfig> judge_configs(const Config& config);

/// The model and server that options describe. `batch_folder` is where the files of batch jobs go, of all judges.
/// Throws ConfigError for a prompt that cannot be read.
llm_client::ServedModel served_model(const JudgeConfig& judge, const std::string& prompt,
                                     const std::filesystem::path& batch_folder = {});
/// The model of the first judge that is one, with the prompt of phrase.prompt. Throws ConfigError where there is none.
llm_client::ServedModel phrasing_model(const Config& config);

/// Throws ConfigError for a prompt that cannot be read.
PanelDescription describe_panel(const Config& config);
JudgePanel make_panel(const Config& config, const model::JudgeServices& services, const WorkPaths& paths);

}  // namespace touchstone::pipeline::judging::stage
