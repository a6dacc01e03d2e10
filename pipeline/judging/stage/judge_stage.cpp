#include "pipeline/judging/stage/judge_stage.hpp"

#include "common/error.hpp"
#include "common/log.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/asking_loop.hpp"
#include "pipeline/judging/judging_loop.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/kept_replies.hpp"
#include "pipeline/judging/lexical/lexical_scorer.hpp"
#include "pipeline/judging/shared_asking.hpp"
#include "pipeline/judging/shared_replies.hpp"
#include "pipeline/judging/stage/judge_options.hpp"
#include "pipeline/judging/stage/judging_text.hpp"
#include "pipeline/judging/stage/model_queries.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/panel_examples.hpp"
#include "pipeline/judging/stage/run_budget.hpp"
#include "pipeline/judging/stage/run_log.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace touchstone::pipeline::judging::stage {
namespace {

class JudgeStage : public flow::Stage {
 public:
  /// Every share asks under the budget and the limits of all, and files replies in a log of its own.
  void work_ahead(flow::WriteContext& context, flow::Shard share, const std::string& attempt) override {
    const auto& common = context.options<JudgeOptions>();
    const auto asking = shared_asking(context, attempt);
    SharedReplies replies(context.kept(kReplyLogFile), context.kept(kReplyLogsFolder), &context.store, attempt);
    replies.look_in(previous_log(context.options<corpus::PreviousOptions>()));
    llm_client::Budget budget(budget_limits(common), asking);
    try {
      const auto panel = panel_of(context, {replies, budget, context.stop, context.progress}, share.count);
      ask_share(context, panel,
                {share, *asking, replies, std::chrono::seconds(std::min(common.patience_s, 2 * common.timeout_s))},
                queries_of(context, panel));
    } catch (const Interrupted& error) {
      context.stop.check();
      log_warn("judge: share {} of {} ends early: {}; the job after the tasks asks what is left", share.index + 1,
               share.count, error.what());
    }
  }

  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    if (context.is_shared) shared_asking(context, flow::attempt_name())->close();
    auto& log = run_log(context);
    const auto panel = panel_of(context, {log, run_budget(context), context.stop, context.progress}, 1);
    return judge_all(context, panel, log, queries_of(context, panel));
  }

 private:
  static JudgePanel panel_of(flow::WriteContext& context, model::JudgeServices services, std::uint32_t processes) {
    services.reads_kept = context.options<KeepOptions>().near;
    const ExampleSources sources{context.store, context.options<corpus::TextOptions>(),
                                 [&] { return passages::PassageCorpus(context); }, context.input(kGroupsFile),
                                 context.input(kCandidatesFile)};
    const auto& common = context.options<JudgeOptions>();
    const auto& judges = context.options<PanelOptions>();
    return make_panel(
        common, judges,
        {services, context.options<evidence::GroupsOptions>().list_prefixes, context.kept(kBatchesFolder),
         context.kept(kPeopleFolder), panel_examples(common, judges, sources), processes, context.is_shared});
  }

  static TopicQueries queries_of(flow::WriteContext& context, const JudgePanel& panel) {
    if (!panel.description().needs_queries()) return {};
    const CandidateReader candidates(context.input(kGroupsFile), context.input(kCandidatesFile));
    return worded_queries(context, candidates.groups());
  }
};

/// Queries that a model words depend on all topics, and all questions on them: then one job asks both.
std::uint32_t tasks_ahead(const Settings& settings) {
  const auto& common = settings.get<JudgeOptions>();
  const auto& judges = settings.get<PanelOptions>();
  const auto tasks = tasks_of_panel(common, judges, static_cast<std::uint32_t>(common.tasks));
  const bool waits_for_queries = describe_panel(common, judges).needs_queries() && asks_for_queries(settings);
  return waits_for_queries ? 0 : tasks;
}

/// The built-in judge's weights, and all that the answers of models depend on.
std::string judge_fingerprint(const Settings& settings) {
  const auto panel = describe_panel(settings.get<JudgeOptions>(), settings.get<PanelOptions>());
  return lexical::LexicalScorer::version() + panel.fingerprint() +
         examples_fingerprint(settings.get<JudgeOptions>(), settings.get<PanelOptions>()) +
         (panel.needs_queries() ? "\n" + queries_fingerprint(settings) : std::string());
}

flow::KeptLog::Count import_replies(const flow::WorkPaths& work, const std::filesystem::path& file) {
  const auto store = storage::Store::open(work.store(), storage::Access::kReadWrite);
  const auto log = JudgmentLog::open(work.file(kReplyLogFile), *store);
  take_over(*log, work.file(kReplyLogsFolder));
  return import_log(*log, file);
}

/// The store is needed only for the replies that older ones hold.
flow::KeptLog::Count export_replies(const flow::WorkPaths& work, const std::filesystem::path& file) {
  const auto log = work.file(kReplyLogFile);
  const auto more = reply_logs_in(work.file(kReplyLogsFolder));
  if (!storage::Store::exists(work.store()) && std::filesystem::exists(log))
    return export_log(log, nullptr, file, more);
  return export_log(log, storage::Store::open(work.store(), storage::Access::kReadOnly).get(), file, more);
}

}  // namespace

/// All of it is the merge: judges are asked under one budget and pace, and replies go into one log. On a cluster, tasks
/// ask before it, so that it finds most replies.
flow::StageInfo judge_stage() {
  static const flow::KeptLog replies_log = {"replies", import_replies, export_replies};
  return {
      .name = "judge",
      .summary = "Judge every (topic, member, passage)",
      .format_version = 8,
      .inputs = passages::with_passages(
          {flow::file(kGroupsFile), flow::file(kCandidatesFile), flow::meta(storage::kMetaSite),
           flow::family(storage::Family::kPage), flow::family(storage::Family::kTitle),
           flow::family(storage::Family::kOutline), flow::family(storage::Family::kParagraph),
           flow::family(storage::Family::kLink), flow::family(storage::Family::kAlias),
           flow::family(storage::Family::kLinkTarget), flow::family(storage::Family::kBacklinkSource),
           flow::family(storage::Family::kBacklinkList), flow::family(storage::Family::kBacklinkPlace),
           flow::family(storage::Family::kEntity), flow::family(storage::Family::kSqlPage)}),
      .outputs = {flow::file(kJudgmentsFile), flow::file(kUnjudgedFile), flow::file(kSummaryFile),
                  flow::folder(kPassageWordsFolder)},
      .keeps = {flow::file(kReplyLogFile), flow::folder(kReplyLogsFolder), flow::folder(kAskingFolder),
                flow::family(storage::Family::kJudgment), flow::folder(kBatchesFolder), flow::folder(kPeopleFolder)},
      .options = {flow::reads<JudgeOptions>(), flow::reads<PanelOptions>(), flow::reads<KeepOptions>(),
                  flow::reads_in_part<corpus::PreviousOptions>(), flow::inherits<corpus::NameOptions>(),
                  flow::inherits<evidence::GroupsOptions>(), flow::inherits<corpus::TextOptions>(),
                  flow::reads_in_part<evidence::PhraseOptions>()},
      .progress_unit = "judgments",
      .progress_records = "judgments",
      .make = flow::make_stage<JudgeStage>,
      .tasks_ahead = tasks_ahead,
      .extra_fingerprint = judge_fingerprint,
      .can_ask_again = true,
      .forecast = remaining_work_text,
      .outcome_of_build = gold_text,
      .outcome_of_command = gold_text,
      .shorthands = {{"--gold", "judge.gold",
                      "Measure the judge with these gold labels; short for --set judge.gold=FILE", "FILE", false},
                     {"--max-cost", "judge.max_cost", "Stop before the run costs more than this, in US dollars", "USD"},
                     {"--max-calls", "judge.max_calls", "Stop before the run sends more requests than this", "N"},
                     {"--max-tokens", "judge.max_total_tokens", "Stop before the run uses more tokens than this", "N"}},
      .log = &replies_log};
}

}  // namespace touchstone::pipeline::judging::stage
