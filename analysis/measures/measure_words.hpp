#pragma once

#include "analysis/measures/measure.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Reading the words that name measures.
namespace touchstone::analysis::measures::internal {

/// Throws ConfigError: what is wrong with `word`, the measure as the user wrote it.
[[noreturn]] void refuse(std::string_view word, std::string_view why);

/// The parts of `text` between separators; at least one.
std::vector<std::string_view> split(std::string_view text, char separator);

// Values of parameters. All throw ConfigError that names `word`.
double read_number(std::string_view word, std::string_view text);
double read_number_within(std::string_view word, std::string_view name, std::string_view text, double low, double high);
/// Ranks that count. As in trec_eval, a fraction is cut off.
std::uint32_t read_cutoff(std::string_view word, std::string_view text);
int read_grade(std::string_view word, std::string_view text);

/// The row with this name, or null.
const MeasureFamily* find_family(std::string_view name, Spelling spelling) noexcept;

/// The measures of a trec_eval family; one for each cutoff or level. `parameters` is what stands behind the dot; empty
/// means the defaults.
std::vector<Measure> make_trec_eval(std::string_view word, const MeasureFamily& family, std::string_view parameters);

/// A family and its parameters from a name as trec_eval prints it (`ndcg_cut_10`); null if `word` is not one.
std::pair<const MeasureFamily*, std::string_view> find_printed_name(std::string_view word);

/// A measure of ir_measures. `arguments` stands between the parentheses, `at` behind the @; both may be empty.
Measure make_ir_measures(std::string_view word, const MeasureFamily& family, std::string_view arguments,
                         std::string_view at);

}  // namespace touchstone::analysis::measures::internal
