#include "analysis/agreement/run_overlap.hpp"

#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"
#include "formats/trec/run.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace touchstone::analysis::agreement {
namespace {

constexpr std::size_t kTopTen = 10;

/// The rankings of a run by topic.
using Rankings = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;

Rankings read_rankings(const std::filesystem::path& path, std::size_t depth) {
  const formats::trec::RunFile run(path);
  Rankings rankings;
  std::vector<formats::trec::RunEntry> entries;
  for (std::size_t topic = 0; topic < run.topic_count(); ++topic) {
    run.read_topic(topic, entries);
    auto& ranking = rankings[std::string(run.topic(topic))];
    for (std::size_t i = 0; i < std::min(entries.size(), depth); ++i) ranking.push_back(entries[i].docid_hash);
  }
  return rankings;
}

internal::TopicOverlap mean_overlap(const Rankings& a, const Rankings& b, std::size_t depth) {
  internal::TopicOverlap sum;
  std::size_t topics = 0;
  for (const auto& [topic, ranking] : a) {
    const auto other = b.find(topic);
    if (other == b.end()) {
      if (!ranking.empty()) ++topics;
      continue;
    }
    if (ranking.empty() && other->second.empty()) continue;
    ++topics;
    const auto overlap = internal::topic_overlap(ranking, other->second, depth);
    sum.average += overlap.average;
    sum.top_ten += overlap.top_ten;
  }
  for (const auto& [topic, ranking] : b) {
    if (!ranking.empty() && !a.contains(topic)) ++topics;
  }
  if (topics == 0) return {};
  const auto count = static_cast<double>(topics);
  return {sum.average / count, sum.top_ten / count};
}

}  // namespace

internal::TopicOverlap internal::topic_overlap(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                               std::size_t depth) {
  const auto end = std::min(depth, std::max(a.size(), b.size()));
  std::unordered_map<std::uint64_t, std::size_t> rank_in_b;
  for (std::size_t i = 0; i < std::min(end, b.size()); ++i) rank_in_b.emplace(b[i], i);
  std::vector<std::size_t> common_from(end);  // [d]: documents that are common from depth d + 1 on and not before
  for (std::size_t i = 0; i < std::min(end, a.size()); ++i) {
    if (const auto found = rank_in_b.find(a[i]); found != rank_in_b.end()) ++common_from[std::max(i, found->second)];
  }
  TopicOverlap overlap;
  std::size_t common = 0;
  const auto top = std::min(end, kTopTen);
  for (std::size_t i = 0; i < end; ++i) {
    common += common_from[i];
    overlap.average += static_cast<double>(common) / static_cast<double>(i + 1);
    if (i + 1 == top) overlap.top_ten = static_cast<double>(common) / static_cast<double>(top);
  }
  overlap.average /= static_cast<double>(end);
  return overlap;
}

RunOverlap run_overlap(std::span<const NamedRun> runs, std::size_t depth) {
  if (depth == 0) throw ConfigError("the depth of an overlap must be 1 or more");
  RunOverlap overlap;
  overlap.depth = depth;
  const auto size = runs.size();
  std::vector<Rankings> rankings;
  Rankings topics;
  for (const auto& run : runs) {
    overlap.names.push_back(run.name);
    rankings.push_back(read_rankings(run.path, depth));
    for (const auto& entry : rankings.back()) topics[entry.first];
  }
  overlap.topics = topics.size();
  overlap.average_overlap.assign(size * size, 1);
  overlap.top_ten.assign(size * size, 1);
  statistics::for_each_block(size * size, [&](std::uint64_t cell) {
    const auto a = cell / size, b = cell % size;
    if (a >= b) return;
    const auto mean = mean_overlap(rankings[a], rankings[b], depth);
    overlap.average_overlap[a * size + b] = overlap.average_overlap[b * size + a] = mean.average;
    overlap.top_ten[a * size + b] = overlap.top_ten[b * size + a] = mean.top_ten;
  });
  return overlap;
}

}  // namespace touchstone::analysis::agreement
