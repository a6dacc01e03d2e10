#pragma once

#include "analysis/studies/partial/partial_numbers.hpp"
#include "analysis/studies/study_output.hpp"

#include <span>
#include <vector>

/// The numbers of the study as tables, figures, JSON and sentences. All functions are pure.
namespace touchstone::analysis::studies::partial {

/// Adds tables, figures, findings and the fields of JSON; the numbers of each measure.
void add_partial_output(StudyOutput& output, const std::vector<PartialNumbers>& measures);

/// What follows from the numbers.
std::vector<Finding> partial_findings(const std::vector<PartialNumbers>& measures);

/// "p < .01", "p in [.01, .05)", "p >= .05"
std::string bucket_words(const OutcomeSpread::Bucket& bucket);
/// "17", or the mean where samples differ: "16.4 on average"
std::string pairs_words(const OutcomeSpread::Bucket& bucket);

}  // namespace touchstone::analysis::studies::partial
