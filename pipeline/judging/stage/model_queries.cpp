#include "pipeline/judging/stage/model_queries.hpp"

#include "llm_client/online_requester.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/run_budget.hpp"

#include <algorithm>

namespace touchstone::pipeline::judging::stage {
namespace {

using evidence::Group;
using evidence::PhraseOptions;
using evidence::QuerySource;
using evidence::TopicQuery;

constexpr std::size_t kShownMembers = 5, kShownDigits = 12;

class ModelQueryWriter : public evidence::QueryWriter {
 public:
  explicit ModelQueryWriter(flow::StageContext& context)
      : served_(phrasing_model(context.options<JudgeOptions>(), context.options<PanelOptions>(),
                               context.options<PhraseOptions>().prompt)),
        log_(context.store),
        requester_(served_, log_, run_budget(context), context.stop, context.progress) {}

  void write(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries,
             flow::StageReport& report) override {
    for (const auto* group : groups) ask(*group);
    requester_.finish();
    const auto& model = served_.model;
    const auto source = model.id() + ", prompt " + model.prompt().digest().substr(0, kShownDigits);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto reply = log_.find(question_of(*groups[i]).digest);
      const auto query = reply ? model.read_query(static_cast<int>(reply->status), reply->reply) : std::string();
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
    auto question = question_of(group);
    if (log_.find(question.digest)) return;
    const auto traits = requester_.open();
    llm_client::PendingRequest request;
    request.body = served_.model.body(question, traits ? traits->limits : llm_client::providers::ServerLimits{});
    request.digest = std::move(question.digest);
    request.topic = group.topic;
    request.size = question.size;
    requester_.ask(std::move(request));
  }

  llm_client::Question question_of(const Group& group) const {
    auto values = model::topic_values(group.page, group.section_path, group.column);
    auto& members = values[static_cast<std::size_t>(llm_client::prompts::PromptField::kMembers)];
    for (std::size_t i = 0; i < std::min(group.members.size(), kShownMembers); ++i)
      members += (i > 0 ? ", " : "") + group.members[i].title;
    return served_.model.question(values, 0);
  }

  const llm_client::ServedModel served_;
  JudgmentLog log_;
  llm_client::OnlineRequester requester_;
};

std::string queries_fingerprint(const Settings& settings) {
  const auto& phrase = settings.get<PhraseOptions>();
  if (phrase.source == QuerySource::kTemplate) return {};
  return phrasing_model(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt).model.fingerprint();
}

std::unique_ptr<evidence::QueryWriter> make_writer(flow::StageContext& context) {
  return std::make_unique<ModelQueryWriter>(context);
}

}  // namespace

evidence::ModelQueries model_queries() {
  return {.options = {flow::reads_in_part<JudgeOptions>(), flow::reads_in_part<PanelOptions>()},
          .keeps = {flow::family(storage::Family::kJudgment)},
          .fingerprint = queries_fingerprint,
          .make = make_writer};
}

}  // namespace touchstone::pipeline::judging::stage
