#include "cli/command.hpp"
#include "collection/collection.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/version.hpp"
#include "pipeline/judging/gold_labels.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/remaining_work.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

unsigned long long as_count(std::uint64_t number) {
  return number;
}

void print_plan(const std::vector<pipeline::StagePlan>& plans) {
  for (const auto& plan : plans)
    std::printf("%-11s %-5s %s\n", std::string(plan.stage->name).c_str(), plan.run ? "run" : "skip", plan.why.c_str());
}

void print_gold(pipeline::Runner& runner, const std::string& gold_file) {
  if (gold_file.empty()) return;
  const auto [labels, gold] = pipeline::judging::measure_gold(runner.store(), runner.paths(), gold_file);
  std::printf("  judge against %llu of %llu gold labels: precision %.3f, recall %.3f, F1 %.3f, kappa %.3f\n",
              as_count(gold.judged()), as_count(labels), gold.precision(), gold.recall(), gold.f1(), gold.kappa());
}

/// Prints the questions that the judge still has to ask.
void print_remaining(const pipeline::judging::stage::RemainingWork& work) {
  std::printf("\njudge: %llu judgments, %llu known; to be asked:\n", as_count(work.judgments), as_count(work.known));
  const auto line = [&](const pipeline::judging::RequestEstimate& amount, const std::string& name) {
    std::printf("  %9llu requests %12llu prompt tokens %10llu reply tokens at most", as_count(amount.requests),
                as_count(amount.prompt_tokens), as_count(amount.most_reply_tokens));
    if (work.priced) std::printf("  $%.4f at most", static_cast<double>(amount.cost) / llm_client::kPicoPerDollar);
    std::printf("  %s\n", name.c_str());
  };
  for (const auto& [topic, amount] : work.topics) {
    if (amount.requests > 0) line(amount, topic);
  }
  line(work.all, "in all");
  if (work.all.requests == 0) return;
  std::printf("%s%s\n",
              work.all.exact_tokens
                  ? "Prompt tokens as the server's tokenizer counts them."
                  : "Prompt tokens are estimated: a quarter of the ASCII bytes, one for each other character.",
              work.first_judge_only ? " What the later judges of the cascade are asked depends on the first." : "");
}

/// Prints the main numbers and the paths of the results.
void print_result(pipeline::Runner& runner, const std::string& gold_file) {
  const auto& paths = runner.paths();
  const auto summary = formats::read_collection_summary(paths.collection());
  const auto& numbers = summary.numbers;
  std::printf("%s, labels by %s\n", summary.info.name.c_str(), summary.info.judge.c_str());
  std::printf("  topics     %8llu   members  %8llu   passages %8llu\n", as_count(numbers.topics),
              as_count(numbers.members), as_count(numbers.passages));
  std::printf("  judgments  %8llu   evidence %8llu   a topic: mean %.1f, median %g, %llu to %llu\n",
              as_count(numbers.judgments), as_count(numbers.evidence), numbers.evidence_mean, numbers.evidence_median,
              as_count(numbers.evidence_min), as_count(numbers.evidence_max));
  print_gold(runner, gold_file);
  std::printf("collection  %s\nreport      %s\n", paths.collection().c_str(), paths.report().c_str());
}

/// Runs stages [first, last] as the flags say.
void run_stages(const WorkFlags& flags, const Context& context, std::string_view first, std::string_view last,
                bool use_stored_config) {
  const LoadedConfig loaded(flags, use_stored_config ? pipeline::Runner::stored_config(flags.work) : std::string());
  const auto run = run_options(flags, context);
  if (flags.dry_run && !storage::Store::exists(pipeline::WorkPaths{flags.work}.store())) {
    bool chosen = false;
    for (const auto& stage : pipeline::stage_table()) {
      chosen = chosen || stage.name == first;
      if (chosen) std::printf("%-11s %-5s never run\n", std::string(stage.name).c_str(), "run");
      if (stage.name == last) break;
    }
    return;
  }
  // Check the arguments first, so that a failure leaves no incomplete work directory.
  for (const auto& dump : flags.dumps) {
    if (dump != "-" && !std::filesystem::exists(dump))
      throw StorageError("cannot open dump " + dump + ": no such file");
  }
  if (!storage::Store::exists(pipeline::WorkPaths{flags.work}.store())) {
    if (first != pipeline::stage_table().front().name) {
      throw StorageError("there is no store in " + flags.work + "; make one with touchstone ingest or build");
    }
    if (flags.dumps.empty())
      throw ConfigError("there is nothing in " + flags.work + " yet; name a dump with --dump FILE");
  }
  pipeline::Runner runner(loaded.config(), loaded.options(), run,
                          flags.dry_run ? storage::Access::kReadOnly : storage::Access::kReadWrite);
  if (flags.dry_run) {
    const auto plans = runner.plan(first, last);
    print_plan(plans);
    // The judge's questions can be counted only if its input exists already.
    const auto judge =
        std::find_if(plans.begin(), plans.end(), [](const auto& plan) { return plan.stage->name == "judge"; });
    const bool ready = judge != plans.end() && judge->run &&
                       std::none_of(plans.begin(), judge, [](const auto& plan) { return plan.run; });
    if (ready && pipeline::judging::stage::describe_panel(loaded.config()).asks())
      print_remaining(pipeline::judging::stage::remaining_work(loaded.config(), runner.paths(), runner.store(),
                                                        install_stop_signals(), run.threads));
    return;
  }
  auto& stop = install_stop_signals();
  std::string inputs;
  for (const auto& dump : flags.dumps) inputs += " " + dump;
  log_info("touchstone {}: {} to {} in {}, config {}, {} threads{}{}", program_version(), first, last, flags.work,
           sha256_hex(pipeline::effective_config(loaded.options())).substr(0, 12), run.threads,
           inputs.empty() ? "" : ", from", inputs);
  runner.run(first, last, stop);
  if (last == "report" && first != last) print_result(runner, loaded.config().judge.gold);
  if (first == "judge" && first == last) print_gold(runner, loaded.config().judge.gold);
}

/// Adds the flags that limit a run; they are short for options of the judge.
void add_budget(CLI::App& command, WorkFlags& flags) {
  const auto cap = [&](const char* flag, std::string key, const char* summary, const char* type) {
    command
        .add_option_function<std::string>(
            flag, [&flags, key](const std::string& value) { flags.assignments.push_back(key + "=" + value); }, summary)
        ->type_name(type);
  };
  cap("--max-cost", "judge.max_cost", "Stop before the run costs more than this, in US dollars", "USD");
  cap("--max-calls", "judge.max_calls", "Stop before the run sends more requests than this", "N");
  cap("--max-tokens", "judge.max_total_tokens", "Stop before the run uses more tokens than this", "N");
}

struct LogFiles {
  std::vector<std::string> from;
  std::string to;
};

/// Copies replies between the log in the work directory and files.
void exchange_log(const std::string& work, const LogFiles& files) {
  const pipeline::WorkPaths paths{work};
  if (!files.from.empty()) {
    const auto store = storage::Store::open(paths.store(), storage::Access::kReadWrite);
    for (const auto& file : files.from) {
      const auto done = pipeline::judging::import_log(*store, file);
      std::printf("%s: %llu replies, %llu of them new\n", file.c_str(), as_count(done.read), as_count(done.added));
    }
  }
  if (files.to.empty()) return;
  const auto store = storage::Store::open(paths.store(), storage::Access::kReadOnly);
  std::printf("%s: %llu replies\n", files.to.c_str(), as_count(pipeline::judging::export_log(*store, files.to).read));
}

}  // namespace

void add_build(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("build", "Run all stages: from a dump to a collection and a report");
  auto flags = std::make_shared<WorkFlags>();
  auto from = std::make_shared<std::string>(pipeline::stage_table().front().name);
  auto to = std::make_shared<std::string>(pipeline::stage_table().back().name);
  auto list = std::make_shared<bool>(false);
  std::vector<std::string> names;
  for (const auto& stage : pipeline::stage_table()) names.emplace_back(stage.name);
  flags->add_to(*command, WorkFlags::kConfig | WorkFlags::kDump | WorkFlags::kRun);
  command->get_option("--work")->required(false);
  add_budget(*command, *flags);
  command->add_option("--from", *from, "First stage to run")->check(CLI::IsMember(names))->type_name("STAGE");
  command->add_option("--to", *to, "Last stage to run")->check(CLI::IsMember(names))->type_name("STAGE");
  command->add_flag("--list-stages", *list, "Print the stages in order and exit");
  command->callback([=, &context] {
    if (*list) {
      for (const auto& stage : pipeline::stage_table())
        std::printf("%-11s %s\n", std::string(stage.name).c_str(), std::string(stage.summary).c_str());
      return;
    }
    if (flags->work.empty()) throw ConfigError("build needs --work DIR: the directory for the store and the results");
    run_stages(*flags, context, *from, *to, false);
  });
}

void add_stages(CLI::App& app, Context& context) {
  for (const auto& stage : pipeline::stage_table()) {
    auto* command = app.add_subcommand(std::string(stage.name), std::string(stage.summary));
    auto flags = std::make_shared<WorkFlags>();
    const bool ingest = stage.name == "ingest";
    flags->add_to(*command, WorkFlags::kConfig | WorkFlags::kRun | (ingest ? WorkFlags::kDump : 0U));
    auto gold = std::make_shared<std::string>();
    auto exchange = std::make_shared<LogFiles>();
    if (stage.name == "judge") {
      command->add_option("--gold", *gold, "Measure the judge with these gold labels; short for --set judge.gold=FILE")
          ->type_name("FILE");
      add_budget(*command, *flags);
      command->add_flag("--retry-unjudged", flags->retry_unjudged,
                        "Ask again for everything without a grade, and for nothing else");
      command->add_option("--export", exchange->to, "Write all replies of the log as JSON lines and exit")
          ->type_name("FILE");
      command->add_option("--import", exchange->from, "Add the replies of other logs, one or more, and exit")
          ->type_name("FILE")
          ->expected(1, -1);
    }
    const std::string_view name = stage.name;
    command->callback([=, &context] {
      if (!exchange->from.empty() || !exchange->to.empty()) {
        exchange_log(flags->work, *exchange);
        return;
      }
      if (!gold->empty()) flags->assignments.push_back("judge.gold=" + *gold);
      run_stages(*flags, context, name, name, true);
    });
  }
}

}  // namespace touchstone::cli
