#include "analysis/agreement/agreement.hpp"

#include "common/error.hpp"

#include <functional>

#include <fmt/format.h>

namespace touchstone::analysis::agreement {
namespace {

using Statistic = std::function<double(const Ratings&, ItemSet)>;

struct NamedStatistic {
  std::string_view name;
  Statistic statistic;
  const Ratings* ratings;
};

Statistic mean_over_topics(AgreementStatistic statistic) {
  return [=](const Ratings& ratings, ItemSet items) { return macro_mean(ratings, items, statistic); };
}

/// \param complete  items that all assessors judged
/// \param all       items with missing grades too
std::vector<AgreementCoefficient> coefficients(const Ratings& complete, const Ratings& all,
                                               const AgreementOptions& options) {
  const NamedStatistic statistics[] = {{"overlap", overlap, &complete},
                                       {"overlap, mean over topics", mean_over_topics(overlap), &complete},
                                       {"Cohen kappa", cohen_kappa, &complete},
                                       {"Cohen kappa, mean over topics", mean_over_topics(cohen_kappa), &complete},
                                       {"Fleiss kappa", fleiss_kappa, &complete},
                                       {"Fleiss kappa, mean over topics", mean_over_topics(fleiss_kappa), &complete},
                                       {"Krippendorff alpha, nominal", krippendorff_nominal, &all},
                                       {"Krippendorff alpha, ordinal", krippendorff_ordinal, &all},
                                       {"Krippendorff alpha, interval", krippendorff_interval, &all}};
  std::vector<AgreementCoefficient> result;
  for (const auto& [name, statistic, ratings] : statistics) {
    const auto items = all_items(*ratings);
    result.push_back(
        {name, statistic(*ratings, items), bootstrap_interval(*ratings, statistic, options.resamples, options.seed)});
  }
  return result;
}

}  // namespace

AssessorAgreement measure_agreement(const Ratings& ratings, const AgreementOptions& options) {
  const auto complete = complete_ratings(ratings, options.excluded_topics);
  if (complete.items.empty())
    throw Error(fmt::format("no passage was judged by all {} assessors; compare fewer files at a time",
                            ratings.assessors.size()));
  AssessorAgreement result;
  result.ratings = without_topics(ratings, options.excluded_topics);
  result.complete_items = complete.items.size();
  result.options = options;
  result.all_grades = coefficients(complete, result.ratings, options);
  result.two_grades = coefficients(binary_ratings(complete, options.min_grade),
                                   binary_ratings(result.ratings, options.min_grade), options);
  return result;
}

}  // namespace touchstone::analysis::agreement
