#pragma once

#include "analysis/adjudication/adjudicator.hpp"
#include "common/options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::analysis::studies::adjudication {

namespace methods = analysis::adjudication;
using methods::AdjudicationMethod;

struct AdjudicationStudyOptions {
  std::vector<AdjudicationMethod> methods = all_methods();
  std::int64_t pool_depth = 10;
  std::vector<std::string> budgets = {"10", "30"};
  std::int64_t seeds = 50;
  std::int64_t permutations = 20'000;
  double rate = 0, hedge_beta = 0.1;
  std::vector<std::string> leave_out;

  static std::vector<AdjudicationMethod> all_methods();
  static std::vector<Option<AdjudicationStudyOptions>> options();
};

/// The budgets as numbers, ascending, each once. Throws ConfigError for one that is not a whole number above 0.
std::vector<std::size_t> budgets_of(const AdjudicationStudyOptions& options);

}  // namespace touchstone::analysis::studies::adjudication
