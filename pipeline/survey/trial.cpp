#include "pipeline/survey/trial.hpp"

#include "common/files.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_paths.hpp"

#include <set>
#include <utility>

#include <oneapi/tbb/global_control.h>

namespace touchstone::pipeline::survey {
namespace {

/// Runs one stage on the store with its files in the place's folder.
void run_stage_in(const TrialPlace& place, const Settings& settings, const flow::StageInfo& stage) {
  const flow::WorkPaths paths{place.folder};
  std::filesystem::create_directories(paths.stages());
  ProgressCounters progress;
  flow::RunObjects objects;
  flow::StageContext context(stage, {.settings = settings,
                                     .paths = paths,
                                     .store = place.store,
                                     .stop = place.stop,
                                     .progress = progress,
                                     .objects = objects,
                                     .threads = place.threads});
  stage.make()->run(context);
}

CandidateCount count_candidates(const evidence::TopicCandidates& topic) {
  std::map<std::pair<PageId, std::uint32_t>, bool> outside;
  for (const auto& member : topic.members) {
    for (const auto& passage : member.passages) {
      bool& is_outside = outside.try_emplace({passage.page, passage.ordinal}, true).first->second;
      is_outside = is_outside && passage.page != member.page;
    }
  }
  CandidateCount count;
  count.passages = outside.size();
  for (const auto& [passage, is_outside] : outside) count.outside += is_outside ? 1 : 0;
  return count;
}

}  // namespace

Settings copy_of(const Settings& settings) {
  std::vector<const OptionGroup*> groups;
  for (std::size_t i = 0; i < settings.size(); ++i) groups.push_back(&settings.group(i));
  Settings copy(groups);
  copy.read_text(settings.remembered(), "survey");
  return copy;
}

std::vector<evidence::Group> try_groups(const TrialPlace& place, const Settings& settings) {
  run_stage_in(place, settings, evidence::groups_stage());
  return evidence::read_groups(flow::WorkPaths{place.folder}.file(evidence::kGroupsFile));
}

std::map<std::string, CandidateCount> try_candidates(const TrialPlace& place, const Settings& settings,
                                                     const std::vector<evidence::Group>& groups) {
  evidence::write_groups(flow::WorkPaths{place.folder}.file(evidence::kGroupsFile), groups);
  run_stage_in(place, settings, evidence::candidates_stage());
  std::map<std::string, CandidateCount> counts;
  const auto file = flow::WorkPaths{place.folder}.file(evidence::kCandidatesFile);
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    const auto topic = evidence::candidates_from_line(line, file.string() + " line " + std::to_string(number));
    counts[topic.topic] = count_candidates(topic);
    return true;
  });
  return counts;
}

}  // namespace touchstone::pipeline::survey
