#pragma once

#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/gold_examples.hpp"
#include "pipeline/judging/stage/judge_options.hpp"
#include "pipeline/passages/passage_corpus.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging::stage {

/// Where the texts of examples are.
struct ExampleSources {
  const storage::Store& store;
  const corpus::TextOptions& text;
  std::function<passages::PassageCorpus()> passages;  ///< opens them, where there are examples
  std::filesystem::path groups, candidates;
};

/// The examples that the panel's judges are shown, of the one that is shown most; nothing, and nothing is read, where
/// judge.examples is 0. Throws ConfigError when no label is about a candidate, and as GoldLabels::read.
std::vector<GoldExample> panel_examples(const JudgeOptions& common, const PanelOptions& panel,
                                        const ExampleSources& sources);

/// The same of a work directory that is looked at.
std::vector<GoldExample> panel_examples(const flow::WorkView& work);

/// What a judge with `count` examples of each grade is shown of them.
std::vector<llm_client::prompts::PromptExample> prompt_examples(const std::vector<GoldExample>& examples,
                                                                std::int64_t count);

/// The pairs of examples, which no longer measure a judge.
std::set<GoldKey> pairs_of(const std::vector<GoldExample>& examples);

/// What the questions depend on because of examples, as text: numbers and the file's content. Empty without examples.
std::string examples_fingerprint(const JudgeOptions& common, const PanelOptions& panel);

}  // namespace touchstone::pipeline::judging::stage
