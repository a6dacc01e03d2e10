#include "analysis/studies/study.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::analysis::studies {
namespace {

/// The first line of a part: it tells results of other inputs, and files that were cut short, from this part.
std::string part_head(const std::string& fingerprint, std::string_view name, const std::string& text) {
  return fmt::format("{} {} {} {}\n", fingerprint, name, text.size(), sha256_hex(text));
}

std::optional<std::string> read_part(const std::filesystem::path& file, const std::string& fingerprint,
                                     std::string_view name) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return std::nullopt;
  const auto whole = read_file(file);
  const auto line_end = whole.find('\n');
  if (line_end == std::string::npos) return std::nullopt;
  auto text = whole.substr(line_end + 1);
  if (whole.substr(0, line_end + 1) != part_head(fingerprint, name, text)) return std::nullopt;
  return text;
}

}  // namespace

FinishedParts::FinishedParts(std::filesystem::path folder, std::string fingerprint)
    : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)) {}

std::filesystem::path FinishedParts::file_of(std::string_view name) const {
  return folder_ / sha256_hex(name).substr(0, 24);
}

std::string FinishedParts::part(std::string_view name, const std::function<std::string()>& compute) {
  if (folder_.empty()) return compute();
  const auto file = file_of(name);
  if (auto kept = read_part(file, fingerprint_, name)) return std::move(*kept);
  auto text = compute();
  {
    const std::lock_guard lock(making_folder_);
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (failed) throw StorageError(fmt::format("cannot make the folder {}: {}", folder_.string(), failed.message()));
  }
  write_file_atomically(file, part_head(fingerprint_, name, text) + text);
  return text;
}

void FinishedParts::remove() {
  if (folder_.empty()) return;
  std::error_code ignored;  // the next run recognises files that are left, and ignores them
  std::filesystem::remove_all(folder_, ignored);
}

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
