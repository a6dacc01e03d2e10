// How long a study of partial labels takes: 1,000 random selections over 61 systems, 43 topics and 96 passages of
// evidence each, the size of TREC DL 2019. Run: bench_studies

#include "analysis/statistics/parallel.hpp"
#include "analysis/statistics/random.hpp"
#include "analysis/studies/partial/partial_numbers.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <unistd.h>

namespace {

using namespace touchstone;
using namespace touchstone::analysis;

constexpr int kSystems = 61, kTopics = 43, kEvidence = 96, kRanks = 200;

/// A folder with qrels and runs, removed at the end.
class SyntheticRuns {
 public:
  SyntheticRuns() {
    folder_ = std::filesystem::temp_directory_path() / ("touchstone-bench-studies-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream qrels(folder_ / "qrels");
    for (int t = 0; t < kTopics; ++t) {
      for (int d = 0; d < kEvidence; ++d) qrels << t << " 0 d" << d << " 1\n";
    }
    for (int s = 0; s < kSystems; ++s) write_run(s);
  }
  ~SyntheticRuns() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  SyntheticRuns(const SyntheticRuns&) = delete;
  SyntheticRuns& operator=(const SyntheticRuns&) = delete;

  std::string qrels() const { return (folder_ / "qrels").string(); }
  const std::vector<std::string>& runs() const { return runs_; }

 private:
  /// Better systems draw from fewer passages, so that more of them are evidence.
  void write_run(int system) {
    runs_.push_back((folder_ / ("s" + std::to_string(system))).string());
    std::ofstream run(runs_.back());
    statistics::Random random(1, static_cast<std::uint64_t>(system));
    for (int t = 0; t < kTopics; ++t) {
      const auto bound = static_cast<std::uint32_t>(400 + 10 * system);
      std::vector<bool> taken(bound);
      for (int rank = 0; rank < kRanks; ++rank) {
        const auto docid = random.below(bound);
        if (taken[docid]) continue;
        taken[docid] = true;
        run << t << " Q0 d" << docid << ' ' << rank << ' ' << kRanks - rank << " s" << system << '\n';
      }
    }
  }

  std::filesystem::path folder_;
  std::vector<std::string> runs_;
};

void study_partial(benchmark::State& state) {
  const SyntheticRuns files;
  studies::partial::PartialPlan plan;
  plan.random = 1000;
  for (std::size_t s = 0; s < kSystems; ++s) plan.base_systems.push_back(s);
  for (int percent = 0; percent <= 100; percent += 10) plan.fractions.push_back(percent / 100.0);
  const measures::LabelScorer scorer(measures::parse_measure("R@20").front(), 1);
  for (auto _ : state) {
    statistics::in_arena(static_cast<int>(state.range(0)), [&] {
      const studies::JudgedRuns runs(files.qrels(), files.runs());
      const studies::partial::EvidenceLabels labels(runs, scorer, 0.05);
      ProgressCounters progress;
      const StopFlag stop;
      benchmark::DoNotOptimize(studies::partial::partial_numbers(labels, plan, progress, stop));
    });
  }
}

BENCHMARK(study_partial)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
