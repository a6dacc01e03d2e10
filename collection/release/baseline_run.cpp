#include "collection/release/baseline_run.hpp"

#include "common/number_text.hpp"

#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::release {

using nlohmann::ordered_json;

std::optional<BaselineRun> write_baseline_run(const std::filesystem::path& directory, const BaselineSystem& system,
                                              const WriteOptions& options) {
  const auto folder = directory / std::filesystem::path(kBaselineRunFile).parent_path();
  std::filesystem::create_directories(folder);
  {
    TextWriter run(directory / kBaselineRunFile, options);
    if (system.retrieve(directory, run)) {
      run.finish();
    } else {
      std::error_code ignored;  // an empty folder is in nobody's way
      std::filesystem::remove(folder, ignored);
      return std::nullopt;
    }
  }
  BaselineRun made = system.about;
  made.scores = system.score(directory);
  write_file_atomically(directory / kBaselineScoresFile, baseline_scores_tsv(made.scores), options);
  return made;
}

std::string baseline_scores_tsv(const BaselineScores& scores) {
  std::string lines = "measure\tvalue\n";
  for (const auto& [measure, value] : scores) lines += measure + "\t" + fixed_digits(value, kBaselineDigits) + "\n";
  return lines;
}

ordered_json baseline_json(const BaselineRun& run) {
  ordered_json scores = ordered_json::object();
  for (const auto& [measure, value] : run.scores) scores[measure] = value;
  return {{"run", kBaselineRunFile},
          {"system", run.system},
          {"depth", run.depth},
          {"qrels", run.qrels},
          {"scores", std::move(scores)}};
}

BaselineRun baseline_from(const ordered_json& json) {
  BaselineRun run;
  json.at("system").get_to(run.system);
  json.at("depth").get_to(run.depth);
  json.at("qrels").get_to(run.qrels);
  for (const auto& [measure, value] : json.at("scores").items()) run.scores.emplace_back(measure, value.get<double>());
  return run;
}

}  // namespace touchstone::collection::release
