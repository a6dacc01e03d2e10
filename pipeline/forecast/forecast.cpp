#include "pipeline/forecast/forecast.hpp"

#include "common/child_process.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/scratch_folder.hpp"
#include "pipeline/forecast/wiki_sample.hpp"
#include "pipeline/judging/stage/judge_options.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/judging/stage/remaining_work.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::pipeline::forecast {
namespace {

namespace fs = std::filesystem;
using flow::StageInfo;

constexpr std::array<std::uint64_t, 2> kSampleBytes = {std::uint64_t{8} << 20, std::uint64_t{32} << 20};
constexpr std::chrono::minutes kMostMinutes{30};  ///< of the build of a sample

/// What the build of a sample took.
struct SampleBuild {
  double bytes = 0;
  std::vector<flow::StageManifest> stages;  ///< those of the build, in its order
  std::uint64_t disk_bytes = 0;
  judging::stage::RemainingWork asked;
};

/// The stages that no other of the build needs.
std::vector<const StageInfo*> last_stages(const flow::Build& build) {
  std::vector<const StageInfo*> last;
  for (const auto* stage : build.stages) {
    const bool is_needed = std::any_of(build.stages.begin(), build.stages.end(), [&](const StageInfo* other) {
      const auto& needs = build.graph.needs(*other);
      return std::find(needs.begin(), needs.end(), stage) != needs.end();
    });
    if (!is_needed) last.push_back(stage);
  }
  return last;
}

void run_program(const std::vector<std::string>& command) {
  const auto said = run_child(command, kMostMinutes);
  constexpr int kNoTopics = 4;
  if (said.status == 0 || said.status == kNoTopics) return;
  auto errors = said.errors;
  while (errors.ends_with('\n')) errors.pop_back();
  constexpr std::string_view kError = "error: ";
  std::string_view last = std::string_view(errors).substr(errors.rfind('\n') + 1);
  if (last.starts_with(kError)) last.remove_prefix(kError.size());
  throw Error("a sample of the pages cannot be built, so that there is no forecast: " + std::string(last));
}

SampleBuild build_sample(const flow::Build& build, const WikiSample& sample, const fs::path& folder,
                         const fs::path& program, const StopFlag& stop) {
  const auto config = folder / "settings.toml", work = folder / "work";
  write_file_atomically(config, build.settings.remembered());
  for (const auto* stage : last_stages(build)) {
    stop.check();
    std::vector<std::string> command{program.string(), "--progress",
                                     "never",          "build",
                                     "--to",           std::string(stage->name),
                                     "--work",         work.string(),
                                     "--config",       config.string(),
                                     "--threads",      std::to_string(build.run.threads),
                                     "--set",          "judge.kind=lexical",
                                     "--set",          "judge.gold="};
    for (const auto& source : sample.sources) command.insert(command.end(), {"--" + source.kind, source.path.string()});
    run_program(command);
  }
  auto run = build.run;
  run.work = work;
  run.sources = sample.sources;
  flow::Runner runner(build.graph, build.settings, run, storage::Access::kReadOnly);
  const bool asks = judging::stage::describe_panel(build.settings.get<judging::stage::JudgeOptions>(),
                                                   build.settings.get<judging::stage::PanelOptions>())
                        .asks();
  SampleBuild made{static_cast<double>(sample.bytes), {}, bytes_below(work), {}};
  for (const auto* stage : build.stages) {
    made.stages.push_back(runner.manifest(stage->name));
    if (stage->name == "judge" && asks)
      made.asked =
          judging::stage::remaining_work({build.settings, runner.paths(), runner.store(), stop, build.run.threads});
  }
  return made;
}

/// A line through what two samples took, at the size of the whole. Never less than the larger sample took.
double at_size(double size, double small_size, double small, double large_size, double large) {
  if (large_size <= small_size) return large * size / large_size;
  const double slope = std::max(0.0, (large - small) / (large_size - small_size));
  return large + slope * (size - large_size);
}

/// What each stage keeps in memory of a wiki, in bytes for a byte of text: too little to show in a sample. Measured on
/// dumps of 0.3 and 6 GB (docs/scaling.md).
struct KeptOfText {
  std::string_view stage;
  double bytes;
};
constexpr KeptOfText kKeptOfText[] = {{"ingest", 0.009},
                                      {"link", 0.03},
                                      {"groups", 0.008},
                                      {"boilerplate", 0.011},
                                      {"passages", 0.017},
                                      {"candidates", 0.01},
                                      {"judge", 0.01},
                                      {"phrase", 0.01},
                                      {"export", 0.02},
                                      {"report", 0.02},
                                      {"pages", 0.013},
                                      {"paragraphs", 0.016},
                                      {"facets", 0.006},
                                      {"anchors", 0.01},
                                      {"export-automatic", 0.02},
                                      {"report-automatic", 0.017}};
constexpr double kBuffersAreFull = 3e8;  ///< bytes of text

double kept_of_text(std::string_view stage) {
  constexpr double kUnknown = 0.1;
  for (const auto& row : kKeptOfText) {
    if (row.stage == stage) return row.bytes;
  }
  return kUnknown;
}

/// Memory grows with the logarithm of the size while buffers and caches fill up, and then by what the stage keeps.
double memory_at_size(std::string_view stage, double size, double small_size, double small, double large_size,
                      double large) {
  const double kept = kept_of_text(stage) * std::max(0.0, size - std::max(large_size, kBuffersAreFull));
  if (large_size <= small_size) return large + kept;
  const double slope = std::max(0.0, (large - small) / std::log(large_size / small_size));
  return large + slope * std::log(std::max(large_size, std::min(size, kBuffersAreFull)) / large_size) + kept;
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.1f} h", seconds / kHour);
}

std::string size_text(double bytes) {
  constexpr double kKilo = 1e3, kMega = 1e6, kGiga = 1e9;
  if (bytes < kMega) return fmt::format("{:.0f} KB", bytes / kKilo);
  return bytes < kGiga ? fmt::format("{:.0f} MB", bytes / kMega) : fmt::format("{:.1f} GB", bytes / kGiga);
}

}  // namespace

const StageForecast* Forecast::find(std::string_view stage) const {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const auto& one) { return one.stage == stage; });
  return found == stages.end() ? nullptr : &*found;
}

double Forecast::cpu_seconds() const {
  double sum = 0;
  for (const auto& stage : stages) sum += stage.cpu_seconds;
  return sum;
}

double Forecast::seconds() const {
  double sum = 0;
  for (const auto& stage : stages) sum += stage.seconds;
  return sum;
}

std::uint64_t Forecast::memory() const {
  std::uint64_t most = 0;
  for (const auto& stage : stages) most = std::max(most, stage.memory);
  return most;
}

Forecast forecast_build(const flow::Build& build, const fs::path& program, const StopFlag& stop) {
  const ScratchFolder scratch("forecast");
  std::vector<SampleBuild> samples;
  Forecast forecast;
  forecast.threads = build.run.threads;
  double size = 0;
  for (const auto bytes : kSampleBytes) {
    const auto folder = scratch.path() / std::to_string(bytes);
    fs::create_directories(folder);
    const auto sample = sample_wiki(build.run.sources, bytes, folder, stop);
    size = static_cast<double>(sample.bytes) / sample.of_all;
    log_info("forecast: building a sample of {} of {}", size_text(static_cast<double>(sample.bytes)), size_text(size));
    samples.push_back(build_sample(build, sample, folder, program, stop));
    forecast.sample_bytes = sample.bytes;
    forecast.sample_is_all = sample.is_all;
    if (sample.is_all) break;
  }
  const auto& small = samples.front();
  const auto& large = samples.back();
  const auto whole = [&](double of_small, double of_large) {
    return at_size(size, small.bytes, of_small, large.bytes, of_large);
  };
  forecast.text_bytes = static_cast<std::uint64_t>(size);
  for (std::size_t i = 0; i < build.stages.size(); ++i) {
    const auto& a = small.stages[i];
    const auto& b = large.stages[i];
    StageForecast stage{std::string(build.stages[i]->name), whole(a.cpu_seconds, b.cpu_seconds),
                        whole(a.seconds, b.seconds), 0, 0};
    const auto bytes = [&](std::uint64_t of_small, std::uint64_t of_large) {
      return static_cast<std::uint64_t>(whole(static_cast<double>(of_small), static_cast<double>(of_large)));
    };
    stage.memory =
        static_cast<std::uint64_t>(memory_at_size(stage.stage, size, small.bytes, static_cast<double>(a.peak_memory),
                                                  large.bytes, static_cast<double>(b.peak_memory)));
    stage.part_bytes = bytes(a.part_bytes, b.part_bytes);
    forecast.peak_disk_bytes = std::max(forecast.peak_disk_bytes, stage.part_bytes);
    forecast.stages.push_back(stage);
  }
  forecast.disk_bytes =
      static_cast<std::uint64_t>(whole(static_cast<double>(small.disk_bytes), static_cast<double>(large.disk_bytes)));
  forecast.peak_disk_bytes += forecast.disk_bytes;
  const double factor = size / large.bytes;
  constexpr double kPicoDollars = 1e-12;
  forecast.requests = static_cast<std::uint64_t>(factor * static_cast<double>(large.asked.all.requests));
  forecast.prompt_tokens = static_cast<std::uint64_t>(factor * static_cast<double>(large.asked.all.prompt_tokens));
  forecast.judge_dollars = factor * static_cast<double>(large.asked.all.cost) * kPicoDollars;
  forecast.priced = large.asked.priced;
  return forecast;
}

std::string forecast_text(const Forecast& forecast, double core_hour_dollars) {
  std::string text = fmt::format("{:<18} {:>9} {:>9} {:>9}\n", "stage", "CPU", "time", "memory");
  for (const auto& stage : forecast.stages) {
    text += fmt::format("{:<18} {:>9} {:>9} {:>9}\n", stage.stage, duration_text(stage.cpu_seconds),
                        duration_text(stage.seconds), size_text(static_cast<double>(stage.memory)));
  }
  text += fmt::format("{:<18} {:>9} {:>9} {:>9}\n", "in all", duration_text(forecast.cpu_seconds()),
                      duration_text(forecast.seconds()), size_text(static_cast<double>(forecast.memory())));
  text += fmt::format("\n{} threads; disk {}, up to {} on the way; ", forecast.threads,
                      size_text(static_cast<double>(forecast.disk_bytes)),
                      size_text(static_cast<double>(forecast.peak_disk_bytes)));
  text += forecast.sample_is_all ? fmt::format("measured by building all {} of text once\n",
                                               size_text(static_cast<double>(forecast.text_bytes)))
                                 : fmt::format("told from a sample of {} of {} of text\n",
                                               size_text(static_cast<double>(forecast.sample_bytes)),
                                               size_text(static_cast<double>(forecast.text_bytes)));
  if (core_hour_dollars > 0) {
    constexpr double kHour = 3600;
    text += fmt::format("machines: {:.2f} USD for {:.2f} core hours\n",
                        forecast.seconds() * forecast.threads / kHour * core_hour_dollars,
                        forecast.seconds() * forecast.threads / kHour);
  }
  if (forecast.requests > 0) {
    text += fmt::format(
        "judge: about {} requests with {} prompt tokens{}; --dry-run tells it exactly once the stage "
        "candidates is done\n",
        forecast.requests, forecast.prompt_tokens,
        forecast.priced ? fmt::format(", at most {:.2f} USD", forecast.judge_dollars) : "");
  }
  return text;
}

}  // namespace touchstone::pipeline::forecast
