#include "analysis/studies/coverage/coverage_numbers.hpp"

#include "analysis/statistics/random.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::analysis::studies::coverage {
namespace {

/// How a passage of a topic stands in the runs.
struct Occurrence {
  std::uint32_t best_rank = 0;  ///< from 1; 0: in no run
  std::uint32_t systems = 0;    ///< that have it in the first ranks of the pool
};

std::vector<Occurrence> occurrences(const JudgedRuns& runs, std::size_t topic, std::uint32_t depth) {
  std::vector<Occurrence> found(runs.docids(topic).size());
  for (std::size_t s = 0; s < runs.systems().size(); ++s) {
    const auto ranking = runs.ranking(s, topic);
    for (std::uint32_t rank = 1; rank <= ranking.size(); ++rank) {
      auto& passage = found[ranking[rank - 1]];
      if (passage.best_rank == 0 || rank < passage.best_rank) passage.best_rank = rank;
      passage.systems += rank <= depth;
    }
  }
  return found;
}

/// Numbers of systems in doubling ranges: 1, 2-3, 4-7, ...
std::string stratum_of(std::uint32_t systems) {
  std::uint32_t low = 1;
  while (low * 2 <= systems) low *= 2;
  return low == 1 ? "1" : fmt::format("{}-{}", low, 2 * low - 1);
}

/// The labels of one topic, as the counts of pools need them.
struct LabelledTopic {
  std::vector<std::uint32_t> evidence;
  std::vector<bool> is_evidence;  ///< [docids]
  std::size_t judged = 0;
  std::vector<bool> is_new_evidence;  ///< [docids]: by new judgments
};

LabelledTopic labelled_topic(const JudgedRuns& runs, std::size_t topic, int min_grade, const NewEvidence* added) {
  LabelledTopic result{runs.relevant(topic, min_grade), std::vector<bool>(runs.docids(topic).size()),
                       runs.judged_count(topic), std::vector<bool>(runs.docids(topic).size())};
  for (const auto passage : result.evidence) result.is_evidence[passage] = true;
  if (added == nullptr || !added->docids.contains(topic)) return result;
  for (auto passage = result.judged; passage < result.is_evidence.size(); ++passage)
    result.is_new_evidence[passage] = added->docids.at(topic).contains(std::string(runs.docids(topic)[passage]));
  return result;
}

void add_topic(PoolDepth& pool, const std::vector<Occurrence>& passages, const LabelledTopic& labels) {
  std::uint64_t found = 0;
  for (std::size_t p = 0; p < passages.size(); ++p) {
    if (passages[p].best_rank == 0 || passages[p].best_rank > pool.depth) continue;
    ++pool.pool;
    pool.unjudged += p >= labels.judged;
    found += labels.is_evidence[p];
    pool.new_evidence += labels.is_new_evidence[p];
  }
  pool.found += found;
  if (!labels.evidence.empty())
    pool.coverage += static_cast<double>(found) / static_cast<double>(labels.evidence.size());
}

void add_unjudged(std::vector<UnjudgedPassage>& unjudged, const JudgedRuns& runs, std::size_t topic,
                  const std::vector<Occurrence>& passages) {
  const auto first = unjudged.size();
  for (std::size_t p = runs.judged_count(topic); p < passages.size(); ++p) {
    if (passages[p].systems == 0) continue;
    unjudged.push_back({std::string(runs.topic(topic)), std::string(runs.docids(topic)[p]), passages[p].best_rank,
                        passages[p].systems, stratum_of(passages[p].systems)});
  }
  std::sort(unjudged.begin() + static_cast<std::ptrdiff_t>(first), unjudged.end(), [](const auto& a, const auto& b) {
    return a.best_rank != b.best_rank ? a.best_rank < b.best_rank : a.docid < b.docid;
  });
}

/// Gives each passage its place in a random order of its stratum.
void draw_within_strata(std::vector<UnjudgedPassage>& unjudged, std::uint64_t seed) {
  std::map<std::string, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < unjudged.size(); ++i) members[unjudged[i].stratum].push_back(i);
  statistics::Random random(seed);
  for (auto& [stratum, indices] : members) {
    for (std::size_t left = indices.size(); left > 1; --left)
      std::swap(indices[left - 1], indices[random.below(static_cast<std::uint32_t>(left))]);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      unjudged[indices[i]].draw = i + 1;
      unjudged[indices[i]].stratum_size = indices.size();
    }
  }
}

}  // namespace

double NewEvidence::share() const {
  return static_cast<double>(evidence) / static_cast<double>(known);
}

std::vector<double> expected_coverage(const std::vector<double>& weight_by_systems) {
  const std::size_t systems = weight_by_systems.size() - 1;
  std::vector<double> expected;
  std::vector<double> missed(systems + 1, 1);  // [c]: C(n - c, t) / C(n, t), from t - 1 to t by one factor
  for (std::size_t t = 1; t <= systems; ++t) {
    double sum = 0;
    for (std::size_t c = 1; c <= systems; ++c) {
      const auto left = static_cast<double>(systems - t + 1);
      missed[c] *= systems - c >= t ? (left - static_cast<double>(c)) / left : 0.0;
      sum += weight_by_systems[c] * (1 - missed[c]);
    }
    expected.push_back(sum);
  }
  return expected;
}

CoverageNumbers coverage_numbers(const JudgedRuns& runs, const CoveragePlan& plan, const NewEvidence* added) {
  CoverageNumbers numbers;
  numbers.systems = runs.systems().size();
  numbers.pool.depth = plan.depth;
  for (std::uint32_t depth = 1; depth <= plan.fit_depth; ++depth) numbers.depths.push_back({depth});
  const std::uint32_t step = std::max<std::uint32_t>(10, plan.target_depth / 10);
  for (auto depth = (plan.fit_depth / step + 1) * step; depth < plan.target_depth; depth += step)
    numbers.depths.push_back({depth});
  if (plan.target_depth > plan.fit_depth) numbers.depths.push_back({plan.target_depth});
  std::vector<double> weights(numbers.systems + 1);
  std::vector<std::uint64_t> counts(numbers.systems + 1);
  for (std::size_t t = 0; t < runs.topic_count(); ++t) {
    const auto labels = labelled_topic(runs, t, plan.min_grade, added);
    const auto passages = occurrences(runs, t, plan.depth);
    add_topic(numbers.pool, passages, labels);
    for (auto& depth : numbers.depths) add_topic(depth, passages, labels);
    for (const auto passage : labels.evidence) {
      weights[passages[passage].systems] += 1 / static_cast<double>(labels.evidence.size());
      ++counts[passages[passage].systems];
    }
    numbers.topics += !labels.evidence.empty();
    numbers.relevant += labels.evidence.size();
    add_unjudged(numbers.unjudged, runs, t, passages);
  }
  const auto topics = static_cast<double>(numbers.topics);
  numbers.pool.coverage /= topics;
  for (auto& depth : numbers.depths) depth.coverage /= topics;
  for (auto& weight : weights) weight /= topics;
  numbers.expected = expected_coverage(weights);
  numbers.by_systems = fit_log_curve(numbers.expected);
  const auto fit_by_depth = [&](auto PoolDepth::*value) {
    std::vector<double> values;
    for (std::uint32_t d = 0; d < plan.fit_depth; ++d) values.push_back(static_cast<double>(numbers.depths[d].*value));
    return fit_log_curve(values);
  };
  numbers.by_depth = fit_by_depth(&PoolDepth::coverage);
  numbers.found_by_depth = fit_by_depth(&PoolDepth::found);
  numbers.new_evidence_by_depth = fit_by_depth(&PoolDepth::new_evidence);
  numbers.capture = capture_recapture(counts);
  draw_within_strata(numbers.unjudged, plan.seed);
  return numbers;
}

NewEvidence count_new_evidence(const std::filesystem::path& judgments, const JudgedRuns& runs, int min_grade) {
  std::map<std::string_view, std::size_t> topic_of;
  for (std::size_t t = 0; t < runs.topic_count(); ++t) topic_of.emplace(runs.topic(t), t);
  std::map<std::size_t, std::set<std::string_view>> judged;
  std::set<std::pair<std::size_t, std::string>> seen;
  NewEvidence result;
  formats::trec::for_each_qrel(judgments, [&](const formats::trec::QrelRecord& qrel, std::uint64_t) {
    const auto topic = topic_of.find(qrel.topic);
    if (topic == topic_of.end() || !seen.emplace(topic->second, qrel.docid).second) return;
    auto [at, is_new] = judged.try_emplace(topic->second);
    if (is_new) {
      const auto docids = runs.docids(topic->second).first(runs.judged_count(topic->second));
      at->second.insert(docids.begin(), docids.end());
      result.known += runs.relevant(topic->second, min_grade).size();
    }
    if (at->second.contains(qrel.docid)) return;
    ++result.judged;
    if (qrel.grade < min_grade || qrel.grade < 0) return;
    ++result.evidence;
    result.docids[topic->second].emplace(qrel.docid);
  });
  result.topics = judged.size();
  return result;
}

}  // namespace touchstone::analysis::studies::coverage
