#include "pipeline/judging/stage/model_queries.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "llm_client/online_requester.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/run_budget.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

using evidence::Group;
using evidence::GroupsOptions;
using evidence::PhraseOptions;
using evidence::TopicQuery;

constexpr std::size_t kShownMembers = 5, kShownDigits = 12;

llm_client::Question question_of(const llm_client::PromptedModel& by, const Group& group) {
  auto values = model::topic_values(group.page, group.section_path, group.column);
  auto& members = values[static_cast<std::size_t>(llm_client::prompts::PromptField::kMembers)];
  for (std::size_t i = 0; i < std::min(group.members.size(), kShownMembers); ++i)
    members += (i > 0 ? ", " : "") + group.members[i].title;
  return by.question(values, 0);
}

/// Why a model's words cannot be the query of a topic: they are no query, or they give a member away.
std::string why_no_words_for(const Group& group, const std::string& query, std::string_view language) {
  if (auto why = evidence::why_no_query(query, language); !why.empty()) return why;
  const auto said = " " + lower_case(query) + " ";
  for (const auto& member : group.members) {
    const auto name = lower_case(member.title.substr(0, member.title.find(" (")));
    if (said.find(" " + name + " ") != std::string::npos &&
        lower_case(group.structured).find(name) == std::string::npos)
      return "it names the member \"" + member.title + "\"";
  }
  return {};
}

/// The model's words for a topic by the log; empty where it holds none.
std::string query_in_log(const llm_client::PromptedModel& by, const JudgmentLog& log, const Group& group) {
  const auto reply = log.find(question_of(by, group).digest);
  return reply ? by.read_query(static_cast<int>(reply->status), reply->reply) : std::string();
}

class ModelQueryWriter : public evidence::QueryWriter {
 public:
  ModelQueryWriter(flow::StageContext& context, ProgressCounters& progress)
      : language_(corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()).site().language),
        served_(phrasing_model(context.options<JudgeOptions>(), context.options<PanelOptions>(),
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
      if (queries[i].source == evidence::kReviewSource) continue;
      const auto query = query_in_log(model, log_, *groups[i]);
      const auto why = query.empty() ? "no usable answer" : why_no_words_for(*groups[i], query, language_);
      if (!why.empty()) {
        report.reject(JudgeReject::kNotReworded, fmt::format("{} \"{}\": {}", queries[i].topic, query, why));
        continue;
      }
      queries[i] = {queries[i].topic, query, source, QueryVerdict::kCertain, ""};
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

  const std::string language_;
  const llm_client::ServedModel served_;
  JudgmentLog log_;
  llm_client::OnlineRequester requester_;
};

bool is_worded_by_model(const Settings& settings) {
  return model_words_queries(settings.get<PhraseOptions>(), settings.get<JudgeOptions>(), settings.get<PanelOptions>());
}

/// Of what the words of queries depend on besides options.
std::string wording_fingerprint(const Settings& settings) {
  const auto& phrase = settings.get<PhraseOptions>();
  std::string text;
  if (!phrase.review.empty())
    text = std::filesystem::exists(phrase.review) ? sha256_file(phrase.review) : std::string("missing");
  if (!is_worded_by_model(settings)) return text;
  const auto served = phrasing_model(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt);
  return text + served.model.fingerprint();
}

bool is_worded_by_model(flow::StageContext& context) {
  return model_words_queries(context.options<PhraseOptions>(), context.options<JudgeOptions>(),
                             context.options<PanelOptions>());
}

std::unique_ptr<evidence::QueryWriter> make_writer(flow::StageContext& context) {
  if (!is_worded_by_model(context)) return nullptr;
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
          .fingerprint = wording_fingerprint,
          .make = make_writer};
}

std::string queries_fingerprint(const Settings& settings) {
  const auto& phrase = settings.get<PhraseOptions>();
  return fmt::format("queries {} {} {}", choice_text(phrase.source), phrase.subject, wording_fingerprint(settings));
}

TopicQueries worded_queries(flow::StageContext& context, const std::map<std::string, Group>& groups) {
  const auto pointers = pointers_to(groups);
  auto queries = evidence::template_queries(pointers, context.store,
                                            corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()),
                                            context.options<GroupsOptions>(), context.options<PhraseOptions>());
  if (is_worded_by_model(context)) {
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
  const corpus::TitleIndex titles(view.store, settings.get<corpus::TextOptions>());
  auto queries = evidence::template_queries(pointers, view.store, titles, settings.get<GroupsOptions>(), phrase);
  if (is_worded_by_model(settings)) {
    const auto served = phrasing_model(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt);
    const JudgmentLog log(view.store);
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      auto query = query_in_log(served.model, log, *pointers[i]);
      const bool kept = query.empty() || queries[i].source == evidence::kReviewSource ||
                        !why_no_words_for(*pointers[i], query, titles.site().language).empty();
      if (!kept) queries[i].query = std::move(query);
    }
    evidence::tell_apart(pointers, queries);
  }
  return by_topic(std::move(queries));
}

}  // namespace touchstone::pipeline::judging::stage
