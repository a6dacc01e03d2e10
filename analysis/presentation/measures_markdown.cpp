#include "analysis/presentation/measures_markdown.hpp"

#include "analysis/measures/measure.hpp"

#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

using measures::MeasureFamily;
using measures::Spelling;

constexpr std::string_view kHead =
    R"(# Measures of `touchstone evaluate`

Made by `touchstone evaluate --list-measures`. R: relevant passages of the topic; n: retrieved ones; r_k: relevant
ones among the first k. Values over topics are means unless the row says otherwise.

)";

/// A row of the table. An empty cell has no text.
std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const auto& cell : cells) text += cell.empty() ? " |" : fmt::format(" {} |", cell);
  return text + "\n";
}

std::string default_parameters(const MeasureFamily& family) {
  return family.form == measures::ParameterForm::kGains ? "gains" : std::string(family.defaults);
}

std::string sets(const MeasureFamily& family) {
  std::vector<std::string_view> names;
  for (const auto& [name, set] : measures::kMeasureSets) {
    if (family.is_in(set)) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

/// Parameters of ir_measures; `!` marks those that must be given.
std::string parameters(const MeasureFamily& family) {
  std::vector<std::string> names;
  for (const auto& [parameter, needed] : family.takes)
    names.push_back(fmt::format("{}{}", measures::parameter_name(parameter), needed ? "!" : ""));
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

std::string measures_markdown() {
  std::string trec_eval = "| trec_eval | default parameters | in | value |\n|---|---|---|---|\n";
  std::string ir_measures = "| ir_measures | takes | value |\n|---|---|---|\n";
  for (const auto& family : measures::measure_families()) {
    const auto name = fmt::format("`{}`", family.name);
    const std::string summary(family.summary);
    if (family.spelling == Spelling::kTrecEval) {
      trec_eval += row({name, default_parameters(family), sets(family), summary});
    } else {
      ir_measures += row({name, parameters(family), summary});
    }
  }
  return fmt::format("{}{}\n{}", kHead, trec_eval, ir_measures);
}

}  // namespace touchstone::analysis::presentation
