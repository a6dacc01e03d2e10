#include "pipeline/judging/stage/panel_examples.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/passages/passage_corpus.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

std::int64_t most_examples(const JudgeOptions& common, const PanelOptions& panel) {
  std::int64_t most = 0;
  for (const auto& judge : judges_of(common, panel)) {
    if (is_model(judge.kind)) most = std::max(most, judge.examples);
  }
  return most;
}

}  // namespace

std::vector<GoldExample> panel_examples(const JudgeOptions& common, const PanelOptions& panel,
                                        const ExampleSources& sources) {
  const auto count = most_examples(common, panel);
  if (count == 0) return {};
  const auto gold = GoldLabels::read(common.gold);
  const corpus::TitleIndex titles(sources.store, sources.text);
  auto examples = choose_examples(gold, static_cast<std::size_t>(count),
                                  CandidateReader(sources.groups, sources.candidates), titles, sources.passages());
  if (examples.empty())
    throw ConfigError("judge.examples: none of the labels in " + common.gold +
                      " is about a candidate of this build; label some of its pairs, or set judge.examples to 0");
  return examples;
}

std::vector<GoldExample> panel_examples(const flow::WorkView& work) {
  const auto& common = work.settings.get<JudgeOptions>();
  const auto& panel = work.settings.get<PanelOptions>();
  if (most_examples(common, panel) == 0) return {};
  const auto file = [&](std::string_view name) { return flow::checked_file(work.store, work.paths, name); };
  return panel_examples(
      common, panel,
      {work.store, work.settings.get<corpus::TextOptions>(),
       [&] { return passages::checked_passages(work.store, work.paths, work.settings.get<corpus::NameOptions>()); },
       file(kGroupsFile), file(kCandidatesFile)});
}

std::vector<llm_client::prompts::PromptExample> prompt_examples(const std::vector<GoldExample>& examples,
                                                                std::int64_t count) {
  std::vector<llm_client::prompts::PromptExample> shown;
  std::array<std::int64_t, 2> of_grade{};
  for (const auto& example : examples) {
    if (++of_grade[example.label.grade > 0 ? 1 : 0] <= count)
      shown.push_back({model::values_of(example.request), example.label.grade > 0, example.label.why});
  }
  return shown;
}

std::set<GoldKey> pairs_of(const std::vector<GoldExample>& examples) {
  std::set<GoldKey> pairs;
  for (const auto& example : examples) pairs.insert(example.pair);
  return pairs;
}

std::string examples_fingerprint(const JudgeOptions& common, const PanelOptions& panel) {
  std::string text;
  for (const auto& judge : judges_of(common, panel)) {
    if (is_model(judge.kind) && judge.examples > 0) text += fmt::format("; {} examples", judge.examples);
  }
  if (text.empty()) return text;
  return text + " of " + (std::filesystem::exists(common.gold) ? sha256_file(common.gold) : "a missing file");
}

}  // namespace touchstone::pipeline::judging::stage
