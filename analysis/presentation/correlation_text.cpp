#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

std::string correlation_text(const agreement::Correlation& correlation, StatisticsFormat format) {
  const auto& c = correlation;
  std::vector<std::pair<std::string, double>> values = {
      {"kendall_tau_a", c.tau_a},         {"kendall_tau_b", c.tau_b},   {"tau_ap_a", c.tau_ap_a},
      {"tau_ap_b", c.tau_ap_b},           {"spearman_rho", c.spearman}, {"average_overlap", c.average_overlap},
      {"error_rate", error_rate(c.pairs)}};
  for (const auto& [ties, rbo] : {std::pair{"a", &c.rbo_a}, std::pair{"b", &c.rbo_b}, std::pair{"w", &c.rbo_w}}) {
    values.emplace_back(fmt::format("rbo_{}_ext", ties), rbo->extrapolated);
    values.emplace_back(fmt::format("rbo_{}_min", ties), rbo->minimum);
    values.emplace_back(fmt::format("rbo_{}_max", ties), rbo->maximum);
    values.emplace_back(fmt::format("rbo_{}_res", ties), rbo->residual);
  }
  const std::vector<std::pair<std::string, std::uint64_t>> counts = {
      {"systems", c.common},    {"only_first", c.only_first},       {"only_second", c.only_second},
      {"pairs", c.pairs.pairs}, {"concordant", c.pairs.concordant}, {"discordant", c.pairs.discordant}};
  if (format == StatisticsFormat::kJson) {
    auto json = json_document();
    json.begin_object();
    write_version(json);
    json.field("first", c.first_file).field("second", c.second_file);
    if (!c.first_column.empty()) json.field("first_column", c.first_column);
    if (!c.second_column.empty()) json.field("second_column", c.second_column);
    if (!c.first_measure.empty()) json.field("first_measure", c.first_measure);
    if (!c.second_measure.empty()) json.field("second_measure", c.second_measure);
    for (const auto& [name, value] : counts) json.field(name, value);
    json.field("p", c.p);
    for (const auto& [name, value] : values) json.field(name, value);
    return json.end_object().take_line();
  }
  TextTable table;
  for (const auto& [name, value] : counts) table.row({name, fmt::to_string(value)});
  table.row({"p", full_number(c.p)});
  for (const auto& [name, value] : values) table.row({name, number_text(format)(value)});
  const auto named = [](const std::string& file, const std::string& column, const std::string& measure) {
    return file + (column.empty() ? "" : ", column " + column) + (measure.empty() ? "" : ", measure " + measure);
  };
  const Facts facts = {{"first", named(c.first_file, c.first_column, c.first_measure)},
                       {"second", named(c.second_file, c.second_column, c.second_measure)}};
  return format == StatisticsFormat::kTable ? table.aligned() + "\n" + table_foot(facts)
                                            : tsv_head(facts) + table.tab_separated();
}

}  // namespace touchstone::analysis::presentation
