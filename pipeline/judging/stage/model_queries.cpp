#include "pipeline/judging/stage/model_queries.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "llm_client/online_requester.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/evidence/frozen_topics.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/evidence/query_clashes.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/shared_replies.hpp"
#include "pipeline/judging/stage/model_wording.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/run_budget.hpp"
#include "pipeline/judging/stage/run_log.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::stage {
namespace {

using evidence::Group;
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

/// The model's words for a topic by the log; empty where it holds none.
std::string query_in_log(const llm_client::PromptedModel& by, const llm_client::ReplyStore& log, const Group& group) {
  const auto reply = log.find(question_of(by, group).digest);
  return reply ? by.read_query(static_cast<int>(reply->status), reply->reply) : std::string();
}

/// What became of a model's words for a topic.
struct ModelQuery {
  std::string query;
  std::string why;  ///< why they cannot be used; empty if they can
};

/// The model's words for all topics by the log. Words that several topics have are of none of them.
std::vector<ModelQuery> queries_in_log(const llm_client::PromptedModel& by, const llm_client::ReplyStore& log,
                                       std::string_view language, const std::vector<const Group*>& groups) {
  ModelWording wording(language);
  std::vector<ModelQuery> all;
  std::map<std::string, std::size_t> uses;
  for (const auto* group : groups) {
    auto query = query_in_log(by, log, *group);
    auto why = query.empty() ? std::string("no usable answer") : wording.why_not(*group, query);
    if (why.empty()) ++uses[lower_case(query)];
    all.push_back({std::move(query), std::move(why)});
  }
  for (auto& words : all) {
    if (words.why.empty() && uses[lower_case(words.query)] > 1) words.why = "another topic has the same words";
  }
  return all;
}

class ModelQueryWriter : public evidence::QueryWriter {
 public:
  ModelQueryWriter(flow::WriteContext& context, ProgressCounters& progress)
      : language_(corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()).site().language),
        served_(phrasing_model(context.options<JudgeOptions>(), context.options<PanelOptions>(),
                               context.options<PhraseOptions>().prompt)),
        log_(run_log(context)),
        requester_(served_, log_, run_budget(context), context.stop, progress) {}

  void write(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries,
             flow::StageReport& report) override {
    for (const auto* group : groups) ask(*group);
    requester_.finish();
    const auto& model = served_.model;
    const auto source = model.id() + ", prompt " + model.prompt().digest().substr(0, kShownDigits);
    const auto all = queries_in_log(model, log_, language_, groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (queries[i].source == evidence::kReviewSource) continue;
      const auto& [query, why] = all[i];
      if (!why.empty()) {
        report.reject(JudgeReject::kNotReworded, fmt::format("{} \"{}\": {}", queries[i].topic, query, why));
        continue;
      }
      queries[i] = {queries[i].topic, query, source, QueryVerdict::kCertain, ""};
    }
    log_.keep_found();
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
  JudgmentLog& log_;
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

bool is_worded_by_model(flow::WriteContext& context) {
  return model_words_queries(context.options<PhraseOptions>(), context.options<JudgeOptions>(),
                             context.options<PanelOptions>());
}

std::unique_ptr<evidence::QueryWriter> make_writer(flow::WriteContext& context) {
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
          .keeps = {flow::file(kReplyLogFile), flow::folder(kReplyLogsFolder), flow::folder(kAskingFolder),
                    flow::family(storage::Family::kJudgment)},
          .fingerprint = wording_fingerprint,
          .make = make_writer};
}

std::string queries_fingerprint(const Settings& settings) {
  const auto& phrase = settings.get<PhraseOptions>();
  return fmt::format("queries/5 {} {} {}", choice_text(phrase.source), phrase.subject, wording_fingerprint(settings));
}

TopicQueries worded_queries(flow::WriteContext& context, const std::map<std::string, Group>& groups) {
  const auto pointers = pointers_to(groups);
  const auto& previous = context.options<corpus::PreviousOptions>();
  if (previous.freeze_topics) return by_topic(evidence::frozen_queries(previous.work, pointers));
  const corpus::TitleIndex titles(context.store, context.options<corpus::TextOptions>());
  auto queries = evidence::template_queries(pointers, context.store, titles, context.options<PhraseOptions>());
  if (is_worded_by_model(context)) {
    ProgressCounters progress;     // the stage's own counts judgments
    flow::StageReport not_worded;  // counted by the phrase stage
    ModelQueryWriter(context, progress).write(pointers, queries, not_worded);
    evidence::tell_apart(pointers, queries, titles.site().language);
  }
  return by_topic(std::move(queries));
}

bool asks_for_queries(const Settings& settings) {
  return is_worded_by_model(settings);
}

TopicQueries known_queries(const flow::WorkView& view, const std::map<std::string, Group>& groups) {
  const auto& settings = view.settings;
  const auto& phrase = settings.get<PhraseOptions>();
  const auto pointers = pointers_to(groups);
  const auto& previous = settings.get<corpus::PreviousOptions>();
  if (previous.freeze_topics) return by_topic(evidence::frozen_queries(previous.work, pointers));
  const corpus::TitleIndex titles(view.store, settings.get<corpus::TextOptions>());
  auto queries = evidence::template_queries(pointers, view.store, titles, phrase);
  if (is_worded_by_model(settings)) {
    const auto served = phrasing_model(settings.get<JudgeOptions>(), settings.get<PanelOptions>(), phrase.prompt);
    SharedReplies log(view.paths.file(kReplyLogFile), view.paths.file(kReplyLogsFolder), &view.store);
    log.look_in(previous_log(previous));
    const auto all = queries_in_log(served.model, log, titles.site().language, pointers);
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      if (all[i].why.empty() && queries[i].source != evidence::kReviewSource) queries[i].query = all[i].query;
    }
    evidence::tell_apart(pointers, queries, titles.site().language);
  }
  return by_topic(std::move(queries));
}

}  // namespace touchstone::pipeline::judging::stage
