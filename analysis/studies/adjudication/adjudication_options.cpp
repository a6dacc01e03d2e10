#include "analysis/studies/adjudication/adjudication_options.hpp"

#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::analysis::studies::adjudication {

std::vector<AdjudicationMethod> AdjudicationStudyOptions::all_methods() {
  std::vector<AdjudicationMethod> all;
  for (const auto& choice : Choices<AdjudicationMethod>::table) all.push_back(choice.value);
  return all;
}

std::vector<Option<AdjudicationStudyOptions>> AdjudicationStudyOptions::options() {
  using Options = AdjudicationStudyOptions;
  return {
      {"adjudication.methods", &Options::methods, "Adjudication methods to study."},
      {"adjudication.pool_depth", &Options::pool_depth, between(1, 1e6), "Ranks of each run that are in the pool."},
      {"adjudication.budgets", &Options::budgets, "Judgments of a topic."},
      {"adjudication.seeds", &Options::seeds, between(1, 1e5), "Runs of each method that draws at random."},
      {"adjudication.permutations", &Options::permutations, between(1, 1e9),
       "Permutations of each randomised Tukey HSD test."},
      {"adjudication.rate", &Options::rate, between(0, 1),
       "How much earlier judgments count in mm-ns and ts-ns; at 0 only the last one of a run does."},
      {"adjudication.hedge_beta", &Options::hedge_beta, between(1e-9, 1 - 1e-9),
       "How fast hedge learns; lower is faster."},
      {"adjudication.leave_out", &Options::leave_out,
       "Systems that do not contribute to the pool; then only these are compared."},
  };
}

std::vector<std::size_t> budgets_of(const AdjudicationStudyOptions& options) {
  std::vector<std::size_t> budgets;
  for (const auto& text : options.budgets) {
    std::uint32_t budget = 0;
    if (!formats::fields::parse_integer(text, std::uint32_t{1}, std::uint32_t{1'000'000'000}, budget)) {
      throw ConfigError(fmt::format("adjudication.budgets: {} is not a number of judgments; say, for example, 10,30",
                                    formats::fields::quote_for_message(text)));
    }
    budgets.push_back(budget);
  }
  if (budgets.empty()) throw ConfigError("adjudication.budgets is empty; say, for example, 10,30");
  std::sort(budgets.begin(), budgets.end());
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

}  // namespace touchstone::analysis::studies::adjudication
