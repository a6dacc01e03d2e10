#pragma once

#include "llm_client/served_model.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/judging/gold_examples.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/judge_options.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging::stage {

/// The options of each judge: `[judge]` alone, or one for each `[[judges]]` table over it. Judges that are asked at the
/// same time and have an address in common share its caps.
std::vector<JudgeOptions> judges_of(const JudgeOptions& common, const PanelOptions& panel);

/// The model and server that options describe. Throws ConfigError for a prompt that cannot be read.
/// \param batch_folder  where the files of batch jobs go, of all judges
/// \param examples      that the prompt shows
llm_client::ServedModel served_model(const JudgeOptions& judge, const std::string& prompt,
                                     const std::filesystem::path& batch_folder = {},
                                     const std::vector<llm_client::prompts::PromptExample>& examples = {});
/// Whether a judge's model words the queries: where it is asked to, and by default where the first judge is a model
/// that answers at once.
bool model_words_queries(const evidence::PhraseOptions& phrase, const JudgeOptions& common, const PanelOptions& panel);
/// The model of the first judge that is one, with a prompt that asks for queries. Throws ConfigError when no judge is a
/// model.
llm_client::ServedModel phrasing_model(const JudgeOptions& common, const PanelOptions& panel,
                                       const std::string& prompt);

/// Throws ConfigError for a prompt that cannot be read.
PanelDescription describe_panel(const JudgeOptions& common, const PanelOptions& panel);

/// How many tasks can ask the judges beside each other, where `wanted` may: none with judges that ask nobody, answer in
/// batches, or whose prompts do not name the page, so that topics may have questions in common. Throws as
/// describe_panel.
std::uint32_t tasks_of_panel(const JudgeOptions& common, const PanelOptions& panel, std::uint32_t wanted);

/// What judges are made with besides their options.
struct PanelContext {
  model::JudgeServices services;
  std::vector<std::string> list_prefixes;  ///< groups.list_prefixes
  std::filesystem::path batch_folder;
  std::filesystem::path people_folder = {};  ///< where people judge
  std::vector<GoldExample> examples = {};    ///< of the judge that is shown most; see panel_examples
  std::uint32_t processes = 1;               ///< that ask at the same time, and share the caps on requests
  bool keeps_little = false;                 ///< in its queue: a crash loses the budget set aside for it
};
/// Throws as describe_panel.
JudgePanel make_panel(const JudgeOptions& common, const PanelOptions& panel, const PanelContext& context);

}  // namespace touchstone::pipeline::judging::stage
