#include "collection/evidence/audit_texts.hpp"
#include "collection/evidence/report/overview.hpp"
#include "collection/release/report/shown_text.hpp"
#include "collection/release/report/tables.hpp"
#include "common/number_text.hpp"

#include <fmt/format.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::html::raw;

Html cells(const Html& name, const std::vector<std::string>& values) {
  Html row = row_head(name);
  for (const auto& value : values) row += number_cell(Html(value));
  return element("tr", {}, row);
}

Html numbers_table(const AuditSummary& audit) {
  Html rows, notes;
  for (const auto& number : audit.numbers) {
    rows += element("tr", {}, row_head(number_title(number.name)), number_cell(Html(number_text(number))),
                    element("td", {}, number_meaning(number.name)));
    if (!number.why.empty()) notes += note(fmt::format("{}: {}", number_title(number.name), number.why));
  }
  return element("table", {}, table_head({{"number"}, {"value (95 % interval)", "n"}, {"what it is"}}),
                 element("tbody", {}, rows)) +
         notes;
}

Html strata_table(const AuditSummary& audit) {
  Html rows;
  for (const auto& stratum : audit.strata)
    rows += cells(stratum.name,
                  {with_commas(stratum.decisions), with_commas(stratum.audited), with_commas(stratum.evidence)});
  return element("table", {},
                 table_head({{"stratum"}, {"decisions", "n"}, {"judged by people", "n"}, {"of these evidence", "n"}}),
                 element("tbody", {}, rows));
}

Html ranges_table(const AuditCalibration& calibration) {
  Html rows;
  for (const auto& range : calibration.ranges)
    rows += cells(fmt::format("{}-{}", at_most_digits(range.from, 3), at_most_digits(range.to, 3)),
                  {with_commas(range.decisions), fixed_digits(range.mean_probability, 3), with_commas(range.audited),
                   range.is_known ? fmt::format("{} ({}-{})", fixed_digits(range.share, 3), fixed_digits(range.low, 3),
                                                fixed_digits(range.high, 3))
                                  : "not known"});
  return element("table", {},
                 table_head({{"probability"},
                             {"decisions", "n"},
                             {"mean of the judge", "n"},
                             {"judged by people", "n"},
                             {"evidence by people (95 % interval)", "n"}}),
                 element("tbody", {}, rows));
}

Html audit_block(const char* title, const Html& content) {
  return element("div", {{"class", "card wide-table"}}, element("h3", {}, title), content);
}

}  // namespace

Html audit_section(const CollectionInfo& info) {
  if (!info.audit) return {};
  const auto& audit = *info.audit;
  Html lead = element("p", {}, audit_statement(audit));
  for (const auto& text : {audit_remarks(audit), agreement_statement(audit)}) {
    if (!text.empty()) lead += note(text);
  }
  Html calibration;
  if (audit.calibration) calibration = ranges_table(*audit.calibration);
  calibration += note(calibration_statement(audit));
  const Html line_end = raw("\n");
  return element("section", {{"aria-labelledby", "audit"}}, line_end, element("h2", {{"id", "audit"}}, "Audit"),
                 line_end, lead, line_end, audit_block("The judge by people", numbers_table(audit)), line_end,
                 audit_block("Strata of the sample", strata_table(audit)), line_end,
                 audit_block("Probabilities of the judge", calibration), line_end) +
         raw("\n\n");
}

}  // namespace touchstone::collection::evidence::report::internal
