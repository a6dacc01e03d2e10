#include "pipeline/judging/stage/remaining_work.hpp"

#include "common/progress.hpp"
#include "llm_client/budget.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/question_walk.hpp"
#include "pipeline/judging/shared_replies.hpp"
#include "pipeline/judging/stage/model_queries.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/panel_examples.hpp"
#include "pipeline/judging/stage/run_log.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace touchstone::pipeline::judging::stage {
namespace {

/// Enough of a digest to tell questions apart, short enough to be kept without an allocation.
std::string beginning_of(const std::string& digest) {
  constexpr std::size_t kDigits = 15;
  return digest.substr(0, kDigits);
}

}  // namespace

RemainingWork remaining_work(const flow::WorkView& view) {
  const auto& settings = view.settings;
  SharedReplies log(view.paths.file(kReplyLogFile), view.paths.file(kReplyLogsFolder), &view.store);
  const auto& previous = settings.get<corpus::PreviousOptions>();
  const bool keeps = settings.get<KeepOptions>().near;
  log.look_in(previous_log(previous));
  llm_client::Budget budget({});
  ProgressCounters progress;
  const auto panel = make_panel(settings.get<JudgeOptions>(), settings.get<PanelOptions>(),
                                {{log, budget, view.stop, progress, keeps},
                                 {},
                                 view.paths.file(kBatchesFolder),
                                 view.paths.file(kPeopleFolder),
                                 panel_examples(view)})
                         .without_instant_judges();
  RemainingWork work;
  work.first_judge_only = panel.rules().cascade && panel.size() > 1;
  const auto& judges = panel.description().judges;
  work.priced =
      std::any_of(judges.begin(), judges.end(), [](const auto& judge) { return judge.model && judge.model->priced; });
  // The same question may come from several topics; it is asked once.
  std::unordered_set<std::string> counted;
  CandidateReader candidates(flow::checked_file(view.store, view.paths, kGroupsFile),
                             flow::checked_file(view.store, view.paths, kCandidatesFile));
  auto queries = panel.description().needs_queries() ? known_queries(view, candidates.groups()) : TopicQueries{};
  QuestionWalk walk(view.store, settings.get<corpus::TextOptions>(),
                    passages::checked_passages(view.store, view.paths, settings.get<corpus::NameOptions>()),
                    std::move(candidates), std::move(queries), view.threads, view.stop);
  if (keeps) walk.keep(previous.work, log, {});
  walk.run(
      panel, Ungraded::kKeep, [] {},
      [&](ReadChunk& read) {
        std::vector<std::vector<const llm_client::PendingRequest*>> requests(panel.size());
        for (const auto& reading : read.readings) {
          ++work.judgments;
          if (reading.pending.empty()) ++work.known;
          for (const auto& pending : reading.pending) {
            if (counted.insert(beginning_of(pending.request.digest)).second)
              requests[pending.judge].push_back(&pending.request);
          }
        }
        auto& topic = work.topics[read.chunk.group->structured];
        for (std::size_t judge = 0; judge < panel.size(); ++judge) {
          const auto estimate = panel[judge].estimate(requests[judge]);
          topic += estimate;
          work.all += estimate;
        }
      });
  return work;
}

}  // namespace touchstone::pipeline::judging::stage
