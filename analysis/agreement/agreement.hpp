#pragma once

#include "analysis/agreement/coefficients.hpp"
#include "analysis/agreement/ratings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// How far assessors agree who judged the same passages.
namespace touchstone::analysis::agreement {

struct AgreementOptions {
  int min_grade = 2;             ///< lowest grade that becomes 1 in the two-grade view
  std::size_t resamples = 1000;  ///< of the bootstrap
  std::uint64_t seed = 1;        ///< of the bootstrap
  std::vector<std::string> excluded_topics;
};

/// A coefficient of agreement with its 95 % bootstrap interval.
struct AgreementCoefficient {
  std::string_view name;  ///< "Cohen kappa"
  double value = 0;
  Interval interval;
};

struct AssessorAgreement {
  Ratings ratings;                 ///< without the excluded topics
  std::size_t complete_items = 0;  ///< judged by all assessors
  AgreementOptions options;
  std::vector<AgreementCoefficient> all_grades, two_grades;  ///< the same coefficients in the same order
};

/// Computes all coefficients over all grades and over two. Krippendorff's alpha uses every item, the others only items
/// that all assessors judged. Deterministic for a seed. Throws Error if no passage was judged by all assessors.
AssessorAgreement measure_agreement(const Ratings& ratings, const AgreementOptions& options);

}  // namespace touchstone::analysis::agreement
