#include "analysis/studies/judged_runs.hpp"

#include "analysis/measures/evaluate.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <unordered_map>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies {
namespace {

constexpr auto kNoTopic = std::numeric_limits<std::size_t>::max();

/// Calls `work(i)` for 0 ... count - 1 on all threads of the arena. Of several errors the one of the smallest index is
/// thrown, so that the message does not depend on the threads.
template <class Work>
void for_each_in_parallel(std::size_t count, const Work& work) {
  std::vector<std::exception_ptr> errors(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {  // rethrown below
      errors[i] = std::current_exception();
    }
  });
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void refuse_repeated(std::span<const std::string> runs) {
  for (const auto& run : runs) {
    if (std::count(runs.begin(), runs.end(), run) > 1)
      throw ConfigError(fmt::format("the run {} is given twice; name each run once", run));
  }
}

std::string first_topics(const auto& source) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(source.topic_count(), 3); ++i)
    text += (i == 0 ? "" : ", ") + formats::fields::quote_for_message(source.topic(i));
  return text + (source.topic_count() > 3 ? ", ..." : "");
}

}  // namespace

JudgedRuns::JudgedRuns(const std::filesystem::path& qrels, std::span<const std::string> runs,
                       const JudgedRunsOptions& options)
    : qrels_(qrels), complete_(options.complete) {
  refuse_repeated(runs);
  runs_.resize(runs.size());
  run_topic_.resize(runs.size());
  for_each_in_parallel(runs.size(), [&](std::size_t i) {
    runs_[i] = std::make_unique<formats::trec::RunFile>(runs[i]);
    auto& found = run_topic_[i];
    found.assign(qrels_.topic_count(), kNoTopic);
    for (std::size_t t = 0; t < runs_[i]->topic_count(); ++t) {
      if (const auto judged = qrels_.find_topic(runs_[i]->topic(t))) found[*judged] = t;
    }
    if (runs_[i]->topic_count() > 0 &&
        std::all_of(found.begin(), found.end(), [](std::size_t t) { return t == kNoTopic; })) {
      throw Error(fmt::format("{} and {} have no topic in common ({} against {}); are they of the same collection?",
                              runs[i], qrels_.path().string(), first_topics(*runs_[i]), first_topics(qrels_)));
    }
  });
  source_.files.assign(runs.begin(), runs.end());
  for (const auto& run : runs_) source_.tags.push_back(run->tag());
  for (const auto& topics : run_topic_)
    source_.unanswered.push_back(static_cast<std::size_t>(std::count(topics.begin(), topics.end(), kNoTopic)));
  const std::vector<std::filesystem::path> paths(runs.begin(), runs.end());
  source_.names = measures::run_names(paths, source_.tags);
  choose_topics(options.complete);
  for_each_in_parallel(topics_.size(), [&](std::size_t t) { read_topic(topics_[t], options.depth); });
}

void JudgedRuns::choose_topics(bool complete) {
  for (std::size_t judged = 0; judged < qrels_.topic_count(); ++judged) {
    const bool in_all = std::all_of(run_topic_.begin(), run_topic_.end(),
                                    [&](const auto& topics) { return topics[judged] != kNoTopic; });
    if (complete || in_all) topics_.push_back({judged, {}, {}, {}});
  }
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

std::size_t JudgedRuns::find_system(std::string_view name) const {
  statistics::ScoreMatrix named;
  named.systems = source_.names;
  named.source.run_files = source_.files;
  named.source.run_tags = source_.tags;
  return statistics::find_system(named, name);
}

std::string JudgedRuns::missing_answers() const {
  statistics::ScoreMatrix scores;
  scores.systems = source_.names;
  scores.topics.resize(topics_.size());
  scores.topics_left_out = qrels_.topic_count() - topics_.size();
  scores.source.complete = complete_;
  scores.source.unanswered = source_.unanswered;
  return statistics::missing_answers(scores);
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
  tbb::parallel_for(std::size_t{0}, topics, [&](std::size_t t) {
    for (std::size_t s = 0; s < systems; ++s) values[s * topics + t] = scorer.score(ranking(s, t), labels[t]);
  });
  statistics::ScoreMatrix matrix;
  matrix.systems = source_.names;
  matrix.source = {"",           qrels().string(),  scorer.measure().name, complete_, source_.files,
                   source_.tags, source_.unanswered};
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
