#include "pipeline/audit/audit_output.hpp"

#include "collection/evidence/audit_texts.hpp"
#include "collection/evidence/manifest.hpp"
#include "common/display_text.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::audit {
namespace {

namespace evidence = collection::evidence;
using Json = nlohmann::ordered_json;

/// Rows of a table: the first column at its start, the others at their end.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    text += "  " + fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += "\n";
  }
  return text;
}

std::string numbers_table(const evidence::AuditSummary& audit) {
  std::string text;
  for (const auto& number : audit.numbers) {
    text += fmt::format("  {:<20} {:<22} {}\n", evidence::number_title(number.name), evidence::number_text(number),
                        number.why.empty() ? std::string(evidence::number_meaning(number.name)) : number.why);
  }
  return text;
}

std::string ranges_table(const evidence::AuditCalibration& calibration) {
  std::vector<std::vector<std::string>> rows = {
      {"probability", "decisions", "mean", "judged by people", "evidence (95 % interval)"}};
  for (const auto& range : calibration.ranges)
    rows.push_back({fmt::format("{}-{}", at_most_digits(range.from, 3), at_most_digits(range.to, 3)),
                    with_commas(range.decisions), fixed_digits(range.mean_probability, 3), with_commas(range.audited),
                    range.is_known ? fmt::format("{} ({}-{})", fixed_digits(range.share, 3), fixed_digits(range.low, 3),
                                                 fixed_digits(range.high, 3))
                                   : "not known"});
  return table(rows);
}

}  // namespace

std::string sample_text(const JudgedCollection& collection, const AuditSample& sample) {
  std::vector<std::vector<std::string>> rows = {{"stratum", "decisions", "judged before", "drawn"}};
  for (const auto& stratum : sample.strata)
    rows.push_back(
        {stratum.name, with_commas(stratum.decisions), with_commas(stratum.before), with_commas(stratum.drawn)});
  return fmt::format("{}: {} of {} decisions of {} drawn, from {} strata\n", display_text(collection.info.name),
                     with_commas(sample.tasks.size()), with_commas(collection.decisions.size()),
                     display_text(collection.info.judge), sample.strata.size()) +
         table(rows);
}

std::string sample_json(const JudgedCollection& collection, const AuditSample& sample) {
  Json json = {{"collection", collection.info.name},
               {"judge", collection.info.judge},
               {"decisions", collection.decisions.size()},
               {"sample", sample.tasks.size()}};
  json["strata"] = Json::array();
  for (const auto& stratum : sample.strata)
    json["strata"].push_back({{"name", stratum.name},
                              {"decisions", stratum.decisions},
                              {"before", stratum.before},
                              {"drawn", stratum.drawn}});
  return json_text(json, {.indent = 2}) + "\n";
}

std::string audit_text(const JudgedCollection& collection, const AuditResult& result, std::uint64_t repeated) {
  const auto& audit = result.summary;
  std::string text = fmt::format("{}, labels by {}\n{}\n", display_text(collection.info.name),
                                 display_text(collection.info.judge), evidence::audit_statement(audit));
  text += numbers_table(audit);
  for (const auto& sentence : {evidence::audit_remarks(audit), evidence::agreement_statement(audit)}) {
    if (!sentence.empty()) text += sentence + "\n";
  }
  if (repeated > 0)
    text += fmt::format("{} in the files more than once, and counted once.\n",
                        repeated == 1 ? "One answer was" : with_commas(repeated) + " answers were");
  std::vector<std::vector<std::string>> rows = {{"stratum", "decisions", "judged by people", "evidence"}};
  for (const auto& stratum : audit.strata)
    rows.push_back(
        {stratum.name, with_commas(stratum.decisions), with_commas(stratum.audited), with_commas(stratum.evidence)});
  text += table(rows) + evidence::calibration_statement(audit) + "\n";
  if (audit.calibration) text += ranges_table(*audit.calibration);
  return text;
}

std::string audit_report_json(const JudgedCollection& collection, const AuditResult& result, std::uint64_t repeated) {
  Json json = {{"collection", collection.info.name}, {"judge", collection.info.judge}, {"repeated", repeated}};
  json.update(evidence::audit_json(result.summary));
  return json_text(json, {.indent = 2}) + "\n";
}

}  // namespace touchstone::pipeline::audit
