#pragma once

#include "pipeline/evidence/query_writer.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/judge_questions.hpp"

#include <map>
#include <string>

namespace touchstone::pipeline::judging::stage {

/// Queries by the judge's model, asked through the same transport and log as judgments.
evidence::ModelQueries model_queries();

/// What the queries of the topics depend on besides the groups, as text.
std::string queries_fingerprint(const Settings& settings);

/// The topics' queries as the phrase stage words them, for judges whose prompts hold them. The phrase stage may run
/// later: the template is computed here too, and the model is asked now and found in the log then. Throws Interrupted
/// when the run must stop.
/// \param context  of a stage that reads JudgeOptions, PanelOptions and PhraseOptions
TopicQueries worded_queries(flow::WriteContext& context, const std::map<std::string, evidence::Group>& groups);

/// Whether a model is asked for them.
bool asks_for_queries(const Settings& settings);

/// Likewise without asking: the template's words where the model's are not in the log yet.
TopicQueries known_queries(const flow::WorkView& view, const std::map<std::string, evidence::Group>& groups);

}  // namespace touchstone::pipeline::judging::stage
