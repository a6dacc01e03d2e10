#include "pipeline/judging/stage/judge_stage.hpp"

#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/evidence/phrase_options.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/judging_loop.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/lexical/lexical_scorer.hpp"
#include "pipeline/judging/stage/judge_options.hpp"
#include "pipeline/judging/stage/judging_text.hpp"
#include "pipeline/judging/stage/model_queries.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/panel_examples.hpp"
#include "pipeline/judging/stage/run_budget.hpp"
#include "pipeline/judging/stage/run_log.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/meta_keys.hpp"

namespace touchstone::pipeline::judging::stage {
namespace {

class JudgeStage : public flow::Stage {
 public:
  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    auto& log = run_log(context);
    const ExampleSources sources{context.store, context.options<corpus::TextOptions>(),
                                 [&] { return passages::PassageCorpus(context); }, context.input(kGroupsFile),
                                 context.input(kCandidatesFile)};
    const auto& common = context.options<JudgeOptions>();
    const auto& judges = context.options<PanelOptions>();
    const auto panel = make_panel(common, judges,
                                  {{log, run_budget(context), context.stop, context.progress},
                                   context.options<evidence::GroupsOptions>().list_prefixes,
                                   context.kept(kBatchesFolder),
                                   panel_examples(common, judges, sources)});
    if (!panel.description().needs_queries()) return judge_all(context, panel, log);
    const CandidateReader candidates(context.input(kGroupsFile), context.input(kCandidatesFile));
    return judge_all(context, panel, log, worded_queries(context, candidates.groups()));
  }
};

/// The built-in judge's weights, and all that the answers of models depend on.
std::string judge_fingerprint(const Settings& settings) {
  const auto panel = describe_panel(settings.get<JudgeOptions>(), settings.get<PanelOptions>());
  return lexical::LexicalScorer::version() + panel.fingerprint() +
         examples_fingerprint(settings.get<JudgeOptions>(), settings.get<PanelOptions>()) +
         (panel.needs_queries() ? "\n" + queries_fingerprint(settings) : std::string());
}

flow::KeptLog::Count import_replies(const flow::WorkPaths& work, const std::filesystem::path& file) {
  const auto store = storage::Store::open(work.store(), storage::Access::kReadWrite);
  return import_log(*JudgmentLog::open(work.file(kReplyLogFile), *store), file);
}

/// The store is needed only for the replies that older ones hold.
flow::KeptLog::Count export_replies(const flow::WorkPaths& work, const std::filesystem::path& file) {
  const auto log = work.file(kReplyLogFile);
  if (!storage::Store::exists(work.store()) && std::filesystem::exists(log)) return export_log(log, nullptr, file);
  return export_log(log, storage::Store::open(work.store(), storage::Access::kReadOnly).get(), file);
}

}  // namespace

/// All of it is the merge: judges are asked under one budget and pace, and replies go into one log.
flow::StageInfo judge_stage() {
  static const flow::KeptLog kReplies = {"replies", import_replies, export_replies};
  return {
      .name = "judge",
      .summary = "Judge every (topic, member, passage)",
      .format_version = 7,
      .inputs = passages::with_passages(
          {flow::file(kGroupsFile), flow::file(kCandidatesFile), flow::meta(storage::kMetaSite),
           flow::family(storage::Family::kPage), flow::family(storage::Family::kTitle),
           flow::family(storage::Family::kOutline), flow::family(storage::Family::kParagraph),
           flow::family(storage::Family::kLink), flow::family(storage::Family::kAlias),
           flow::family(storage::Family::kLinkTarget), flow::family(storage::Family::kBacklink)}),
      .outputs = {flow::file(kJudgmentsFile), flow::file(kUnjudgedFile), flow::file(kSummaryFile)},
      .keeps = {flow::file(kReplyLogFile), flow::family(storage::Family::kJudgment), flow::folder(kBatchesFolder)},
      .options = {flow::reads<JudgeOptions>(), flow::reads<PanelOptions>(), flow::inherits<corpus::NameOptions>(),
                  flow::inherits<evidence::GroupsOptions>(), flow::inherits<corpus::TextOptions>(),
                  flow::reads_in_part<evidence::PhraseOptions>()},
      .progress_unit = "judgments",
      .progress_records = "judgments",
      .make = flow::make_stage<JudgeStage>,
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
      .log = &kReplies};
}

}  // namespace touchstone::pipeline::judging::stage
