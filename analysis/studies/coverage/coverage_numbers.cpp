#include "analysis/studies/coverage/coverage_numbers.hpp"

#include "analysis/statistics/random.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::analysis::studies::coverage {
namespace {

constexpr double kNormal95 = 1.959963984540054;  ///< quantile .975 of the normal distribution
constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

double chao_variance(double once, double twice, double share, double total) {
  if (twice > 0) {
    const double r = once / twice;
    return twice * (share / 2 * r * r + share * share * r * r * r + share * share / 4 * r * r * r * r);
  }
  return share * once * (once - 1) / 2 + share * share * once * (2 * once - 1) * (2 * once - 1) / 4 -
         share * share * once * once * once * once / (4 * total);
}

/// Estimated variance of the missed passages of one stratum.
double stratum_variance(const Stratum& stratum) {
  const auto size = static_cast<double>(stratum.size), sampled = static_cast<double>(stratum.sampled);
  const auto missed = static_cast<double>(stratum.missed);
  double share = missed / sampled, of_one = 0;
  if (stratum.sampled > 1 && stratum.missed > 0 && stratum.missed < stratum.sampled) {
    of_one = share * (1 - share) * sampled / (sampled - 1);
  } else {
    share = (missed + 1) / (sampled + 2);
    of_one = share * (1 - share);
  }
  return size * size * (1 - sampled / size) * of_one / sampled;
}

/// How a passage of a topic is in the runs.
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

double LogCurve::at(double x) const {
  return a + b * std::log(x);
}

LogCurve fit_log_curve(std::span<const double> y) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  if (y.size() < 2) return {kUndefined, kUndefined, kUndefined, kUndefined};
  const auto n = static_cast<double>(y.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    mean_x += std::log(static_cast<double>(i + 1)) / n;
    mean_y += y[i] / n;
  }
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double x = std::log(static_cast<double>(i + 1)) - mean_x;
    products += x * (y[i] - mean_y);
    squares += x * x;
  }
  LogCurve curve;
  curve.b = products / squares;
  curve.a = mean_y - curve.b * mean_x;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = std::abs(curve.at(static_cast<double>(i + 1)) - y[i]);
    sum += error * error;
    curve.largest_error = std::max(curve.largest_error, error);
  }
  curve.rmse = std::sqrt(sum / n);
  return curve;
}

CaptureRecapture capture_recapture(std::span<const std::uint64_t> passages_by_systems) {
  CaptureRecapture result;
  for (std::size_t c = 1; c < passages_by_systems.size(); ++c) result.found += passages_by_systems[c];
  if (passages_by_systems.size() > 1) result.once = passages_by_systems[1];
  if (passages_by_systems.size() > 2) result.twice = passages_by_systems[2];
  const auto systems = static_cast<double>(passages_by_systems.size()) - 1;
  const auto found = static_cast<double>(result.found);
  if (systems < 2 || result.found == 0) {
    result.total = result.recall = {kNotDefined, kNotDefined, kNotDefined};
    return result;
  }
  const auto once = static_cast<double>(result.once), twice = static_cast<double>(result.twice);
  const double share = (systems - 1) / systems;
  const double unseen = twice > 0 ? share * once * once / (2 * twice) : share * once * (once - 1) / 2;
  result.total = {found + unseen, found, found + unseen};
  if (unseen > 0) {
    const double variance = std::max(0.0, chao_variance(once, twice, share, found + unseen));
    const double spread = std::exp(kNormal95 * std::sqrt(std::log1p(variance / (unseen * unseen))));
    result.total.low = found + unseen / spread;
    result.total.high = found + unseen * spread;
  }
  result.recall = {found / result.total.value, found / result.total.high, found / result.total.low};
  return result;
}

Estimate missed_evidence(std::span<const Stratum> strata) {
  Estimate total;
  double variance = 0, proven = 0, possible = 0;
  for (const auto& stratum : strata) {
    if (stratum.sampled == 0) continue;
    const auto size = static_cast<double>(stratum.size), sampled = static_cast<double>(stratum.sampled);
    total.value += size / sampled * static_cast<double>(stratum.missed);
    variance += stratum_variance(stratum);
    proven += static_cast<double>(stratum.missed);
    possible += size - static_cast<double>(stratum.sampled - stratum.missed);
  }
  const double half = kNormal95 * std::sqrt(variance);
  total.low = std::clamp(total.value - half, proven, total.value);
  total.high = std::clamp(total.value + half, total.value, std::max(possible, total.value));
  return total;
}

Estimate recall_of(std::uint64_t known, const Estimate& missed) {
  const auto found = static_cast<double>(known);
  const auto recall = [found](double more) { return found + more > 0 ? found / (found + more) : kNotDefined; };
  return {recall(missed.value), recall(missed.high), recall(missed.low)};
}

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
