#include "analysis/fusion/fusion.hpp"

#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"
#include "formats/trec/run.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::analysis::fusion {
namespace {

using formats::trec::LineFaults;
using formats::trec::RunEntry;
using formats::trec::RunFile;

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

/// What a passage has gathered from the runs.
struct Gathered {
  double score = 0;
  std::size_t runs = 0;
};

void add_run(const std::vector<RunEntry>& entries, const FusionOptions& options,
             std::unordered_map<std::string_view, Gathered>& passages) {
  if (entries.empty()) return;
  const double high = entries.front().score, low = entries.back().score;
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    double score = entries[rank].score;
    if (options.method == FusionMethod::kReciprocalRank) {
      score = 1 / (options.k + static_cast<double>(rank + 1));
    } else if (options.normalisation == Normalisation::kMinMax) {
      score = high > low ? (score - low) / (high - low) : 1;
    }
    auto& gathered = passages[entries[rank].docid];
    gathered.score += score;
    ++gathered.runs;
  }
}

std::vector<std::pair<std::string, double>> ranked(const std::unordered_map<std::string_view, Gathered>& passages,
                                                   const FusionOptions& options) {
  std::vector<std::pair<std::string_view, double>> order;
  for (const auto& [docid, gathered] : passages) {
    const bool multiplies = options.method == FusionMethod::kCombMnz;
    order.emplace_back(docid, multiplies ? gathered.score * static_cast<double>(gathered.runs) : gathered.score);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first > b.first;
  });
  order.resize(std::min(order.size(), options.depth));
  return {order.begin(), order.end()};
}

}  // namespace

std::vector<FusedTopic> fuse_runs(std::span<const std::filesystem::path> paths, const FusionOptions& options) {
  if (paths.size() < 2) throw ConfigError("fusion needs two runs or more; name more files");
  if (!(options.k > 0)) throw ConfigError("-k of reciprocal rank fusion must be above 0");
  std::vector<FusedTopic> fused;
  statistics::in_arena(options.threads, [&] {
    std::vector<std::unique_ptr<RunFile>> runs;
    for (const auto& path : paths) runs.push_back(std::make_unique<RunFile>(path));
    std::map<std::string, std::vector<std::size_t>, std::less<>> topics;  // index of the topic in each run, or kAbsent
    for (std::size_t r = 0; r < runs.size(); ++r) {
      for (std::size_t t = 0; t < runs[r]->topic_count(); ++t) {
        auto& places = topics.try_emplace(std::string(runs[r]->topic(t)), runs.size(), kAbsent).first->second;
        places[r] = t;
      }
    }
    fused.resize(topics.size());
    std::vector<std::vector<LineFaults>> faults(topics.size());  // [topic][run]
    statistics::for_each_block(topics.size(), [&](std::uint64_t i) {
      const auto topic = std::next(topics.begin(), static_cast<std::ptrdiff_t>(i));
      std::unordered_map<std::string_view, Gathered> passages;
      std::vector<RunEntry> entries;
      faults[i].resize(runs.size());
      for (std::size_t r = 0; r < runs.size(); ++r) {
        if (topic->second[r] == kAbsent) continue;
        faults[i][r] = runs[r]->read_topic(topic->second[r], entries);
        add_run(entries, options, passages);
      }
      fused[i] = {topic->first, ranked(passages, options)};
    });
    for (std::size_t r = 0; r < runs.size(); ++r) {
      LineFaults all;
      for (const auto& of_topic : faults) all.add(of_topic[r]);
      if (all.total() > 0) throw FormatError(runs[r]->describe(all.first_fault, all.first_offset));
    }
  });
  return fused;
}

std::string run_text(const std::vector<FusedTopic>& topics, std::string_view tag) {
  std::string text;
  for (const auto& topic : topics) {
    for (std::size_t rank = 0; rank < topic.passages.size(); ++rank) {
      const auto& [docid, score] = topic.passages[rank];
      fmt::format_to(std::back_inserter(text), "{} Q0 {} {} {} {}\n", topic.topic, docid, rank + 1, score, tag);
    }
  }
  return text;
}

}  // namespace touchstone::analysis::fusion
