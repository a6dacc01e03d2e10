#include "analysis/presentation/test_text.hpp"

#include "analysis/presentation/number_text.hpp"

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {

using significance::CompareOptions;
using significance::Correction;
using significance::IntervalKind;
using significance::SignificanceTest;

std::string test_words(const CompareOptions& options, bool exact) {
  std::string words(test_name(options.test));
  if (options.correction != Correction::kNone) words += fmt::format(", {}", correction_name(options.correction));
  words += fmt::format(", alpha {}", options.alpha);
  if (exact) return words + ", all permutations";
  if (!is_sampled(options.test)) return words;
  return words + fmt::format(", {} {}, seed {}", options.permutations,
                             options.test == SignificanceTest::kBootstrap ? "resamples" : "permutations", options.seed);
}

std::string p_value_text(double p) {
  return p > 0 && p < 0.0001 ? fmt::format("{:.1e}", p) : short_number(p);
}

std::string interval_note(const IntervalKind& intervals, const CompareOptions& options) {
  if (!intervals.simultaneous)
    return fmt::format("low, high: {:.6g} % intervals of each pair by itself", 100 * (1 - intervals.alpha));
  std::string note =
      fmt::format("low, high: simultaneous intervals, {:.6g} % for all pairs together", 100 * (1 - options.alpha));
  if (options.correction == Correction::kNone) return note;
  note += ", by Bonferroni's correction";
  if (options.correction != Correction::kBonferroni)
    note +=
        fmt::format("; {} may find a pair significant whose interval contains 0", correction_name(options.correction));
  return note;
}

void add_test_facts(Facts& facts, const CompareOptions& options, const IntervalKind& intervals, bool exact) {
  facts.emplace_back("test", test_name(options.test));
  facts.emplace_back("correction", correction_name(options.correction));
  facts.emplace_back("alpha", full_number(options.alpha));
  facts.emplace_back("intervals", !intervals.simultaneous ? "of each pair by itself"
                                  : options.correction == Correction::kNone
                                      ? "simultaneous"
                                      : "simultaneous, by Bonferroni's correction");
  if (intervals.fcr_alpha) facts.emplace_back("level of fcr_low, fcr_high", full_number(1 - *intervals.fcr_alpha));
  if (!is_sampled(options.test)) return;
  facts.emplace_back("permutations", exact ? "all" : fmt::to_string(options.permutations));
  if (!exact) facts.emplace_back("seed", fmt::to_string(options.seed));
}

void write_test(JsonWriter& json, const CompareOptions& options, bool exact) {
  json.field("test", test_name(options.test)).field("correction", correction_name(options.correction));
  json.field("alpha", options.alpha);
  if (is_sampled(options.test))
    json.field("permutations", options.permutations).field("seed", options.seed).field("exact", exact);
}

void write_intervals(JsonWriter& json, const IntervalKind& intervals) {
  json.key("intervals").begin_object().field("level", 1 - intervals.alpha);
  json.field("simultaneous", intervals.simultaneous);
  if (intervals.fcr_alpha) json.field("fcr_level", 1 - *intervals.fcr_alpha);
  json.end_object();
}

}  // namespace touchstone::analysis::presentation::internal
