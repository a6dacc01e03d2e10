#pragma once

#include "common/json_writer.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What a study found, without the form in which it is shown. analysis/presentation shows every study in the same way.
namespace touchstone::analysis::studies {

/// A text, a number with a fraction, or a count. NaN shows as undefined.
using Cell = std::variant<std::string, double, std::int64_t>;

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

struct ChartPoint {
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;  ///< band or bar around y; NaN: without
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  ///< by ascending x; a line breaks at points that are not finite
  bool line = true;                ///< false: single points, with bars instead of a band
  bool dashed = false;             ///< for what is extrapolated
};

/// One of several plots with the same axes and the same names of series.
struct ChartPanel {
  std::string title;
  std::vector<ChartSeries> series;
};

/// A figure: series over a shared x axis.
struct Chart {
  std::string name, title;
  std::string caption;  ///< how to read it, in sentences
  std::string x_axis, y_axis;
  std::vector<ChartSeries> series;
  std::vector<std::string> categories{};               ///< if there are some: the names of x = 0, 1, ...
  std::optional<std::pair<double, double>> y_range{};  ///< by default that of the points
  std::vector<ChartPanel> panels{};                    ///< if there are some: drawn side by side instead of `series`
};

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
