#include "analysis/agreement/qrels_grades.hpp"
#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"

#include <set>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

std::string qrels_text(std::span<const formats::trec::QrelRecord> qrels, StatisticsFormat format) {
  const auto counts = agreement::grade_counts(qrels);
  std::set<std::string_view> topics;
  for (const auto& qrel : qrels) topics.insert(qrel.topic);
  if (format == StatisticsFormat::kJson) {
    Json json = {{"topics", topics.size()}, {"judgments", qrels.size()}, {"grades", Json::array()}};
    for (const auto& [grade, count] : counts) json["grades"].push_back({{"grade", grade}, {"judgments", count}});
    return json_text(json);
  }
  const auto number = number_text(format);
  TextTable table;
  table.row({"grade", "judgments", "share"});
  for (const auto& [grade, count] : counts)
    table.row({fmt::to_string(grade), fmt::to_string(count),
               number(static_cast<double>(count) / static_cast<double>(qrels.size()))});
  if (format == StatisticsFormat::kTsv) return table.tab_separated();
  return fmt::format("{} judgments of {} topics\n\n{}", qrels.size(), topics.size(), table.aligned(0));
}

}  // namespace touchstone::analysis::presentation
