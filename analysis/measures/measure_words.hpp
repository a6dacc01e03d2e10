#pragma once

#include "analysis/measures/measure.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::analysis::measures::internal {

// Reading the words that name measures.

/// Throws ConfigError: what is wrong with `word`, the measure as the user wrote it.
[[noreturn]] void refuse(std::string_view word, std::string_view why);

// Values of parameters. All throw ConfigError that names `word`.
double read_number(std::string_view word, std::string_view text);
double read_number_within(std::string_view word, std::string_view name, std::string_view text, double low, double high);
/// Ranks that count. As in trec_eval, a fraction is cut off.
std::uint32_t read_cutoff(std::string_view word, std::string_view text);
int read_grade(std::string_view word, std::string_view text);

/// A measure of ir_measures. `arguments` is between the parentheses, `at` behind the @; both may be empty.
Measure make_ir_measures(std::string_view word, const MeasureFamily& family, std::string_view arguments,
                         std::string_view at);

}  // namespace touchstone::analysis::measures::internal
