#pragma once

#include "common/json_writer.hpp"
#include "formats/svg/chart.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// What a study found, without the form in which it is shown. analysis/presentation shows every study in the same way.
namespace touchstone::analysis::studies {

/// A text, a number with a fraction, or a count. NaN shows as undefined.
struct Cell : std::variant<std::string, double, std::int64_t> {
  Cell(std::string text) : variant(std::move(text)) {}
  Cell(std::string_view text) : variant(std::string(text)) {}
  Cell(const char* text) : variant(std::string(text)) {}
  Cell(double number) : variant(number) {}
  Cell(std::integral auto count) : variant(static_cast<std::int64_t>(count)) {}
};

/// Rows of equal length. `name` is the name of the TSV file.
struct StudyTable {
  std::string name, title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::string note{};          ///< how to read the table, in sentences
  std::size_t shown_rows = 0;  ///< rows that the table for people and the report show; 0: all
};

/// How far a finding lets one trust the collection.
enum class Verdict : std::uint8_t { kGood, kCaution, kBad, kFact };
inline constexpr std::pair<std::string_view, Verdict> kVerdicts[] = {
    {"good", Verdict::kGood}, {"caution", Verdict::kCaution}, {"bad", Verdict::kBad}, {"fact", Verdict::kFact}};

/// The number that a reader sees where `value` is printed with so many decimals. Verdicts compare this number with
/// their threshold, so that a text never says .900 beside a rule that starts at .9 and a verdict that was decided by
/// .8996.
double as_shown(double value, int decimals);

/// What follows from the numbers.
struct Finding {
  Verdict verdict = Verdict::kFact;
  std::string statement;    ///< sentences with the numbers and what to do
  std::string threshold{};  ///< the rule behind the verdict, in one sentence; empty for a fact
};

using formats::svg::Chart;
using formats::svg::ChartPoint;
using formats::svg::ChartSeries;

/// The result of a study.
struct StudyOutput {
  std::string study;                                       ///< "partial"
  std::string title;                                       ///< of the report
  std::string question;                                    ///< what the study answers, in one sentence
  std::vector<std::pair<std::string, std::string>> facts;  ///< inputs and settings: names and values
  std::vector<Finding> findings;
  std::vector<StudyTable> tables;  ///< the first is the one that --format tsv prints
  std::vector<Chart> charts;
  std::function<void(JsonWriter&)> write_fields;  ///< the study's own fields of the open JSON object
};

}  // namespace touchstone::analysis::studies
