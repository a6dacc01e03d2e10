#include "pipeline/judging/model_queries.hpp"

#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/online_requester.hpp"
#include "pipeline/judging/run_budget.hpp"

#include <algorithm>

namespace touchstone::pipeline::judging {
namespace {

using evidence::Group;
using evidence::PhraseOptions;
using evidence::QuerySource;
using evidence::TopicQuery;

constexpr std::size_t kShownMembers = 5, kShownDigits = 12;

class ModelQueryWriter : public evidence::QueryWriter {
 public:
  explicit ModelQueryWriter(flow::StageContext& context)
      : judge_(make_phraser(context.options<JudgeOptions>(), context.options<PanelOptions>(),
                            context.options<PhraseOptions>().prompt)),
        log_(context.store),
        asker_(judge_, log_, run_budget(context), context.stop, context.progress) {}

  void write(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries,
             flow::StageReport& report) override {
    for (const auto* group : groups) {
      auto question = question_of(*group);
      if (log_.find(question.digest)) continue;
      const auto limits = asker_.traits().limits;
      Errand errand;
      errand.key = question.digest;
      errand.body = judge_.llm->body(question, limits);
      errand.topic = group->topic;
      errand.size = question.size;
      asker_.ask(std::move(errand));
    }
    asker_.finish();
    const auto source = judge_.llm->id() + ", prompt " + judge_.llm->prompt().digest().substr(0, kShownDigits);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto reply = log_.find(question_of(*groups[i]).digest);
      const auto query = reply ? judge_.llm->read_query(static_cast<int>(reply->status), reply->reply) : std::string();
      if (query.empty()) {
        report.reject(JudgeReject::kNotReworded, queries[i].topic + " " + queries[i].query);
        continue;
      }
      queries[i].query = query;
      queries[i].source = source;
    }
  }

 private:
  llm_client::Question question_of(const Group& group) const {
    llm_client::PromptValues values;
    const auto value = [&](llm_client::PromptField field) -> std::string& {
      return values[static_cast<std::size_t>(field)];
    };
    value(llm_client::PromptField::kArticle) = group.page;
    for (const auto& heading : group.section_path) {
      auto& path = value(llm_client::PromptField::kSection);
      path += (path.empty() ? "" : " » ") + heading;
    }
    value(llm_client::PromptField::kColumn) = group.column;
    for (std::size_t i = 0; i < std::min(group.members.size(), kShownMembers); ++i)
      value(llm_client::PromptField::kMembers) += (i > 0 ? ", " : "") + group.members[i].title;
    return judge_.llm->question(values, 0);
  }

  Panelist judge_;
  JudgmentLog log_;
  Asker asker_;
};

std::string queries_fingerprint(const Settings& settings) {
  const auto& phrase = settings.get<PhraseOptions>();
  if (phrase.source == QuerySource::kTemplate) return {};
  return make_phraser(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt).llm->fingerprint();
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

}  // namespace touchstone::pipeline::judging
