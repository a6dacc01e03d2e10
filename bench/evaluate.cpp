// Scoring of runs: a generated run of 5,000 topics x 1,000 passages with 100 judgments a topic, and the real runs of
// $TOUCHSTONE_DATA/runs/trec-dl-2019 where they are.
//
//   bench_evaluate FOLDER [--benchmark_format=json]     FOLDER gets the generated `run` and `qrels`, and keeps them
#include "analysis/measures/evaluate.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

namespace {

using namespace touchstone::analysis::measures;
using Paths = std::vector<std::filesystem::path>;

constexpr int kTopics = 5000, kDepth = 1000, kJudged = 100, kCollection = 10'000'000;

/// About 200 MB of run. The same files at every call.
void generate(const std::filesystem::path& folder) {
  std::mt19937 random(1);  // the seed
  std::ofstream run(folder / "run", std::ios::binary), qrels(folder / "qrels", std::ios::binary);
  std::string lines;
  for (int topic = 0; topic < kTopics; ++topic) {
    // A stride coprime to the collection's size visits no docid twice.
    const auto start = random() % kCollection, stride = 2 * (random() % 1000) * 5 + 1;
    const auto docid = [&](std::uint64_t i) { return (start + i * stride) % kCollection; };
    double score = 20;
    lines.clear();
    for (int rank = 1; rank <= kDepth; ++rank) {
      score -= static_cast<double>(random() % 10000) * 1e-6;
      lines += fmt::format("{} Q0 D{:08} {} {:.6f} bench\n", 1000000 + topic, docid(static_cast<std::uint64_t>(rank)),
                           rank, score);
    }
    run << lines;
    lines.clear();
    for (int i = 0; i < kJudged; ++i) {  // half of them among the retrieved
      lines +=
          fmt::format("{} 0 D{:08} {}\n", 1000000 + topic, docid(static_cast<std::uint64_t>(i) * 20 + 1), random() % 4);
    }
    qrels << lines;
  }
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void score(benchmark::State& state, const std::filesystem::path& qrels, const Paths& runs,
           const std::vector<std::string>& words) {
  std::uintmax_t bytes = 0;
  for (const auto& run : runs) bytes += std::filesystem::file_size(run);
  EvaluateOptions options;
  options.threads = static_cast<int>(state.range(0));
  const auto measures = parse_measures(words);
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(qrels, runs, measures, options));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  state.counters["peak_memory"] = peak_memory();
}

void add(const char* name, const std::filesystem::path& qrels, const Paths& runs,
         const std::vector<std::string>& words) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { score(state, qrels, runs, words); })
      ->ArgName("threads")
      ->Arg(1)
      ->Arg(2)
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: bench_evaluate FOLDER [--benchmark_...]\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  generate(folder);
  add("evaluate/generated", folder / "qrels", {folder / "run"}, {"map", "nDCG@10"});
  if (const char* data = std::getenv("TOUCHSTONE_DATA")) {
    const auto real = std::filesystem::path(data) / "runs" / "trec-dl-2019";
    Paths runs;
    if (std::filesystem::is_directory(real)) {
      for (const auto& entry : std::filesystem::directory_iterator(real)) runs.push_back(entry.path());
    }
    const auto qrels = std::filesystem::path(data) / "qrels" / "qrels.dl19-passage.txt";
    if (!runs.empty()) add("evaluate/dl19_61_runs", qrels, runs, {"map", "nDCG@10"});
    if (!runs.empty()) add("evaluate/dl19_61_runs_all_trec", qrels, runs, {"all_trec"});
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
