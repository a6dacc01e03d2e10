#include "annotation/collection_tasks.hpp"
#include "cli/command.hpp"
#include "cli/people/annotation_flags.hpp"
#include "cli/people/strata_flags.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/stop.hpp"
#include "pipeline/audit/questions.hpp"
#include "pipeline/flow/work_files.hpp"

namespace touchstone::cli {
namespace {

namespace fs = std::filesystem;
using annotation::Task;
using annotation::TaskKind;

struct AnnotateFlags {
  AnnotationFlags people;
  std::string collection, work, out, tasks, pairs, kind;
  std::vector<std::string> strata;
  std::size_t sample = 0;
};

fs::path folder_of(const AnnotateFlags& flags) {
  if (!flags.work.empty()) {
    auto folder = fs::path(flags.work) / pipeline::kPeopleFolder;
    if (!fs::exists(folder / "tasks.jsonl")) {
      throw ConfigError(flags.work +
                        " has no questions to people; run touchstone judge with --set judge.kind=human first");
    }
    return folder;
  }
  if (!flags.out.empty()) return flags.out;
  if (flags.collection.empty()) throw ConfigError("name the folder for the answers with --out DIR");
  auto name = fs::path(flags.collection).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return name.string() + ".answers";
}

/// The judge's decisions of an evidence collection are drawn by strata, since those of one answer are the most.
bool draws_strata(const AnnotateFlags& flags) {
  return flags.sample > 0 && flags.pairs.empty() && (flags.kind.empty() || flags.kind == "evidence") &&
         fs::exists(fs::path(flags.collection) / "judgments.jsonl.gz");
}

std::vector<Task> new_tasks(const AnnotateFlags& flags, const StopFlag& stop) {
  if (!flags.tasks.empty()) return formats::labeling::read_tasks(flags.tasks);
  if (flags.collection.empty()) throw ConfigError("name a COLLECTION, or a file with --tasks");
  collection::require_collection_directory(flags.collection, "annotate");
  if (draws_strata(flags)) {
    std::optional<pipeline::audit::AuditSettings> settings;
    if (!flags.strata.empty()) settings.emplace().parts = strata_parts(flags.strata);
    const auto judged = pipeline::audit::read_judged_collection(flags.collection, settings, stop);
    return pipeline::audit::draw_questions(judged, flags.sample, flags.people.draw_seed(), stop).tasks;
  }
  if (!flags.strata.empty())
    throw ConfigError("--strata parts the decisions of an evidence collection's judge; leave it out here");
  annotation::TaskSelection selection;
  for (const auto& choice : Choices<TaskKind>::table) {
    if (choice.text == flags.kind) selection.kind = choice.value;
  }
  selection.pairs = flags.pairs;
  selection.sample = flags.sample;
  selection.seed = flags.people.draw_seed();
  return annotation::tasks_of_collection(flags.collection, selection, stop);
}

}  // namespace

void add_annotate(CLI::App* app, Context& /*context*/) {
  auto flags = std::make_shared<AnnotateFlags>();
  auto* command = app->add_subcommand("annotate", "Serve a page on which people judge passages");
  const auto option = [&](const char* name, auto& value, const char* text, const char* type) {
    return command->add_option(name, value, text)->type_name(type);
  };
  option("COLLECTION", flags->collection,
         "Evidence collection, BEIR directory, or folder with documents.tsv and queries.tsv", "DIR");
  option("--work", flags->work, "Work directory whose questions wait for people, instead of a collection", "DIR");
  option("--out", flags->out, "Folder for tasks, links and answers (default: COLLECTION.answers)", "DIR");
  command->add_flag("--export-only", flags->people.only_export,
                    "Write annotations.jsonl and history.jsonl, and serve nothing");

  const auto of_tasks = [&](CLI::Option* made) { made->group("Tasks"); };
  of_tasks(option("--kind", flags->kind, "grade (0 to 3), evidence (yes or no for a member), or spans", "KIND")
               ->check(one_of({"grade", "evidence", "spans"})));
  of_tasks(option("--pairs", flags->pairs, "Pairs of topic and docid to judge: qrels, a run, or judgement-pairs.tsv",
                  "FILE"));
  of_tasks(option("--sample", flags->sample,
                  "Draw so many of the tasks; 0: all. Of an evidence collection, by the judge's answer and "
                  "probability; elsewhere by the grades of the qrels",
                  "N"));
  of_tasks(add_strata(command, flags->strata));
  of_tasks(option("--tasks", flags->tasks, "Tasks as JSON lines, instead of a collection", "FILE"));
  of_tasks(option("--seed", flags->people.seed, "Seed of orders and draws (default: 1)", "N"));
  of_tasks(option("--gold", flags->people.gold,
                  "Right answers, which check annotators and are not shown: annotations.jsonl or qrels", "FILE"));
  flags->people.add_to(command);
  add_footer(command);
  command->callback([=] {
    const auto& stop = install_stop_signals();
    run_annotation(
        flags->people, folder_of(*flags), [&] { return new_tasks(*flags, stop); }, stop);
  });
}

}  // namespace touchstone::cli
