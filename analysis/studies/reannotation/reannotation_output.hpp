#pragma once

#include "analysis/studies/reannotation/assessor_agreement.hpp"
#include "analysis/studies/reannotation/oracle_runs.hpp"
#include "analysis/studies/reannotation/order_stability.hpp"
#include "analysis/studies/study_output.hpp"

#include <string>
#include <vector>

namespace touchstone::analysis::studies::reannotation {

struct ReannotationNumbers {
  std::string measure;
  std::vector<std::string> systems, assessors;  ///< assessor 0 is the original one
  double alpha = 0.05;
  AgreementNumbers agreement;
  OrderStability combinations, permutations;
  std::vector<SwapPair> swaps;  ///< over the permutations; empty without them
  std::vector<RankChange> changes;
  OracleNumbers oracles;
};

/// Adds title, findings, tables, figures and JSON fields.
void add_reannotation_output(StudyOutput& output, const ReannotationNumbers& numbers);

}  // namespace touchstone::analysis::studies::reannotation
