#include "analysis/measures/qrels_scorer.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {
namespace {

using formats::trec::QrelsTable;
using formats::trec::RunEntry;

/// ERR needs the highest grade of its scale to be the highest of the qrels.
void check_grades(const formats::trec::QrelsTable& qrels, const Measure& measure) {
  if (measure.kind != MeasureKind::kErr) return;
  for (std::size_t topic = 0; topic < qrels.topic_count(); ++topic) {
    const auto grades = qrels.grade_counts(topic).size();  // from 0
    if (static_cast<double>(grades) > measure.numbers.front() + 1) {
      throw ConfigError(fmt::format(
          "measure \"{}\": topic \"{}\" of {} has the grade {}; say ERR(max_rel=...) with the highest grade "
          "of the scale",
          measure.name, qrels.topic(topic), qrels.path().string(), grades - 1));
    }
  }
}

void rank(const QrelsTable& qrels, std::size_t topic, std::span<const RunEntry> entries, std::uint32_t most,
          Ranking& ranking) {
  ranking.retrieved = static_cast<std::uint32_t>(std::min<std::size_t>(entries.size(), most));
  ranking.hits.clear();
  const auto judgments = qrels.judgments(topic);
  for (std::uint32_t i = 0; i < ranking.retrieved; ++i) {
    const auto judgment = qrels.find(topic, entries[i].docid, entries[i].docid_hash);
    if (judgment != QrelsTable::kNone) ranking.hits.push_back({i, judgment, judgments[judgment].grade});
  }
}

std::string relevance_string(const Ranking& ranking, std::uint32_t length, bool judged_only) {
  std::string text;
  auto hit = ranking.hits.begin();
  for (std::uint32_t i = 0; i < ranking.retrieved && text.size() < length; ++i) {
    const bool is_hit = hit != ranking.hits.end() && hit->rank == i;
    const int grade = is_hit ? hit->grade : -1;
    if (!judged_only || grade >= 0) {
      text += !is_hit ? '-' : grade < 0 ? '.' : grade > 9 ? '>' : static_cast<char>('0' + grade);
    }
    if (is_hit) ++hit;
  }
  return text;
}

bool has_facets(std::span<const Measure> measures) {
  return std::any_of(measures.begin(), measures.end(), [](const Measure& m) { return m.needs_facets(); });
}

}  // namespace

QrelsScorer::QrelsScorer(const std::filesystem::path& qrels, std::span<const Measure> measures,
                         const EvaluateOptions& options)
    : qrels_(qrels, {has_facets(measures), options.lenient}),
      measures_(measures),
      options_(options),
      string_length_(relevance_string_length(measures)) {
  for (const auto& measure : measures) {
    check_grades(qrels_, measure);
    const Lens lens{measure.min_grade.value_or(options.min_grade), measure.judged_only || options.judged_only};
    const auto at = std::find(lenses_.begin(), lenses_.end(), lens);
    lens_of_.push_back(static_cast<std::size_t>(at - lenses_.begin()));
    if (at == lenses_.end()) lenses_.push_back(lens);
  }
}

std::uint64_t QrelsScorer::grades_above_zero() const {
  std::uint64_t sum = 0;
  for (std::size_t topic = 0; topic < qrels_.topic_count(); ++topic) {
    const auto counts = qrels_.grade_counts(topic);
    for (std::size_t grade = 1; grade < counts.size(); ++grade) sum += counts[grade];
  }
  return sum;
}

int QrelsScorer::highest_grade() const {
  std::size_t highest = 0;
  for (std::size_t topic = 0; topic < qrels_.topic_count(); ++topic)
    highest = std::max(highest, qrels_.grade_counts(topic).size());
  return static_cast<int>(highest) - 1;
}

TopicScores QrelsScorer::score(std::size_t topic, std::span<const RunEntry> entries) const {
  thread_local Ranking ranking;
  rank(qrels_, topic, entries, options_.max_passages, ranking);
  TopicScores scores{values_of(topic, ranking), ""};
  if (string_length_ > 0) scores.relevance_string = relevance_string(ranking, string_length_, options_.judged_only);
  return scores;
}

TopicScores QrelsScorer::score_missing(std::size_t topic) const {
  TopicScores scores{values_of(topic, {1, {}}), ""};
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const Measure& measure = measures_[i];
    const bool has_defaults = !measure.has_parameters;
    if (measure.kind == MeasureKind::kNumRet || measure.kind == MeasureKind::kUnjudged ||
        (has_defaults && (measure.kind == MeasureKind::kUtility || measure.kind == MeasureKind::kRbpResidual))) {
      scores.values[i] = 0;
    }
  }
  return scores;
}

std::vector<double> QrelsScorer::values_of(std::size_t topic, const Ranking& ranking) const {
  thread_local ViewMaker maker;
  std::vector<double> values(measures_.size());
  for (std::size_t lens = 0; lens < lenses_.size(); ++lens) {
    auto view = maker.view(ranking, qrels_.grade_counts(topic), lenses_[lens]);
    view.qrels = &qrels_;
    view.topic = topic;
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      if (lens_of_[i] == lens) values[i] = value_of(measures_[i], view);
    }
  }
  return values;
}

double QrelsScorer::value_of(const Measure& measure, const View& view) const {
  switch (class_of(measure.kind)) {
    case MeasureClass::kBinary:
      return binary_score(measure, view, options_.collection_size);
    case MeasureClass::kGain:
      return gain_score(measure, view);
    case MeasureClass::kFacet:
      return facet_score(measure, view);
    case MeasureClass::kText:
      break;
  }
  return 0;
}

std::uint32_t relevance_string_length(std::span<const Measure> measures) {
  double length = 0;
  for (const auto& measure : measures) {
    if (measure.kind == MeasureKind::kRelstring) length = std::max(length, measure.numbers.front());
  }
  return static_cast<std::uint32_t>(length);
}

double average(const Measure& measure, std::span<const double> values) {
  const auto topics = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  switch (measure.family->average) {
    case Average::kMean:
      return sum / topics;
    case Average::kMeanOfDefined: {
      double defined = 0, defined_sum = 0;
      for (const double value : values) {
        if (std::isnan(value)) continue;
        ++defined;
        defined_sum += value;
      }
      return defined_sum / defined;  // NaN if no topic has a value
    }
    case Average::kSum:
      return sum;
    case Average::kGeometricMean:
      return std::exp(sum / topics);
    case Average::kTopicCount:
      return topics;
    case Average::kNone:
      break;
  }
  return 0;
}

}  // namespace touchstone::analysis::measures::internal
