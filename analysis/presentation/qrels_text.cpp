#include "analysis/agreement/qrels_grades.hpp"
#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"

#include <set>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

std::string qrels_text(std::span<const formats::trec::QrelRecord> qrels, const std::string& file,
                       StatisticsFormat format) {
  const auto counts = agreement::grade_counts(qrels);
  std::set<std::string_view> topics;
  for (const auto& qrel : qrels) topics.insert(qrel.topic);
  if (format == StatisticsFormat::kJson) {
    auto json = json_document();
    json.begin_object();
    write_version(json);
    json.field("qrels", file)
        .field("topics", topics.size())
        .field("judgments", qrels.size())
        .key("grades")
        .begin_array();
    for (const auto& [grade, count] : counts)
      json.begin_object().field("grade", grade).field("judgments", count).end_object();
    return json.end_array().end_object().take_line();
  }
  const auto number = number_text(format);
  TextTable table;
  table.row({"grade", "judgments", "share"});
  for (const auto& [grade, count] : counts)
    table.row({fmt::to_string(grade), fmt::to_string(count),
               number(static_cast<double>(count) / static_cast<double>(qrels.size()))});
  if (format == StatisticsFormat::kTsv) {
    return tsv_head({{"qrels", file},
                     {"topics", fmt::to_string(topics.size())},
                     {"judgments", fmt::to_string(qrels.size())}}) +
           table.tab_separated();
  }
  return fmt::format("{} judgments of {} topics\n\n{}\n{}", qrels.size(), topics.size(), table.aligned(0),
                     table_foot({{"qrels", file}}));
}

}  // namespace touchstone::analysis::presentation
