#include "analysis/measures/evaluate.hpp"

#include "analysis/measures/qrels_scorer.hpp"
#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace touchstone::analysis::measures {
namespace {

using formats::trec::RunEntry;
using formats::trec::RunFile;

/// Topics that a thread scores before it releases their part of the run. With 1,000 passages each, about 1 MB.
constexpr std::size_t kTopicsAtOnce = 32;
constexpr auto kNoTopic = std::numeric_limits<std::size_t>::max();

/// The result of one topic of a run, before the topics are sorted.
struct TopicResult {
  std::size_t judged_topic = kNoTopic;
  bool scored = false;
  formats::trec::LineFaults faults;
  internal::TopicScores scores;
};

std::vector<TopicResult> score_topics(const RunFile& run, const internal::QrelsScorer& scorer) {
  std::vector<TopicResult> results(run.topic_count());
  const auto score = [&](std::size_t i) {
    thread_local std::vector<RunEntry> entries;
    auto& result = results[i];
    result.faults = run.read_topic(i, entries);
    result.scored = !entries.empty();
    const auto topic = scorer.qrels().find_topic(run.topic(i));
    if (!topic || !result.scored) return;
    result.judged_topic = *topic;
    result.scores = scorer.score(*topic, entries);
  };
  using Topics = tbb::blocked_range<std::size_t>;
  tbb::parallel_for(
      Topics(0, results.size(), kTopicsAtOnce),
      [&](const Topics& topics) {
        for (auto i = topics.begin(); i != topics.end(); ++i) score(i);
        run.release_topics(topics.begin(), topics.end());
      },
      tbb::simple_partitioner());
  return results;
}

void take_means(RunScores& run, std::span<const Measure> measures) {
  std::vector<double> column(run.topics.size());
  run.means.assign(measures.size(), 0);
  if (column.empty()) return;  // the run answers no topic
  for (std::size_t m = 0; m < measures.size(); ++m) {
    for (std::size_t row = 0; row < column.size(); ++row) column[row] = run.value(row, m, measures.size());
    run.means[m] = internal::average(measures[m], column);
  }
}

RunScores score_run(const std::filesystem::path& path, const internal::QrelsScorer& scorer,
                    std::span<const Measure> measures, const EvaluateOptions& options) {
  const RunFile run(path);
  auto results = score_topics(run, scorer);
  RunScores scores;
  scores.file = path;
  scores.tag = run.tag();
  std::vector<TopicResult*> row_of(scorer.qrels().topic_count(), nullptr);
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto& result = results[i];
    scores.faults.add(result.faults);
    if (result.judged_topic != kNoTopic) {
      row_of[result.judged_topic] = &result;
    } else if (result.scored && ++scores.unknown_topics == 1) {  // topics are in the order of the file
      scores.first_unknown_topic = run.topic(i);
      scores.first_unknown_line = run.line_at(run.first_offset(i));
    }
  }
  if (scores.faults.total() > 0 && !options.lenient) {
    throw FormatError(run.describe(scores.faults.first_fault, scores.faults.first_offset) + options.bad_line_advice);
  }
  if (scores.faults.with_more_fields > 0) scores.first_line_with_more = run.line_at(scores.faults.first_with_more);
  const bool has_strings = internal::relevance_string_length(measures) > 0;
  for (std::size_t topic = 0; topic < row_of.size(); ++topic) {
    TopicResult missing;
    auto* result = row_of[topic];
    if (result == nullptr) {
      ++scores.missing_topics;
      if (!options.complete) continue;
      missing.scores = scorer.score_missing(topic);
      result = &missing;
    }
    scores.topics.push_back(topic);
    const auto& values = result->scores.values;
    scores.values.insert(scores.values.end(), values.begin(), values.end());
    if (has_strings) scores.relevance_strings.push_back(std::move(result->scores.relevance_string));
  }
  if (scores.missing_topics == scorer.qrels().topic_count() && run.topic_count() > 0) {
    refuse_different_topics(run, scorer.qrels());
  }
  take_means(scores, measures);
  return scores;
}

/// The file's name on one line, without folder and `.gz`.
std::string short_file_name(const std::filesystem::path& run) {
  return formats::fields::one_line((run.extension() == ".gz" ? run.stem() : run.filename()).string());
}

/// The name that a run gives itself: its tag, or where it has none, its file without `.run`.
std::string own_name(const std::filesystem::path& run, const std::string& tag) {
  if (!tag.empty() && formats::fields::is_one_line(tag)) return tag;
  auto name = short_file_name(run);
  if (tag.empty() && name.size() > 4 && name.ends_with(".run")) name.resize(name.size() - 4);
  return name;
}

std::string long_file_name(const std::filesystem::path& run) {
  return formats::fields::one_line(run.string());
}

void name_runs(std::span<RunScores> runs) {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> tags;
  for (const auto& run : runs) {
    files.push_back(run.file);
    tags.push_back(run.tag);
  }
  auto names = run_names(files, tags);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].name = std::move(names[i]);
}

/// The values of one measure on the topics where all runs have one.
statistics::ScoreMatrix matrix_of(const Evaluation& evaluation, std::size_t measure) {
  const std::size_t measures = evaluation.measures.size();
  std::vector<std::size_t> runs_with(evaluation.topics.size());
  for (const auto& run : evaluation.runs) {
    for (std::size_t row = 0; row < run.topics.size(); ++row)
      runs_with[run.topics[row]] += !std::isnan(run.value(row, measure, measures));
  }
  statistics::ScoreMatrix matrix;
  matrix.source.qrels = evaluation.qrels.string();
  matrix.source.measure = evaluation.measures[measure].name;
  matrix.source.complete = evaluation.options.complete;
  for (const auto& run : evaluation.runs) {
    matrix.systems.push_back(run.name);
    matrix.source.run_files.push_back(run.file.string());
    matrix.source.run_tags.push_back(run.tag);
    matrix.source.unanswered.push_back(run.missing_topics);
  }
  const std::size_t runs = evaluation.runs.size();
  for (std::size_t topic = 0; topic < runs_with.size(); ++topic) {
    if (runs_with[topic] == runs) matrix.topics.push_back(evaluation.topics[topic]);
  }
  matrix.topics_left_out = runs_with.size() - matrix.topics.size();
  if (matrix.topics.empty()) {
    throw Error(
        fmt::format("no topic of {} is answered by all of the runs; without --answered-only, topics without an "
                    "answer count as 0",
                    evaluation.qrels.string()));
  }
  for (const auto& run : evaluation.runs) {
    for (std::size_t row = 0; row < run.topics.size(); ++row) {
      if (runs_with[run.topics[row]] == runs) matrix.values.push_back(run.value(row, measure, measures));
    }
  }
  return matrix;
}

constexpr double kNoReference = -1000000;  // as trec_eval prints it
constexpr std::size_t kMaxLineBytes = 1 << 20;

struct Reference {
  double mean, deviation;
};

using References = std::map<std::pair<std::string, std::string>, Reference>;

References read_references(const std::filesystem::path& file) {
  References references;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        std::istringstream fields{std::string(line)};
        std::string topic, measure, mean, deviation, more;
        if (!(fields >> topic)) return true;
        Reference reference{};
        const bool complete = static_cast<bool>(fields >> measure >> mean >> deviation);
        if (!complete || fields >> more || !formats::fields::parse_real(mean, reference.mean) ||
            !formats::fields::parse_real(deviation, reference.deviation)) {
          throw FormatError(fmt::format("{}:{}: is no line \"topic measure mean deviation\"; repair or remove it",
                                        file.string(), number));
        }
        references[{topic, measure}] = reference;
        return true;
      },
      kMaxLineBytes);
  return references;
}

double z_score(const References& references, const std::string& topic, const std::string& measure, double value) {
  const auto found = references.find({topic, measure});
  if (found == references.end()) return kNoReference;
  const auto [mean, deviation] = found->second;
  if (deviation != 0) return (value - mean) / deviation;
  return value == mean ? 0 : kNoReference;
}

}  // namespace

Evaluation evaluate(const std::filesystem::path& qrels, std::span<const std::filesystem::path> runs,
                    std::vector<Measure> measures, const EvaluateOptions& options) {
  Evaluation evaluation;
  evaluation.measures = std::move(measures);
  evaluation.qrels = qrels;
  evaluation.options = options;
  const std::span<const Measure> all = evaluation.measures;
  statistics::in_arena(options.threads, [&] {
    const internal::QrelsScorer scorer(qrels, all, options);
    evaluation.qrels_faults = scorer.qrels().faults();
    evaluation.grades_above_zero = scorer.grades_above_zero();
    evaluation.highest_grade = scorer.highest_grade();
    for (std::size_t i = 0; i < scorer.qrels().topic_count(); ++i)
      evaluation.topics.emplace_back(scorer.qrels().topic(i));
    evaluation.runs.resize(runs.size());
    statistics::for_each_or_throw(runs.size(), [&](std::size_t i) {
      // Isolation keeps a thread that waits for the topics of its run from opening another run. So no more runs are in
      // memory than there are threads.
      tbb::this_task_arena::isolate([&] { evaluation.runs[i] = score_run(runs[i], scorer, all, options); });
    });
  });
  name_runs(evaluation.runs);
  return evaluation;
}

std::string why_always_zero(const Measure& measure, const Evaluation& evaluation) {
  const int level = measure.min_grade.value_or(evaluation.options.min_grade);
  if (level <= evaluation.highest_grade || measure.is_text()) return {};
  return fmt::format(
      "{}: no passage of {} has grade {} or higher, so that the measure means nothing; the highest grade is {}",
      measure.name, evaluation.qrels.string(), level, evaluation.highest_grade);
}

std::vector<statistics::ScoreMatrix> evaluate_matrices(const std::filesystem::path& qrels,
                                                       std::span<const std::filesystem::path> runs,
                                                       const std::vector<Measure>& measures,
                                                       const EvaluateOptions& options) {
  for (const auto& measure : measures) {
    if (measure.is_text()) throw ConfigError(fmt::format("measure \"{}\" has no number for each topic", measure.name));
  }
  refuse_repeated(runs);
  const auto evaluation = evaluate(qrels, runs, measures, options);
  for (const auto& measure : measures) {
    if (const auto why = why_always_zero(measure, evaluation); !why.empty()) throw ConfigError(why);
  }
  std::vector<statistics::ScoreMatrix> matrices;
  for (std::size_t m = 0; m < measures.size(); ++m) matrices.push_back(matrix_of(evaluation, m));
  return matrices;
}

void refuse_different_topics(const RunFile& run, const formats::trec::QrelsTable& qrels) {
  const auto some_topics = [](const auto& source) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(source.topic_count(), 3); ++i)
      text += (i == 0 ? "" : ", ") + formats::fields::quote_for_message(source.topic(i));
    return text + (source.topic_count() > 3 ? ", ..." : "");
  };
  throw Error(fmt::format("{} and {} have no topic in common ({} against {}); are they of the same collection?",
                          run.path().string(), qrels.path().string(), some_topics(run), some_topics(qrels)));
}

void refuse_repeated(std::span<const std::filesystem::path> runs) {
  for (const auto& run : runs) {
    if (std::count(runs.begin(), runs.end(), run) > 1)
      throw ConfigError(fmt::format("the run {} is given twice; name each run once", run.string()));
  }
}

std::vector<std::string> run_names(std::span<const std::filesystem::path> runs, std::span<const std::string> tags) {
  TS_CHECK(runs.size() == tags.size(), "a tag for each run");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runs.size(); ++i) names.push_back(own_name(runs[i], tags[i]));
  for (const auto& better_name : {short_file_name, long_file_name}) {
    std::map<std::string, std::size_t> uses;
    for (const auto& name : names) ++uses[name];
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (uses[names[i]] > 1) names[i] = better_name(runs[i]);
    }
  }
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) {
    for (std::size_t i = 0; i < runs.size(); ++i) names[i] = long_file_name(runs[i]);
  }
  return names;
}

void to_z_scores(Evaluation& evaluation, const std::filesystem::path& file) {
  const auto references = read_references(file);
  const auto& measures = evaluation.measures;
  evaluation.measure_prefix = "Z";
  evaluation.z_scores = file.string();
  for (auto& run : evaluation.runs) {
    for (std::size_t m = 0; m < measures.size(); ++m) {
      std::vector<double> column(run.topics.size());
      for (std::size_t row = 0; row < column.size(); ++row) {
        auto& value = run.values[row * measures.size() + m];
        value = z_score(references, evaluation.topics[run.topics[row]], measures[m].name, value);
        column[row] = value;
      }
      run.means[m] = internal::average(measures[m], column);
    }
  }
}

}  // namespace touchstone::analysis::measures
