#include "analysis/studies/judged_runs.hpp"

#include "analysis/measures/evaluate.hpp"
#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::analysis::studies {
namespace {

constexpr auto kNoTopic = std::numeric_limits<std::size_t>::max();

}  // namespace

JudgedRuns::JudgedRuns(const std::filesystem::path& qrels, std::span<const std::string> runs,
                       const JudgedRunsOptions& options)
    : qrels_(qrels) {
  const std::vector<std::filesystem::path> paths(runs.begin(), runs.end());
  measures::refuse_repeated(paths);
  runs_.resize(runs.size());
  run_topic_.resize(runs.size());
  statistics::for_each_or_throw(runs.size(), [&](std::size_t i) {
    runs_[i] = std::make_unique<formats::trec::RunFile>(runs[i]);
    auto& found = run_topic_[i];
    found.assign(qrels_.topic_count(), kNoTopic);
    for (std::size_t t = 0; t < runs_[i]->topic_count(); ++t) {
      if (const auto judged = qrels_.find_topic(runs_[i]->topic(t))) found[*judged] = t;
    }
    if (runs_[i]->topic_count() > 0 &&
        std::all_of(found.begin(), found.end(), [](std::size_t t) { return t == kNoTopic; })) {
      measures::refuse_different_topics(*runs_[i], qrels_);
    }
  });
  auto& source = frame_.source;
  source.qrels = qrels.string();
  source.complete = options.complete;
  source.run_files.assign(runs.begin(), runs.end());
  for (const auto& run : runs_) source.run_tags.push_back(run->tag());
  for (const auto& topics : run_topic_)
    source.unanswered.push_back(static_cast<std::size_t>(std::count(topics.begin(), topics.end(), kNoTopic)));
  frame_.systems = measures::run_names(paths, source.run_tags);
  choose_topics(options.complete);
  statistics::for_each_or_throw(topics_.size(), [&](std::size_t t) { read_topic(topics_[t], options.depth); });
}

void JudgedRuns::choose_topics(bool complete) {
  for (std::size_t judged = 0; judged < qrels_.topic_count(); ++judged) {
    const bool in_all = std::all_of(run_topic_.begin(), run_topic_.end(),
                                    [&](const auto& topics) { return topics[judged] != kNoTopic; });
    if (!complete && !in_all) continue;
    topics_.push_back({judged, {}, {}, {}});
    frame_.topics.emplace_back(qrels_.topic(judged));
  }
  frame_.topics_left_out = qrels_.topic_count() - topics_.size();
  if (topics_.empty()) {
    throw Error(
        fmt::format("no topic of {} is answered by all of the runs; without --answered-only, topics without an "
                    "answer count as 0",
                    qrels_.path().string()));
  }
}

void JudgedRuns::read_topic(Topic& topic, std::uint32_t depth) const {
  std::vector<formats::trec::RunEntry> entries;
  std::unordered_map<std::string_view, std::uint32_t> others;
  for (const auto& judgment : qrels_.judgments(topic.judged)) topic.docids.push_back(judgment.docid);
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    topic.first_of_run.push_back(topic.passages.size());
    const auto at = run_topic_[run][topic.judged];
    if (at == kNoTopic) continue;
    const auto faults = runs_[run]->read_topic(at, entries);
    if (faults.total() > 0) throw FormatError(runs_[run]->describe(faults.first_fault, faults.first_offset));
    entries.resize(std::min<std::size_t>(entries.size(), depth));
    for (const auto& entry : entries) {
      auto passage = qrels_.find(topic.judged, entry.docid, entry.docid_hash);
      if (passage == formats::trec::QrelsTable::kNone) {
        const auto [place, is_new] = others.emplace(entry.docid, topic.docids.size());
        if (is_new) topic.docids.push_back(entry.docid);
        passage = place->second;
      }
      topic.passages.push_back(passage);
    }
  }
  topic.first_of_run.push_back(topic.passages.size());
}

std::span<const std::uint32_t> JudgedRuns::ranking(std::size_t system, std::size_t topic) const {
  const auto& at = topics_[topic];
  const auto first = at.first_of_run[system];
  return std::span(at.passages).subspan(first, at.first_of_run[system + 1] - first);
}

std::vector<std::uint32_t> JudgedRuns::relevant(std::size_t topic, int min_grade) const {
  std::vector<std::uint32_t> passages;
  const auto judgments = qrels_.judgments(topics_[topic].judged);
  for (std::uint32_t i = 0; i < judgments.size(); ++i) {
    if (judgments[i].grade >= min_grade && judgments[i].grade >= 0) passages.push_back(i);
  }
  return passages;
}

int JudgedRuns::highest_grade() const noexcept {
  std::size_t highest = 0;
  for (const auto& topic : topics_) highest = std::max(highest, qrels_.grade_counts(topic.judged).size());
  return static_cast<int>(highest) - 1;
}

std::vector<measures::TopicLabels> JudgedRuns::labels() const {
  std::vector<measures::TopicLabels> all;
  for (const auto& topic : topics_) {
    const auto judgments = qrels_.judgments(topic.judged);
    auto& labels = all.emplace_back(judgments.size());
    for (std::size_t i = 0; i < judgments.size(); ++i) labels.set(i, judgments[i].grade);
  }
  return all;
}

statistics::ScoreMatrix JudgedRuns::score(const measures::LabelScorer& scorer,
                                          std::span<const measures::TopicLabels> labels) const {
  TS_CHECK(labels.size() == topics_.size(), "labels for each topic");
  const std::size_t topics = topics_.size(), systems = runs_.size();
  std::vector<double> values(systems * topics);
  statistics::for_each_block(topics, [&](std::size_t t) {
    for (std::size_t s = 0; s < systems; ++s) values[s * topics + t] = scorer.score(ranking(s, t), labels[t]);
  });
  auto matrix = frame_;
  matrix.source.measure = scorer.measure().name;
  matrix.topics.clear();
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < topics; ++t) {
    bool has_values = true;
    for (std::size_t s = 0; s < systems; ++s) has_values = has_values && !std::isnan(values[s * topics + t]);
    if (!has_values) continue;
    kept.push_back(t);
    matrix.topics.emplace_back(topic(t));
  }
  matrix.topics_left_out = qrels_.topic_count() - kept.size();
  for (std::size_t s = 0; s < systems; ++s) {
    for (const auto t : kept) matrix.values.push_back(values[s * topics + t]);
  }
  return matrix;
}

}  // namespace touchstone::analysis::studies
