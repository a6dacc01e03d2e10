#include "analysis/studies/study.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace touchstone::analysis::studies {

std::vector<Option<StudyOptions>> StudyOptions::options() {
  return {
      {"study.qrels", &StudyOptions::qrels, "TREC qrels, plain or .gz."},
      {"study.runs", &StudyOptions::runs, "TREC runs, plain or .gz."},
      {"study.measures", &StudyOptions::measures, "Measures such as R@20, nDCG@10 or map."},
      {"study.min_grade", &StudyOptions::min_grade, between(-127, 127), "Lowest relevant grade."},
      {"study.complete", &StudyOptions::complete,
       "Topics that a run does not answer count as 0; false leaves them out."},
      {"study.alpha", &StudyOptions::alpha, between(1e-6, 0.5), "Significance level."},
      {"study.seed", &StudyOptions::seed, between(0, 9e15), "Random seed."},
  };
}

double as_shown(double value, int decimals) {
  return std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr);
}

JudgedRuns read_judged_runs(const StudyOptions& options, std::size_t least_runs, std::uint32_t depth) {
  if (options.qrels.empty()) throw ConfigError("there are no judgments; name them with --qrels FILE");
  if (options.runs.size() < least_runs) {
    throw ConfigError(fmt::format("{} run{} given; this study needs at least {}, because it compares systems",
                                  options.runs.size(), options.runs.size() == 1 ? " is" : "s are", least_runs));
  }
  return JudgedRuns(options.qrels, options.runs, {options.complete, depth});
}

std::vector<measures::LabelScorer> study_measures(const StudyOptions& options, const std::string& standard) {
  const std::vector<std::string> words = options.measures.empty() ? std::vector{standard} : options.measures;
  std::vector<measures::LabelScorer> scorers;
  for (const auto& measure : measures::parse_measures(words))
    scorers.emplace_back(measure, static_cast<int>(options.min_grade));
  return scorers;
}

std::uint64_t count_relevant(const JudgedRuns& runs, int min_grade) {
  std::uint64_t relevant = 0;
  for (std::size_t t = 0; t < runs.topic_count(); ++t) relevant += runs.relevant(t, min_grade).size();
  if (relevant > 0) return relevant;
  throw ConfigError(
      fmt::format("{} has no judgment of grade {} or higher for the topics of the runs; the highest is {}",
                  runs.qrels().string(), min_grade, runs.highest_grade()) +
      "; choose the lowest relevant grade with --min-grade");
}

std::vector<std::pair<std::string, std::string>> input_facts(const JudgedRuns& runs, const StudyOptions& options) {
  std::string topics = fmt::to_string(runs.topic_count());
  if (const auto missing = runs.missing_answers(); !missing.empty()) topics += "; " + missing;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"qrels", runs.qrels().string()},
      {"systems", fmt::to_string(runs.systems().size())},
      {"topics", topics},
      {"lowest relevant grade", fmt::to_string(options.min_grade)},
      {"seed", fmt::to_string(options.seed)}};
  for (std::size_t s = 0; s < runs.systems().size(); ++s)
    facts.emplace_back("run " + runs.systems()[s], runs.files()[s]);
  return facts;
}

}  // namespace touchstone::analysis::studies
