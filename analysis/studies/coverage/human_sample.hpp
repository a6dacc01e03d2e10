#pragma once

#include "analysis/studies/coverage/coverage_numbers.hpp"
#include "analysis/studies/judged_runs.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace touchstone::analysis::studies::coverage {

/// What a file of human judgments says of the labels.
struct HumanSample {
  std::vector<Stratum> strata;  ///< in byte order of their names
  std::uint64_t known = 0;      ///< evidence of the qrels for all topics that qrels and runs share, as strata span them
  std::uint64_t topics = 0;     ///< topics of the sampled passages
  std::uint64_t judged = 0;     ///< passages with a grade
  std::uint64_t ungraded = 0;   ///< lines without one: nobody has judged them, and they count nowhere
  Estimate missed, recall;
};

/// Reads a table with the columns `topic`, `docid`, `stratum`, `stratum_size` and `grade` in any order, separated by
/// tabs, with a header: lines of unjudged.tsv, those that people judged with a grade. Strata span all topics that qrels
/// and runs share, whether or not a passage of each was drawn. Other columns and lines that start with `#` are ignored.
/// Throws FormatError with file, line and remedy for a bad line, a passage that comes twice, a stratum with two sizes,
/// with more judged lines than its size or with none, and a topic that the runs and qrels do not share.
/// \param min_grade  lowest relevant grade
HumanSample read_human_sample(const std::filesystem::path& file, const JudgedRuns& runs, int min_grade);

}  // namespace touchstone::analysis::studies::coverage
