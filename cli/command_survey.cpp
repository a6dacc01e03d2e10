#include "cli/command.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/scratch_folder.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/stage_table.hpp"
#include "pipeline/survey/advice.hpp"
#include "pipeline/survey/settings_file.hpp"
#include "pipeline/survey/survey.hpp"
#include "pipeline/survey/survey_text.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace survey = pipeline::survey;
using pipeline::flow::Runner;
using pipeline::flow::SourceInput;
using pipeline::flow::WorkPaths;

struct SurveyFlags {
  WorkFlags work;
  std::string out, format = "text", language;
};

std::vector<SourceInput> sources_of(const std::filesystem::path& work) {
  std::vector<SourceInput> inputs;
  const auto settings = pipeline::stage_graph().settings();
  pipeline::flow::RunOptions run;
  run.work = work;
  const Runner runner(pipeline::stage_graph(), settings, run, storage::Access::kReadOnly);
  for (const auto& source : runner.recorded_sources()) inputs.push_back({source.path, source.kind});
  return inputs;
}

survey::SurveyResult survey_store(const std::filesystem::path& work, const Settings& settings,
                                  const std::filesystem::path& folder, int threads, const StopFlag& stop) {
  const auto sources = sources_of(work);
  const auto store = storage::Store::open(WorkPaths{work}.store(), storage::Access::kReadOnly);
  return survey::survey_wiki({*store, folder, stop, threads}, settings, sources);
}

/// Fills a work directory from the dump, as far as a survey needs it.
void fill(const pipeline::flow::RunOptions& run, const Settings& settings, const StopFlag& stop) {
  const auto& graph = pipeline::stage_graph();
  pipeline::flow::run_build({graph, settings, run, graph.stages_for("link", {})}, stop);
}

/// Texts of a work directory that `fill` made.
survey::TextSample texts_of(const std::filesystem::path& work, const std::filesystem::path& folder, int threads,
                            const StopFlag& stop) {
  const auto store = storage::Store::open(WorkPaths{work}.store(), storage::Access::kReadOnly);
  return survey::sample_texts({*store, folder, stop, threads});
}

/// Whether expanded templates leave texts at least as whole, and clearly more of them.
bool is_better_expanded(const survey::TextSample& rules, const survey::TextSample& expanded) {
  constexpr double kClearlyMore = 1.02;
  const auto whole = [](const auto& sample) { return static_cast<double>(sample.passages - sample.damaged); };
  return expanded.damaged_share() <= rules.damaged_share() && whole(expanded) > kClearlyMore * whole(rules);
}

/// Surveys a dump, filled by template rules; or with its own templates, where it holds them and a sample of texts is
/// better for it.
survey::SurveyResult survey_dump(pipeline::flow::RunOptions run, const Settings& settings,
                                 const std::filesystem::path& folder, const StopFlag& stop) {
  fill(run, settings, stop);
  const bool by_rules =
      settings.get<pipeline::corpus::IngestOptions>().templates == extractors::wikitext::TemplateMode::kRules;
  const auto holds_templates = [&] {
    const auto store = storage::Store::open(WorkPaths{run.work}.store(), storage::Access::kReadOnly);
    return survey::template_share(*store, settings, run.sources, stop).holds_templates();
  };
  if (by_rules && holds_templates()) {
    log_info(
        "the dump holds the templates that its articles use: reading it once more to compare texts with expanded ones");
    auto expanding = survey::copy_of(settings);
    expanding.edit<pipeline::corpus::IngestOptions>().templates = extractors::wikitext::TemplateMode::kExpand;
    auto expanded = run;
    expanded.work = folder / "expanded";
    fill(expanded, expanding, stop);
    if (is_better_expanded(texts_of(run.work, folder, run.threads, stop),
                           texts_of(expanded.work, folder, run.threads, stop)))
      return survey_store(expanded.work, expanding, folder, run.threads, stop);
  }
  return survey_store(run.work, settings, folder, run.threads, stop);
}

void print_survey(const SurveyFlags& flags, const survey::SurveyResult& result) {
  const auto text = flags.format == "json" ? survey::survey_json(result) : survey::survey_text(result);
  std::fputs(flags.format == "json" ? text.c_str() : display_lines(text).c_str(), stdout);
  if (flags.out.empty()) return;
  write_file_atomically(flags.out,
                        survey::settings_file(*result.recommended, result, survey::settings_title(result, "Settings")));
}

std::string next_command(const SurveyFlags& flags, const survey::SurveyResult& result) {
  // Without groups, only an automatic collection can be made.
  const std::string target = result.choices.empty() ? "--to automatic " : "";
  std::string command =
      "touchstone build " + target + "--config " + (flags.out.empty() ? "FILE" : shell_word(flags.out));
  for (const auto& source : flags.work.sources)
    command +=
        " " + std::string(pipeline::corpus::page_file_kind(source.kind).flag) + " " + shell_word(source.path.string());
  return command + " --work " + (flags.work.work.empty() ? "DIR" : shell_word(flags.work.work));
}

void run_survey(const SurveyFlags& flags, Context& context) {
  const auto& work = flags.work;
  if (work.work.empty() && work.sources.empty())
    throw ConfigError("survey needs --dump FILE, or --work DIR with what ingest and link made");
  const auto folder = std::filesystem::path(flags.out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw ConfigError("cannot write " + flags.out + ": there is no folder " + folder.string());
  auto& stop = install_stop_signals();
  const ScratchFolder scratch("survey");
  auto given = work;
  if (!flags.language.empty()) given.assignments.push_back("wiki.language=" + flags.language);
  const auto settings = load_settings(given, work.work.empty() ? "" : Runner::stored_config(work.work));
  auto run = run_options(work, context);
  std::optional<survey::SurveyResult> result;
  if (work.sources.empty()) {
    result = survey_store(work.work, settings, scratch.path(), run.threads, stop);
  } else {
    if (work.work.empty()) run.work = scratch.path() / "work";
    result = survey_dump(run, settings, scratch.path(), stop);
    if (!result->likely_language.empty()) {
      log_info("the headings are in \"{}\": surveying the dump once more in this language", result->likely_language);
      auto in_language = survey::copy_of(settings);
      in_language.edit<pipeline::corpus::TextOptions>().text_language = result->likely_language;
      result = survey_dump(run, in_language, scratch.path(), stop);
    }
  }
  print_survey(flags, *result);
  const bool leads_on = survey::gives_topics(*result);
  if (!leads_on) context.exit_status = ExitStatus::kNoTopics;
  if (flags.format == "json") return;
  std::printf("\n%s", leads_on ? fmt::format("next    {}\n", display_text(next_command(flags, *result))).c_str()
                               : display_lines(survey::no_collection_text(*result, settings)).c_str());
}

}  // namespace

void add_survey(CLI::App* app, Context& context) {
  auto* command = app->add_subcommand("survey", "Say what a wiki can give, and the settings that give it");
  auto flags = std::make_shared<SurveyFlags>();
  flags->work.add_to(command, WorkFlags::kConfig | WorkFlags::kSources | WorkFlags::kReplace);
  command->get_option("--work")->required(false);
  command->add_option("--out", flags->out, "Write the best settings to this file, for build --config")
      ->type_name("FILE");
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  command->add_option("--lang", flags->language, "Language of the wiki, such as de; like --set wiki.language=de")
      ->type_name("CODE");
  add_threads(command, flags->work.threads);
  add_footer(command, ExitStatus::kNoTopics);
  command->callback([=, &context] { run_survey(*flags, context); });
}

bool advise_if_no_topics(const pipeline::flow::Build& build, const std::string& target) {
  const auto* stage = pipeline::flow::stage_without_topics(build);
  if (stage == nullptr) return false;
  auto& stop = install_stop_signals();
  survey::EmptyBuild empty{build.run.work.string(), target == pipeline::default_target() ? "" : target,
                           stage->name == "export-automatic"};
  log_info("no topic was found; surveying the wiki for settings that give some");
  Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
  std::vector<SourceInput> sources;
  for (const auto& source : runner.recorded_sources()) sources.push_back({source.path, source.kind});
  const ScratchFolder scratch("survey");
  const auto result =
      survey::survey_wiki({runner.store(), scratch.path(), stop, build.run.threads}, build.settings, sources);
  const auto advice = survey::advice_without_topics(result, build.settings, empty);
  for (const auto& [file, text] : advice.files) write_file_atomically(file, text);
  std::fputs(display_lines(advice.text).c_str(), stdout);
  return true;
}

}  // namespace touchstone::cli
