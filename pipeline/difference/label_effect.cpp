#include "pipeline/difference/label_effect.hpp"

#include "analysis/measures/measure.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/random.hpp"
#include "analysis/studies/judged_runs.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::pipeline::difference {
namespace {

using analysis::measures::LabelScorer;
using analysis::measures::TopicLabels;
using analysis::statistics::ScoreMatrix;
using analysis::studies::JudgedRuns;

constexpr std::uint64_t kResamples = 10'000, kSeed = 1;

/// The labels of the new collection for topics and passages of the old one, by topic and docid.
using MappedLabels = std::map<std::string_view, std::map<std::string_view, std::int16_t>>;

MappedLabels map_labels(const Comparison& comparison, LabelEffect& effect) {
  MappedLabels mapped;
  for (const auto& pair : comparison.topics.pairs) {
    if (pair.old_part != kNoPart && pair.new_part != kNoPart) mapped[comparison.before.topics[pair.old_part].id];
  }
  for (const auto& label : comparison.after.labels) {
    const auto topic = comparison.topics.old_of_new[label.topic];
    if (topic == kNoPart) continue;
    const auto passage = comparison.passages.old_of_new[label.passage];
    if (passage == kNoPart) {
      ++effect.new_labels;
      continue;
    }
    mapped[comparison.before.topics[topic].id][comparison.before.passages[passage].docid] =
        static_cast<std::int16_t>(label.grade);
  }
  return mapped;
}

/// The labels of one topic as JudgedRuns numbers its passages; those that no run and no old label names come last.
TopicLabels labels_of(const JudgedRuns& runs, std::size_t topic,
                      const std::map<std::string_view, std::int16_t>& mapped) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (const auto docid : runs.docids(topic)) numbers.emplace(docid, numbers.size());
  for (const auto& [docid, grade] : mapped) numbers.emplace(docid, numbers.size());
  TopicLabels labels(numbers.size());
  for (const auto& [docid, grade] : mapped) labels.set(numbers.at(docid), grade);
  return labels;
}

/// The numbers of the topics in `counted`, in their order.
std::vector<std::size_t> numbers_of(const ScoreMatrix& scores, const std::vector<std::string>& counted) {
  std::vector<std::size_t> numbers;
  for (std::size_t t = 0; t < scores.topics.size(); ++t)
    if (std::binary_search(counted.begin(), counted.end(), scores.topics[t])) numbers.push_back(t);
  return numbers;
}

/// Of each system over topics, which may come several times.
std::vector<double> means(const ScoreMatrix& scores, const std::vector<std::size_t>& topics) {
  std::vector<double> sums(scores.systems.size());
  for (const auto t : topics)
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += scores.at(s, t);
  for (auto& sum : sums) sum = topics.empty() ? 0 : sum / static_cast<double>(topics.size());
  return sums;
}

std::vector<std::size_t> ranks(const std::vector<double>& scores) {
  std::vector<std::size_t> ranks;
  for (const double score : scores) {
    const auto better = std::count_if(scores.begin(), scores.end(),
                                      [&](double other) { return other > score + analysis::statistics::kEqualScores; });
    ranks.push_back(static_cast<std::size_t>(better) + 1);
  }
  return ranks;
}

/// Sets the intervals of ranks and of tau. Takes the resamples one after the other, so that the threads do not show.
/// \param of_old, of_new  the numbers of the same topics in both matrices
void set_rank_intervals(const ScoreMatrix& by_old, const std::vector<std::size_t>& of_old, const ScoreMatrix& by_new,
                        const std::vector<std::size_t>& of_new, MeasureEffect& effect) {
  const auto systems = effect.systems.size();
  std::vector<std::vector<double>> moves(systems);
  std::vector<double> taus;
  analysis::statistics::Random random(kSeed);
  auto old_topics = of_old, new_topics = of_new;
  for (std::uint64_t i = 0; i < kResamples && of_old.size() > 1; ++i) {
    for (std::size_t t = 0; t < of_old.size(); ++t) {
      const auto drawn = random.below(static_cast<std::uint32_t>(of_old.size()));
      old_topics[t] = of_old[drawn];
      new_topics[t] = of_new[drawn];
    }
    const auto before = means(by_old, old_topics), after = means(by_new, new_topics);
    const auto old_ranks = ranks(before), new_ranks = ranks(after);
    for (std::size_t s = 0; s < systems; ++s)
      moves[s].push_back(static_cast<double>(new_ranks[s]) - static_cast<double>(old_ranks[s]));
    taus.push_back(analysis::agreement::kendall_tau_b(analysis::agreement::count_pairs(before, after)));
  }
  effect.tau_b = analysis::statistics::percentile_interval(std::move(taus));
  for (std::size_t s = 0; s < systems; ++s) {
    const auto interval = analysis::statistics::percentile_interval(std::move(moves[s]));
    effect.systems[s].rank_low = interval.low;
    effect.systems[s].rank_high = interval.high;
  }
}

/// Sets the interval of a system's change. \param row  of the system's scores
void set_interval(const ScoreMatrix& by_old, const ScoreMatrix& by_new, std::size_t row,
                  const std::vector<std::string>& topics, SystemChange& change) {
  change.low = change.high = std::numeric_limits<double>::quiet_NaN();
  if (topics.size() < 2) return;
  ScoreMatrix scores;
  scores.systems = {"old labels", "new labels"};
  scores.topics = topics;
  for (const auto* matrix : {&by_old, &by_new}) {
    for (std::size_t t = 0; t < matrix->topics.size(); ++t) {
      if (std::binary_search(topics.begin(), topics.end(), matrix->topics[t]))
        scores.values.push_back(matrix->at(row, t));
    }
  }
  analysis::significance::CompareOptions options;
  options.test = analysis::significance::SignificanceTest::kBootstrap;
  options.permutations = kResamples;
  const auto test = analysis::significance::compare_with_baseline(scores, 0, options).systems.front();
  change.low = test.low;
  change.high = test.high;
}

MeasureEffect measure_effect(const ScoreMatrix& by_old, const ScoreMatrix& by_new) {
  std::vector<std::string> topics;  // with a value by both
  std::set_intersection(by_old.topics.begin(), by_old.topics.end(), by_new.topics.begin(), by_new.topics.end(),
                        std::back_inserter(topics));
  const auto of_old = numbers_of(by_old, topics), of_new = numbers_of(by_new, topics);
  const auto before = means(by_old, of_old), after = means(by_new, of_new);
  const auto old_ranks = ranks(before), new_ranks = ranks(after);
  MeasureEffect effect;
  effect.pairs = analysis::agreement::count_pairs(before, after);
  for (std::size_t s = 0; s < before.size(); ++s) {
    effect.systems.push_back({by_old.systems[s], before[s], after[s], 0, 0, old_ranks[s], new_ranks[s], 0, 0});
    set_interval(by_old, by_new, s, topics, effect.systems.back());
  }
  set_rank_intervals(by_old, of_old, by_new, of_new, effect);
  std::sort(effect.systems.begin(), effect.systems.end(), [](const auto& a, const auto& b) {
    return std::tie(a.old_rank, a.system) < std::tie(b.old_rank, b.system);
  });
  return effect;
}

/// The labels of the old collection for topics that both have, as a file that JudgedRuns reads.
std::string old_qrels(const Comparison& comparison) {
  std::string text;
  for (const auto& label : comparison.before.labels) {
    if (comparison.topics.new_of_old[label.topic] == kNoPart) continue;
    text += formats::trec::qrel_line(
        {comparison.before.topics[label.topic].id, comparison.before.passages[label.passage].docid, label.grade});
  }
  return text;
}

}  // namespace

LabelEffect label_effect(const Comparison& comparison, const LabelEffectOptions& options) {
  LabelEffect effect;
  const auto qrels = old_qrels(comparison);
  if (qrels.empty())
    throw ConfigError(
        "the collections have no judged topic in common, so that runs cannot show what the labels change; "
        "leave --run out");
  const ScratchFolder folder("diff");
  write_file_atomically(folder.path() / "qrels", qrels);
  const JudgedRuns runs(folder.path() / "qrels", options.runs);
  const auto mapped = map_labels(comparison, effect);
  effect.topics = runs.topic_count();
  std::vector<TopicLabels> new_labels;
  for (std::size_t t = 0; t < runs.topic_count(); ++t)
    new_labels.push_back(labels_of(runs, t, mapped.at(runs.topic(t))));
  const auto old_labels = runs.labels();
  for (const auto& measure : analysis::measures::parse_measures(options.measures)) {
    const LabelScorer scorer(measure, options.min_grade);
    auto of_measure = measure_effect(runs.score(scorer, old_labels), runs.score(scorer, new_labels));
    of_measure.measure = measure.name;
    effect.measures.push_back(std::move(of_measure));
  }
  return effect;
}

}  // namespace touchstone::pipeline::difference
