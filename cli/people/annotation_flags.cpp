#include "cli/people/annotation_flags.hpp"

#include "annotation/collection_tasks.hpp"
#include "annotation/guidelines.hpp"
#include "annotation/kept_options.hpp"
#include "annotation/server/server.hpp"
#include "annotation/summary.hpp"
#include "annotation/task_sampling.hpp"
#include "cli/command.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace fs = std::filesystem;
using annotation::Access;
using annotation::Task;
using annotation::TaskKind;
using annotation::TaskOrder;

constexpr std::uint64_t kMaxGuidelinesBytes = 1U << 18U;

template <class Enum>
Enum choice_of(const std::string& text) {
  for (const auto& choice : Choices<Enum>::table) {
    if (choice.text == text) return choice.value;
  }
  throw ConfigError("unknown value " + text);  // the parser has checked it
}

std::string read_guidelines(const fs::path& file) {
  auto text = read_file(file, kMaxGuidelinesBytes);
  if (!is_valid_utf8(text)) throw FormatError(file.string() + " is not UTF-8; save it as UTF-8");
  return text;
}

/// What the flags say; else what the folder's last run had; else the defaults.
annotation::CampaignOptions options_of(const AnnotationFlags& flags, const fs::path& folder, TaskKind kind) {
  auto options = annotation::kept_options(folder).value_or(annotation::CampaignOptions());
  if (options.guidelines.empty()) options.guidelines = annotation::builtin_guidelines_of(kind);
  auto& assignment = options.assignment;
  assignment.overlap = flags.overlap.value_or(assignment.overlap);
  assignment.seed = flags.seed.value_or(assignment.seed);
  if (flags.order) assignment.order = choice_of<TaskOrder>(*flags.order);
  if (flags.lease_minutes) assignment.lease = std::chrono::seconds(std::llround(*flags.lease_minutes * 60));
  if (flags.mode) options.mode = choice_of<annotation::ShownMode>(*flags.mode);
  if (flags.guidelines) options.guidelines = read_guidelines(*flags.guidelines);
  options.rotate = options.rotate || flags.rotate;
  options.title = flags.title.value_or(options.title);
  if (options.assignment.order == TaskOrder::kPairs) options.assignment.overlap = 2;
  return options;
}

void check_bind(const AnnotationFlags& flags, const annotation::server::BindAddress& bind) {
  if (flags.certificate.empty() != flags.key.empty())
    throw ConfigError("--tls-cert and --tls-key belong together; give both");
  if (!is_loopback(bind) && flags.certificate.empty() && !flags.plain_http) {
    throw ConfigError("--bind " + flags.bind +
                      " can be reached from other machines, and everybody on the way could read the links; give "
                      "--tls-cert and --tls-key, or --plain-http behind a proxy or on a network that you trust");
  }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::create_directories(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  if (error) throw StorageError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

/// Those of an earlier run in the folder, else new ones, which are kept there.
std::vector<Task> tasks_in(const AnnotationFlags& flags, const fs::path& folder,
                           const std::function<std::vector<Task>()>& make) {
  const auto file = folder / "tasks.jsonl";
  const bool are_there = fs::exists(file);
  if (are_there) log_info("annotate: tasks of {}; another folder with --out would get new ones", file.string());
  auto tasks = are_there ? formats::labeling::read_tasks(file) : make();
  if (tasks.empty()) {
    throw FormatError(are_there ? file.string() + " holds no task; remove it to choose tasks again"
                                : "what was named holds no task; name a file or a collection with some");
  }
  for (auto& task : tasks) {
    if (task.language.empty()) task.language = flags.language;
  }
  if (!flags.gold.empty()) annotation::add_gold(tasks, flags.gold);
  const bool has_probes = std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.probe; });
  if (!has_probes) annotation::choose_probes(tasks, flags.probes, flags.draw_seed());
  write_tasks(file, tasks);
  return tasks;
}

/// Letters, digits and hyphens, as BCP 47 has them. Whether there is such a language is the browser's business.
CLI::Validator language_code() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
        const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; };
        if (text.size() >= 2 && text.size() <= 35 && is_letter(text[0]) && std::all_of(text.begin(), text.end(), fits))
          return "";
        return "\"" + text + "\" is no code of a language; write one such as he or pt-BR";
      },
      "CODE");
}

void print_links(const Access& access, const std::string& url) {
  std::printf("owner\t%s/o/%s\n", url.c_str(), access.owner_token().c_str());
  for (const auto& annotator : access.annotators()) {
    if (annotator.is_listed) std::printf("%s\t%s/a/%s\n", annotator.name.c_str(), url.c_str(), annotator.token.c_str());
  }
  std::fflush(stdout);
}

}  // namespace

void AnnotationFlags::add_to(CLI::App* command) {
  const auto option = [&](const char* name, auto& value, const char* text, const char* type, const char* group) {
    return command->add_option(name, value, text)->type_name(type)->group(group);
  };
  constexpr const char *kPage = "What people see", *kWho = "Who gets which task", *kServer = "Server";
  option("--annotators", annotators, "File with the name of one annotator a line", "FILE", kWho);
  option("--overlap", overlap, "Annotators of a task (default: 3)", "K", kWho)
      ->check(CLI::Range(1U, annotation::kMaxOverlap));
  option("--order", order,
         "random, topic (topic by topic), or pairs (each topic for two annotators, by round robin) (default: random)",
         "ORDER", kWho)
      ->check(one_of({"random", "topic", "pairs"}));
  option("--probes", probes, "Tasks that every annotator gets, spread over the work", "N", kWho);
  option("--lease-minutes", lease_minutes, "How long a task waits for who was given it (default: 15)", "N", kWho)
      ->check(CLI::Range(0.05, 10'000.0));
  option("--mode", mode, "blind, or shown: with the answer of the collection's judge (default: blind)", "MODE", kPage)
      ->check(one_of({"blind", "shown"}));
  command->add_flag("--rotate", rotate, "Show half of the passages with their halves in reverse order")->group(kPage);
  option("--guidelines", guidelines, "Text beside the task, instead of the built-in one", "FILE", kPage);
  option("--title", title, "Title of the page", "TEXT", kPage);
  option("--language", language, "Language of tasks that name none, such as he or pt-BR, for screen readers", "CODE",
         kPage)
      ->check(language_code());
  option("--bind", bind, "Address and port to listen at (default: 127.0.0.1:8080)", "ADDRESS", kServer);
  option("--tls-cert", certificate, "Certificate of the server, PEM", "FILE", kServer);
  option("--tls-key", key, "Its key, PEM", "FILE", kServer);
  option("--public-url", public_url, "Address that annotators use, where a proxy is in front", "URL", kServer);
  command->add_flag("--plain-http", plain_http, "Allow other machines without TLS")->group(kServer);
}

void run_annotation(const AnnotationFlags& flags, const fs::path& folder,
                    const std::function<std::vector<Task>()>& make, const StopFlag& stop) {
  const auto bind = annotation::server::parse_bind_address(flags.bind);
  check_bind(flags, bind);
  const auto public_url = annotation::server::checked_public_url(flags.public_url);
  make_folder(folder);
  const auto lock = annotation::lock_folder(folder);
  if (flags.annotators.empty() && !fs::exists(folder / "access.json"))
    throw ConfigError("name the file with one annotator a line with --annotators FILE");
  const auto access = flags.annotators.empty() ? Access::reopen(folder) : Access::open(folder, flags.annotators);
  auto tasks = tasks_in(flags, folder, make);
  const auto kind = tasks.front().kind;
  annotation::Campaign campaign(folder, std::move(tasks), options_of(flags, folder, kind), access);
  export_answers(campaign, folder);
  const auto answers = [&] {
    return fmt::format("{} answers in {}", campaign.annotations().size(), (folder / "annotations.jsonl").string());
  };
  if (flags.only_export) {
    std::fputs(annotation::summary_text(campaign).c_str(), stdout);
    log_info("annotate: {}", answers());
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
  log_info("annotate: stopped; {}", answers());
}

}  // namespace touchstone::cli
