#include "pipeline/judging/stage/model_queries.hpp"

#include "llm_client/online_requester.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/run_budget.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

using evidence::Group;
using evidence::PhraseOptions;
using evidence::QuerySource;
using evidence::TopicQuery;

constexpr std::size_t kShownMembers = 5, kShownDigits = 12;

llm_client::Question question_of(const llm_client::PromptedModel& by, const Group& group) {
  auto values = model::topic_values(group.page, group.section_path, group.column);
  auto& members = values[static_cast<std::size_t>(llm_client::prompts::PromptField::kMembers)];
  for (std::size_t i = 0; i < std::min(group.members.size(), kShownMembers); ++i)
    members += (i > 0 ? ", " : "") + group.members[i].title;
  return by.question(values, 0);
}

/// The model's words for a topic by the log; empty where it holds none.
std::string query_in_log(const llm_client::PromptedModel& by, const JudgmentLog& log, const Group& group) {
  const auto reply = log.find(question_of(by, group).digest);
  return reply ? by.read_query(static_cast<int>(reply->status), reply->reply) : std::string();
}

class ModelQueryWriter : public evidence::QueryWriter {
 public:
  ModelQueryWriter(flow::StageContext& context, ProgressCounters& progress)
      : served_(phrasing_model(context.options<JudgeOptions>(), context.options<PanelOptions>(),
                               context.options<PhraseOptions>().prompt)),
        log_(context.store),
        requester_(served_, log_, run_budget(context), context.stop, progress) {}

  void write(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries,
             flow::StageReport& report) override {
    for (const auto* group : groups) ask(*group);
    requester_.finish();
    const auto& model = served_.model;
    const auto source = model.id() + ", prompt " + model.prompt().digest().substr(0, kShownDigits);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto query = query_in_log(model, log_, *groups[i]);
      if (query.empty()) {
        report.reject(JudgeReject::kNotReworded, queries[i].topic + " " + queries[i].query);
        continue;
      }
      queries[i].query = query;
      queries[i].source = source;
    }
  }

 private:
  void ask(const Group& group) {
    auto question = question_of(served_.model, group);
    if (log_.find(question.digest)) return;
    const auto traits = requester_.open();
    llm_client::PendingRequest request;
    request.body = served_.model.body(question, traits ? traits->limits : llm_client::providers::ServerLimits{});
    request.digest = std::move(question.digest);
    request.topic = group.topic;
    request.size = question.size;
    requester_.ask(std::move(request));
  }

  const llm_client::ServedModel served_;
  JudgmentLog log_;
  llm_client::OnlineRequester requester_;
};

std::string model_fingerprint(const Settings& settings) {
  const auto& phrase = settings.get<PhraseOptions>();
  if (phrase.source == QuerySource::kTemplate) return {};
  return phrasing_model(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt).model.fingerprint();
}

std::unique_ptr<evidence::QueryWriter> make_writer(flow::StageContext& context) {
  return std::make_unique<ModelQueryWriter>(context, context.progress);
}

std::vector<const Group*> pointers_to(const std::map<std::string, Group>& groups) {
  std::vector<const Group*> pointers;
  for (const auto& [topic, group] : groups) pointers.push_back(&group);
  return pointers;
}

TopicQueries by_topic(std::vector<TopicQuery> queries) {
  TopicQueries texts;
  for (auto& query : queries) texts.emplace(std::move(query.topic), std::move(query.query));
  return texts;
}

}  // namespace

evidence::ModelQueries model_queries() {
  return {.options = {flow::reads_in_part<JudgeOptions>(), flow::reads_in_part<PanelOptions>()},
          .keeps = {flow::family(storage::Family::kJudgment)},
          .fingerprint = model_fingerprint,
          .make = make_writer};
}

std::string queries_fingerprint(const Settings& settings) {
  return fmt::format("queries {} {}", choice_text(settings.get<PhraseOptions>().source), model_fingerprint(settings));
}

TopicQueries worded_queries(flow::StageContext& context, const std::map<std::string, Group>& groups) {
  const auto pointers = pointers_to(groups);
  auto queries = evidence::template_queries(pointers, corpus::TitleIndex(context.store));
  if (context.options<PhraseOptions>().source == QuerySource::kJudge) {
    ProgressCounters progress;     // the stage's own counts judgments
    flow::StageReport not_worded;  // counted by the phrase stage
    ModelQueryWriter(context, progress).write(pointers, queries, not_worded);
    evidence::tell_apart(pointers, queries);
  }
  return by_topic(std::move(queries));
}

TopicQueries known_queries(const flow::WorkView& view, const std::map<std::string, Group>& groups) {
  const auto& settings = view.settings;
  const auto& phrase = settings.get<PhraseOptions>();
  const auto pointers = pointers_to(groups);
  auto queries = evidence::template_queries(pointers, corpus::TitleIndex(view.store));
  if (phrase.source == QuerySource::kJudge) {
    const auto served = phrasing_model(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt);
    const JudgmentLog log(view.store);
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      if (auto query = query_in_log(served.model, log, *pointers[i]); !query.empty())
        queries[i].query = std::move(query);
    }
    evidence::tell_apart(pointers, queries);
  }
  return by_topic(std::move(queries));
}

}  // namespace touchstone::pipeline::judging::stage
