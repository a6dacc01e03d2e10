#pragma once

#include "analysis/presentation/source_text.hpp"
#include "analysis/significance/significance.hpp"
#include "common/json_writer.hpp"

#include <string>

/// How significance tests and their results are described, whatever is tested.
namespace touchstone::analysis::presentation::internal {

/// "t-test, holm, alpha 0.05", with the permutations and the seed of a sampled test.
std::string test_words(const significance::CompareOptions& options, bool exact);

/// A p-value for people.
std::string p_value_text(double p);

/// What the intervals low and high cover.
std::string interval_note(const significance::IntervalKind& intervals, const significance::CompareOptions& options);

/// The test, its options and the kind of its intervals, for the head of a TSV table.
void add_test_facts(Facts& facts, const significance::CompareOptions& options,
                    const significance::IntervalKind& intervals, bool exact);

/// The fields `test`, `correction`, `alpha`, and of a sampled test `permutations`, `seed` and `exact`.
void write_test(JsonWriter& json, const significance::CompareOptions& options, bool exact);

/// The field `intervals`: `level`, `simultaneous`, and `fcr_level` under Benjamini-Hochberg.
void write_intervals(JsonWriter& json, const significance::IntervalKind& intervals);

}  // namespace touchstone::analysis::presentation::internal
