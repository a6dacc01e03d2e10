#include "cli/survey_advice.hpp"

#include "common/display_text.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/stop.hpp"
#include "pipeline/stage_table.hpp"
#include "pipeline/survey/scratch_folder.hpp"
#include "pipeline/survey/settings_file.hpp"
#include "pipeline/survey/survey.hpp"
#include "pipeline/survey/survey_text.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace survey = pipeline::survey;
using pipeline::flow::Runner;
using pipeline::flow::StageManifest;

bool ran_without(const Runner& runner, const pipeline::flow::Build& build, std::string_view stage,
                 const std::string& count) {
  const bool asked =
      std::any_of(build.stages.begin(), build.stages.end(), [&](const auto* other) { return other->name == stage; });
  if (!asked) return false;
  const auto manifest = runner.manifest(stage);
  if (manifest.state != StageManifest::State::kDone) return false;
  const auto found = manifest.report.counts.find(count);
  return found == manifest.report.counts.end() || found->second == 0;
}

std::string advice(const survey::SurveyResult& result, const std::string& work, const std::string& target) {
  if (result.choices.empty()) {
    return "No topic was found, and no settings give one: no table column and no list of this wiki leads to enough of "
           "its articles.\nAn automatic collection from titles and headings has " +
           fmt::format("{} query pages:\n  touchstone build --to automatic --work {}\n",
                       result.selection.front().survey.query_pages(), work);
  }
  std::string text =
      "No topic was found with these settings. The best settings for this wiki, each with the command to "
      "run next:\n" +
      survey::choices_text(result);
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const auto file = work + fmt::format("/survey-{}.toml", i + 1);
    write_file_atomically(file,
                          survey::settings_file(result.choices[i].settings, result,
                                                survey::settings_title(result, fmt::format("Settings {}", i + 1))));
    text +=
        fmt::format("{}  touchstone build {}--config {} --work {}\n", i == 0 ? "next  " : "      ", target, file, work);
  }
  return text + fmt::format("touchstone survey --work {} says more.\n", work);
}

}  // namespace

void advise_if_no_topics(const pipeline::flow::Build& build, const std::string& target) {
  auto& stop = install_stop_signals();
  survey::SurveyResult result;
  const std::string work = build.run.work.string();
  {
    Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
    if (!ran_without(runner, build, "groups", "groups") && !ran_without(runner, build, "export", "topics")) return;
    log_info("no topic was found; surveying the wiki for settings that give some");
    std::vector<pipeline::flow::SourceInput> sources;
    for (const auto& source : runner.recorded_sources()) sources.push_back({source.path, source.kind});
    const survey::ScratchFolder scratch;
    result = survey::survey_wiki({runner.store(), scratch.path(), stop, build.run.threads}, build.settings, sources);
  }
  const std::string to = target == pipeline::default_target() ? "" : "--to " + target + " ";
  std::fputs(display_lines(advice(result, work, to)).c_str(), stdout);
}

}  // namespace touchstone::cli
