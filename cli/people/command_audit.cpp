#include "cli/command.hpp"
#include "cli/people/annotation_flags.hpp"
#include "cli/people/strata_flags.hpp"
#include "collection/evidence/report/report.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/number_text.hpp"
#include "common/stop.hpp"
#include "formats/labeling/task.hpp"
#include "pipeline/audit/answer_files.hpp"
#include "pipeline/audit/audit_output.hpp"
#include "pipeline/audit/audited_collection.hpp"
#include "pipeline/audit/gold_file.hpp"
#include "pipeline/audit/questions.hpp"

#include <algorithm>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace audit = pipeline::audit;
namespace fs = std::filesystem;

struct AuditFlags {
  AnnotationFlags people;
  std::string collection, out, tasks, gold, report, tie, format = "text";
  std::vector<std::string> answers, pseudonyms, strata;
  std::uint64_t sample = 0;
  int bins = 0, threads = 0;
  bool only_fitting = false;
};

/// The settings that flags give, if there is one.
std::optional<audit::AuditSettings> settings_of(const AuditFlags& flags) {
  if (flags.strata.empty() && flags.bins == 0 && flags.tie.empty()) return std::nullopt;
  audit::AuditSettings settings;
  if (flags.bins != 0) settings.bins = flags.bins;
  settings.parts = strata_parts(flags.strata);
  for (const auto& choice : Choices<analysis::votes::TieRule>::table) {
    if (choice.text == flags.tie) settings.tie = choice.value;
  }
  return settings;
}

/// The folder beside the first page of a report.
fs::path pages_of_report(const fs::path& page) {
  return page.parent_path() / page.stem();
}

/// Throws ConfigError for flags that do not go together.
void check_flags(const AuditFlags& flags) {
  const auto refuse = [](const char* flag, const char* why) {
    throw ConfigError(std::string(flag) + " " + why + "; leave one of them out");
  };
  if (flags.sample > 0) {
    if (flags.out.empty()) throw ConfigError("--sample draws tasks; name a folder for them with --out DIR");
    if (!flags.answers.empty()) refuse("--sample", "draws tasks and --answers counts the answers to them");
    if (!flags.gold.empty()) refuse("--gold", "takes answers and --sample draws tasks");
    if (!flags.report.empty()) refuse("--report", "takes answers and --sample draws tasks");
    return;
  }
  if (!flags.tasks.empty() && flags.answers.empty())
    throw ConfigError("--tasks is compared with answers; name them with --answers FILE");
  if (!flags.people.annotators.empty() && flags.sample == 0)
    throw ConfigError("--annotators serves a sample; draw it with --sample N --out DIR");
  if (!flags.pseudonyms.empty() && flags.answers.empty())
    throw ConfigError("--pseudonyms is compared with answers; name them with --answers FILE");
  if (!flags.report.empty() && flags.out.empty())
    throw ConfigError("--report shows the collection that --out writes; name it with --out DIR");
  if (!flags.report.empty() &&
      pages_of_report(flags.report).lexically_normal() == fs::path(flags.out).lexically_normal())
    throw ConfigError("the pages of the report " + flags.report + " go into " + flags.out +
                      ", where the collection is; give the report another name");
}

void show(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}

/// The flags with which the answers must be counted, since they are about these strata.
std::string strata_flags(const AuditFlags& flags) {
  std::string text;
  if (!flags.strata.empty()) text += fmt::format(" --strata {}", fmt::join(flags.strata, ","));
  if (flags.bins != 0) text += fmt::format(" --bins {}", flags.bins);
  return text;
}

void draw(const AuditFlags& flags, const StopFlag& stop) {
  const fs::path folder = flags.out, file = folder / "tasks.jsonl";
  if (fs::exists(file))
    throw ConfigError(file.string() + " is there already, and people may have answered it; name another folder");
  const auto collection = audit::read_judged_collection(flags.collection, settings_of(flags), stop);
  const auto sample = audit::draw_questions(collection, flags.sample, flags.people.draw_seed(), stop);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw StorageError("cannot create " + folder.string() + ": " + error.message());
  formats::labeling::write_tasks(file, sample.tasks);
  if (flags.format == "json") {
    show(audit::sample_json(collection, sample));
    return;
  }
  show(audit::sample_text(collection, sample) + "tasks  " + file.string() + "\nnext   touchstone annotate --tasks " +
       shell_word(file.string()) + " --annotators NAMES shows them to people; then\n       " + "touchstone audit " +
       shell_word(flags.collection) + " --tasks " + shell_word(file.string()) + strata_flags(flags) +
       " --answers FILE\n");
}

/// Prints a line for each answer that does not fit. Throws FormatError if there is one, unless --only-fitting was
/// given.
void report_problems(const std::vector<std::string>& problems, bool only_fitting) {
  constexpr std::size_t kMostShown = 100;
  for (std::size_t i = 0; i < std::min(problems.size(), kMostShown); ++i)
    std::fprintf(stderr, "%s\n", display_text(problems[i]).c_str());
  if (problems.size() > kMostShown) std::fprintf(stderr, "... and %zu more\n", problems.size() - kMostShown);
  if (problems.empty()) return;
  if (only_fitting) {
    std::fprintf(stderr, "%s not counted; the lines above say why\n",
                 problems.size() == 1 ? "one answer is" : (with_commas(problems.size()) + " answers are").c_str());
    return;
  }
  throw FormatError((problems.size() == 1 ? "one answer does" : with_commas(problems.size()) + " answers do") +
                    std::string(" not fit the collection, so nothing was counted or written; correct the lines above, "
                                "or count the others with "
                                "--only-fitting"));
}

void count(const AuditFlags& flags, const StopFlag& stop) {
  auto collection = audit::read_judged_collection(flags.collection, settings_of(flags), stop);
  if (flags.answers.empty() && !collection.info.audit)
    throw ConfigError(flags.collection +
                      " has no audit yet; draw decisions for people with --sample N --out DIR, or name their answers "
                      "with --answers FILE");
  std::uint64_t repeated = 0;
  if (!flags.answers.empty()) {
    audit::AnswerFiles files;
    files.files.assign(flags.answers.begin(), flags.answers.end());
    files.tasks = flags.tasks;
    files.annotators.insert(flags.pseudonyms.begin(), flags.pseudonyms.end());
    auto answers = audit::read_answers(collection, files, stop);
    report_problems(answers.problems, flags.only_fitting);
    repeated = answers.repeated;
    if (answers.count == 0)
      throw FormatError(flags.answers.front() + " has no answer, so there is nothing to count; name another file");
    audit::add_answers(collection, std::move(answers), stop);
  }
  const auto result = audit::derive_audit(collection);
  std::string written;
  if (!flags.gold.empty()) {
    const auto gold = audit::write_gold_file(collection, result, flags.gold, stop);
    written += "gold        " + flags.gold + ": " + with_commas(gold.labels) + " labels, " +
               with_commas(gold.with_reason) + " with a reason";
    if (gold.left_out > 0)
      written += "; " + with_commas(gold.left_out) +
                 " left out, since a gold label names its passage by the page, and the page has one already";
    written += "\n";
  }
  if (!flags.out.empty()) {
    audit::write_audited_collection(collection, result, flags.out, flags.threads, stop);
    written += "collection  " + flags.out + "\n";
  }
  if (!flags.report.empty()) {
    const fs::path page = flags.report;
    collection::evidence::report::write_report(flags.out, page, pages_of_report(page), "", stop);
    written += "report      " + flags.report + "\n";
  }
  if (flags.format == "json") {
    show(audit::audit_report_json(collection, result, repeated));
    std::fputs(written.c_str(), stderr);
  } else {
    show(audit::audit_text(collection, result, repeated) + written);
  }
}

/// Lets people judge a sample until a stop is requested, and counts what they have answered.
void serve(const AuditFlags& flags, const StopFlag& stop) {
  const fs::path folder = flags.out;
  run_annotation(
      flags.people, folder,
      [&] {
        const auto collection = audit::read_judged_collection(flags.collection, settings_of(flags), stop);
        return audit::draw_questions(collection, flags.sample, flags.people.draw_seed(), stop).tasks;
      },
      stop);
  AuditFlags counted;
  counted.collection = flags.collection;
  counted.answers = {(folder / "annotations.jsonl").string()};
  counted.tasks = (folder / "tasks.jsonl").string();
  counted.format = flags.format;
  counted.tie = flags.tie;
  counted.strata = flags.strata;
  counted.bins = flags.bins;
  if (fs::file_size(counted.answers.front()) == 0) {
    log_info("audit: nobody has answered yet; the same command goes on");
    return;
  }
  const StopFlag not_stopped;  // the stop that was requested ended the server
  count(counted, not_stopped);
}

}  // namespace

void add_audit(CLI::App* app, Context& context) {
  auto flags = std::make_shared<AuditFlags>();
  auto* command = app->add_subcommand("audit", "Measure the judge of a collection by people, and correct its labels");
  command->add_option("COLLECTION", flags->collection, "Directory of an evidence collection")
      ->required()
      ->type_name("DIR");
  command->add_option("--sample", flags->sample, "Draw N decisions of the judge as tasks for people, into --out")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  add_strata(command, flags->strata);
  command->add_option("--bins", flags->bins, "Equal ranges of the probability that are strata (default: 5)")
      ->check(CLI::Range(1, audit::kMostBins))
      ->type_name("N");
  command->add_option("--seed", flags->people.seed, "Of the sample (default: 1)")->type_name("N");
  command->add_option("--answers", flags->answers, "People's answers (annotations.jsonl), one or more files")
      ->type_name("FILE...")
      ->expected(1, -1);
  command->add_option("--tasks", flags->tasks, "The tasks that they answer; other answers are then errors")
      ->type_name("FILE");
  command->add_option("--pseudonyms", flags->pseudonyms, "Pseudonyms; answers of anybody else are then errors")
      ->delimiter(',')
      ->type_name("NAME,...");
  command->add_flag("--only-fitting", flags->only_fitting,
                    "Count the answers that fit the collection, and only name the others");
  command
      ->add_option("--tie", flags->tie,
                   "Which grade wins where as many people say yes as no: lowest, highest or none (default: lowest)")
      ->check(one_of({"lowest", "highest", "none"}))
      ->type_name("RULE");
  command
      ->add_option("--out", flags->out,
                   "With --sample, folder for tasks.jsonl; else directory of the corrected collection, which may be "
                   "COLLECTION")
      ->type_name("DIR");
  command->add_option("--report", flags->report, "Write the report of the corrected collection to this page")
      ->type_name("FILE");
  command->add_option("--gold", flags->gold, "Write people's labels with their reasons as gold labels")
      ->type_name("FILE");
  flags->people.add_to(command);
  add_threads(command, flags->threads);
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command, ExitStatus::kStopped);
  command->callback([=] {
    check_flags(*flags);
    const auto& stop = install_stop_signals();
    if (flags->sample == 0) return count(*flags, stop);
    flags->people.annotators.empty() ? draw(*flags, stop) : serve(*flags, stop);
  });
  static_cast<void>(context);
}

}  // namespace touchstone::cli
