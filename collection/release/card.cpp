#include "collection/release/card.hpp"

#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

#include <fmt/format.h>

namespace touchstone::collection::release {

using formats::fields::one_line;

std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|#>~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

/// A JSON string is a YAML string as well, whatever it holds; without quotes the language "no" would be read as false.
std::string yaml(std::string_view text) {
  std::string out;
  append_json_string(out, one_line(text), JsonEscapes::kLineBreaks);
  return out;
}

std::string card_row(std::string_view name, std::string_view value) {
  return fmt::format("| {} | {} |\n", name, value);
}

std::string health_card(const std::vector<health::HealthCheck>& checks) {
  if (checks.empty()) return {};
  std::string out =
      "\n## Health\n\nWhat `touchstone health` found in the files.\n\n| check | | value | should be "
      "|\n|---|---|---:|---:|\n";
  for (const auto& check : checks) {
    out += fmt::format("| {} | {} | {} | {} |\n", markdown(check.name),
                       !check.measured ? ""
                       : check.ok()    ? "ok"
                                       : "**failed**",
                       health_value(check), health_bound(check));
  }
  if (!is_healthy(checks)) out += "\nWhat failed:\n\n";
  for (const auto& check : checks) {
    if (!check.ok()) out += "- " + markdown(check.name) + ": " + markdown(check.verdict) + "\n";
  }
  return out;
}

std::string baseline_card(const BaselineRun& run) {
  std::string card = fmt::format(
      "\n## Baseline\n\n`{}` is a run of {}, with at most {} passages for each topic. These are its means over all "
      "topics of `{}`; a scorer that is set up rightly gives the same.\n\n| measure | value |\n|---|---:|\n",
      kBaselineRunFile, run.system, run.depth, run.qrels);
  for (const auto& [measure, value] : run.scores)
    card += fmt::format("| {} | {} |\n", measure, fixed_digits(value, kBaselineDigits));
  return card;
}

}  // namespace touchstone::collection::release
