#include "annotation/campaign.hpp"
#include "annotation/collection_tasks.hpp"
#include "annotation/guidelines.hpp"
#include "annotation/server/server.hpp"
#include "annotation/summary.hpp"
#include "cli/command.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/stop.hpp"
#include "pipeline/flow/work_files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace fs = std::filesystem;
using annotation::Access;
using annotation::Campaign;
using annotation::Task;
using annotation::TaskKind;
using annotation::TaskOrder;

constexpr std::uint64_t kMaxGuidelinesBytes = 1U << 18U;

struct AnnotateFlags {
  std::string collection, work, annotators, out, tasks, pairs, kind, gold, guidelines, title;
  std::string bind = "127.0.0.1:8080", certificate, key, public_url, order = "random", mode = "blind";
  std::size_t sample = 0, probes = 0;
  std::uint32_t overlap = 3;
  double lease_minutes = 15;
  std::uint64_t seed = 1;
  bool rotate = false, plain_http = false, only_export = false;
};

template <class Enum>
Enum choice_of(const std::string& text) {
  for (const auto& choice : Choices<Enum>::table) {
    if (choice.text == text) return choice.value;
  }
  throw ConfigError("unknown value " + text);  // the parser has checked it
}

/// The folder of the campaign, which only its owner may enter: it holds names and links.
fs::path make_folder(const AnnotateFlags& flags) {
  fs::path folder = flags.out;
  if (!flags.work.empty()) {
    folder = fs::path(flags.work) / pipeline::kPeopleFolder;
    if (!fs::exists(folder / "tasks.jsonl")) {
      throw ConfigError(flags.work +
                        " has no questions to people; run touchstone judge with --set judge.kind=human first");
    }
  }
  if (folder.empty()) {
    if (flags.collection.empty()) throw ConfigError("name the folder for the answers with --out DIR");
    auto name = fs::path(flags.collection).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();
    folder = name.string() + ".answers";
  }
  std::error_code error;
  if (fs::create_directories(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  if (error) throw StorageError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  return folder;
}

/// Those of an earlier run in the folder; else those of --tasks or of the collection, which are kept there.
std::vector<Task> tasks_of(const AnnotateFlags& flags, const fs::path& folder, const StopFlag& stop) {
  const auto file = folder / "tasks.jsonl";
  std::vector<Task> tasks;
  if (fs::exists(file)) {
    log_info("annotate: tasks of {}; another folder with --out would get new ones", file.string());
    tasks = formats::labeling::read_tasks(file);
    if (tasks.empty()) throw FormatError(file.string() + " holds no task; remove it to choose tasks again");
  } else if (!flags.tasks.empty()) {
    tasks = formats::labeling::read_tasks(flags.tasks);
    if (tasks.empty()) throw FormatError(flags.tasks + " holds no task");
  } else {
    if (flags.collection.empty()) throw ConfigError("name a COLLECTION, or a file with --tasks");
    collection::require_collection_directory(flags.collection, "annotate");
    annotation::TaskSelection selection;
    if (!flags.kind.empty()) selection.kind = choice_of<TaskKind>(flags.kind);
    selection.pairs = flags.pairs;
    selection.sample = flags.sample;
    selection.seed = flags.seed;
    tasks = annotation::tasks_of_collection(flags.collection, selection, stop);
  }
  if (!flags.gold.empty()) annotation::add_gold(tasks, flags.gold);
  const bool has_probes = std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.probe; });
  if (!has_probes) annotation::choose_probes(tasks, flags.probes, flags.seed);
  write_tasks(file, tasks);
  return tasks;
}

annotation::CampaignOptions options_of(const AnnotateFlags& flags, TaskKind kind) {
  annotation::CampaignOptions options;
  options.assignment.overlap = flags.overlap;
  options.assignment.order = choice_of<TaskOrder>(flags.order);
  options.assignment.seed = flags.seed;
  options.assignment.lease = std::chrono::seconds(std::llround(flags.lease_minutes * 60));
  options.mode = choice_of<annotation::ShownMode>(flags.mode);
  options.rotate = flags.rotate;
  options.guidelines = flags.guidelines.empty() ? std::string(annotation::builtin_guidelines_of(kind))
                                                : read_file(flags.guidelines, kMaxGuidelinesBytes);
  options.title = flags.title;
  if (options.assignment.order == TaskOrder::kPairs) options.assignment.overlap = 2;
  return options;
}

void check_bind(const AnnotateFlags& flags, const annotation::server::BindAddress& bind) {
  if (flags.certificate.empty() != flags.key.empty())
    throw ConfigError("--tls-cert and --tls-key belong together; give both");
  if (!is_loopback(bind) && flags.certificate.empty() && !flags.plain_http) {
    throw ConfigError("--bind " + flags.bind +
                      " can be reached from other machines, and everybody on the way could read the links; give "
                      "--tls-cert and --tls-key, or --plain-http behind a proxy or on a network that you trust");
  }
}

void print_links(const Access& access, const std::string& url) {
  std::printf("owner\t%s/o/%s\n", url.c_str(), access.owner_token().c_str());
  for (const auto& annotator : access.annotators()) {
    if (annotator.is_listed) std::printf("%s\t%s/a/%s\n", annotator.name.c_str(), url.c_str(), annotator.token.c_str());
  }
  std::fflush(stdout);
}

void annotate(const AnnotateFlags& flags) {
  const auto bind = annotation::server::parse_bind_address(flags.bind);
  check_bind(flags, bind);
  const auto public_url = annotation::server::checked_public_url(flags.public_url);
  const auto& stop = install_stop_signals();
  const auto folder = make_folder(flags);
  const auto lock = annotation::lock_folder(folder);
  if (flags.annotators.empty() && !fs::exists(folder / "access.json"))
    throw ConfigError("name the file with one annotator a line with --annotators FILE");
  const auto access = flags.annotators.empty() ? Access::reopen(folder) : Access::open(folder, flags.annotators);
  auto tasks = tasks_of(flags, folder, stop);
  const auto kind = tasks.front().kind;
  Campaign campaign(folder, std::move(tasks), options_of(flags, kind), access);
  export_answers(campaign, folder);
  if (flags.only_export) {
    std::fputs(annotation::summary_text(campaign).c_str(), stdout);
    log_info("annotate: {} answers in {}", campaign.annotations().size(), (folder / "annotations.jsonl").string());
    return;
  }
  annotation::OwnerSummary summary(campaign);
  annotation::server::ServerOptions served;
  served.bind = bind;
  served.tls_certificate = flags.certificate;
  served.tls_key = flags.key;
  served.public_url = public_url;
  served.summary = [&] { return summary.json(); };
  annotation::server::AnnotationServer server(campaign, served);
  log_info("annotate: {} tasks for {} annotators at {}; answers go to {}; stop with Ctrl-C", campaign.tasks().size(),
           access.annotators().size(), server.url(), folder.string());
  print_links(access, server.url());
  server.run(stop);
  export_answers(campaign, folder);
  log_info("annotate: stopped; {} answers in {}", campaign.annotations().size(),
           (folder / "annotations.jsonl").string());
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
  option("--annotators", flags->annotators, "File with the name of one annotator a line", "FILE");
  option("--bind", flags->bind, "Address and port to listen at", "ADDRESS")->capture_default_str();
  option("--out", flags->out, "Folder for tasks, links and answers (default: COLLECTION.answers)", "DIR");

  const auto of_tasks = [&](CLI::Option* made) { made->group("Tasks"); };
  of_tasks(option("--kind", flags->kind, "grade (0 to 3), evidence (yes or no for a member), or spans", "KIND")
               ->check(one_of({"grade", "evidence", "spans"})));
  of_tasks(option("--pairs", flags->pairs, "Pairs of topic and docid to judge: qrels, a run, or judgement-pairs.tsv",
                  "FILE"));
  of_tasks(option("--sample", flags->sample, "Draw so many of the tasks at random; 0: all", "N"));
  of_tasks(option("--tasks", flags->tasks, "Tasks as JSON lines, instead of a collection", "FILE"));
  of_tasks(option("--mode", flags->mode, "blind, or shown: with the answer of the collection's judge", "MODE")
               ->check(one_of({"blind", "shown"})));
  of_tasks(option("--guidelines", flags->guidelines, "Text beside the task, instead of the built-in one", "FILE"));
  of_tasks(option("--title", flags->title, "Title of the page", "TEXT"));

  const auto of_assignment = [&](CLI::Option* made) { made->group("Who gets which task"); };
  of_assignment(option("--overlap", flags->overlap, "Annotators of a task", "K")->check(CLI::Range(1, 1000)));
  of_assignment(option("--order", flags->order,
                       "random, topic (topic by topic), or pairs (each topic for two annotators, by round robin)",
                       "ORDER")
                    ->check(one_of({"random", "topic", "pairs"})));
  of_assignment(option("--probes", flags->probes, "Tasks that every annotator gets, spread over the work", "N"));
  of_assignment(
      option("--gold", flags->gold, "Right answers to check annotators with: annotations.jsonl or qrels", "FILE"));
  of_assignment(
      command->add_flag("--rotate", flags->rotate, "Show half of the passages with their halves in reverse order"));
  of_assignment(option("--lease-minutes", flags->lease_minutes, "How long a task waits for who was given it", "N")
                    ->check(CLI::Range(0.05, 10'000.0)));
  of_assignment(option("--seed", flags->seed, "Seed of orders and draws", "N"));

  const auto of_server = [&](CLI::Option* made) { made->group("Server"); };
  of_server(option("--tls-cert", flags->certificate, "Certificate of the server, PEM", "FILE"));
  of_server(option("--tls-key", flags->key, "Its key, PEM", "FILE"));
  of_server(option("--public-url", flags->public_url, "Address that annotators use, where a proxy is in front", "URL"));
  of_server(command->add_flag("--plain-http", flags->plain_http, "Allow other machines without TLS"));
  of_server(command->add_flag("--export-only", flags->only_export,
                              "Write annotations.jsonl and history.jsonl, and serve nothing"));
  add_footer(command);
  command->callback([=] { annotate(*flags); });
}

}  // namespace touchstone::cli
