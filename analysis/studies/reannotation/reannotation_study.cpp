#include "analysis/studies/reannotation/reannotation_study.hpp"

#include "analysis/studies/reannotation/reannotation_output.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

struct ReannotationOptions {
  std::vector<std::string> assessors;
  std::int64_t combinations = 1000, permutations = 1000, shuffles = 200;

  static std::vector<Option<ReannotationOptions>> options() {
    return {
        {"reannotation.assessors", &ReannotationOptions::assessors,
         "Qrels of the new assessors, one file each, or folders of such files."},
        {"reannotation.combinations", &ReannotationOptions::combinations, between(1, 1e6),
         "Largest number of combinations of assessors; if there are more, so many random ones are taken."},
        {"reannotation.permutations", &ReannotationOptions::permutations, between(1, 1e6),
         "Random label sets that take each passage's grade from a random assessor."},
        {"reannotation.shuffles", &ReannotationOptions::shuffles, between(1, 1e5),
         "Random orders of passages with equal grades in the runs made of assessors."},
    };
  }
};

std::vector<std::filesystem::path> assessor_files(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> files;
  for (const auto& name : names) {
    std::error_code failed;
    if (!std::filesystem::is_directory(name, failed)) {
      files.emplace_back(name);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(name)) {
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  auto sorted = files;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw ConfigError(fmt::format("{} is given twice; each assessor has one file in --assessors", twice->string()));
  }
  return files;
}

StudyOutput run_reannotation(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& options = context.settings.get<ReannotationOptions>();
  const auto files = assessor_files(options.assessors);
  const auto scorers = study_measures(shared, "nDCG@10");
  if (scorers.size() != 1) throw ConfigError("this study takes one measure; run it once for each");
  const auto& scorer = scorers.front();
  const auto runs = read_judged_runs(shared, 2);
  count_relevant(runs, scorer.min_grade());
  const AssessorGrades grades(runs, files);
  StabilityPlan plan;
  plan.combinations = static_cast<std::size_t>(options.combinations);
  plan.permutations = static_cast<std::size_t>(options.permutations);
  plan.seed = static_cast<std::uint64_t>(shared.seed);
  context.progress.total = plan.permutations;
  ReannotationNumbers numbers;
  numbers.measure = scorer.measure().name;
  numbers.systems = runs.systems();
  numbers.assessors = grades.ratings().assessors;
  numbers.alpha = shared.alpha;
  numbers.agreement = agreement_numbers(runs, grades, scorer.min_grade());
  numbers.combinations = combination_stability(runs, grades, scorer, plan, context.progress, context.stop);
  numbers.permutations = permutation_stability(runs, grades, scorer, plan, context.progress, context.stop);
  const auto original = original_scores(runs, scorer);
  numbers.swaps = swap_pairs(original, numbers.permutations.scores);
  numbers.changes = rank_changes(original, numbers.combinations.scores);
  numbers.oracles = oracle_numbers(runs, grades, scorer, static_cast<std::size_t>(options.shuffles), plan.seed);
  StudyOutput output;
  output.study = "reannotation";
  output.facts = input_facts(runs, shared);
  output.facts.emplace_back("measure", numbers.measure);
  for (std::size_t a = 1; a < numbers.assessors.size(); ++a)
    output.facts.emplace_back("assessor " + numbers.assessors[a], files[a - 1].string());
  add_reannotation_output(output, numbers);
  return output;
}

}  // namespace

Study reannotation_study() {
  return {"reannotation", "What other assessors would change in the ranking of systems", "label sets",
          &option_group<ReannotationOptions>(), run_reannotation};
}

}  // namespace touchstone::analysis::studies::reannotation
