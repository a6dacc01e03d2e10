#pragma once

#include "analysis/agreement/run_overlap.hpp"
#include "common/json_writer.hpp"

#include <string>

/// How much runs have in common, as text. All functions are pure.
namespace touchstone::analysis::presentation {

/// A matrix of average overlaps with two decimals, the most and least alike pairs in words, and the mean of all pairs.
std::string overlap_table(const agreement::RunOverlap& overlap);

/// One line a pair with all digits, after a header: `first second average_overlap top_ten`.
std::string overlap_tsv(const agreement::RunOverlap& overlap);

/// Fields of an object that is open: depth, mean_average_overlap, pairs [{first, second, average_overlap, top_ten}].
void write_overlap(JsonWriter& json, const agreement::RunOverlap& overlap);

}  // namespace touchstone::analysis::presentation
