#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace touchstone::analysis::significance {

/// What the paired t test decides about two systems.
struct PairDecision {
  double difference = 0;  ///< of the means, first minus second; 0 if rounding alone could explain it
  bool significant = false;
};

/// The decisions of the two-sided paired t test without correction for all pairs (0, 1), (0, 2), ..., (1, 2), ...
/// The same as compare_systems() decides, for studies that ask very often: it needs no p-values.
/// \param values  [systems][topics], row-major
/// \return        nothing is significant for fewer than two topics, and without a topic all differences are 0
std::vector<PairDecision> t_test_decisions(std::span<const double> values, std::size_t systems, std::size_t topics,
                                           double alpha);

}  // namespace touchstone::analysis::significance
