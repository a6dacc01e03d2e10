#include "collection/release/report/health_section.hpp"

#include "collection/release/report/shown_text.hpp"
#include "collection/release/report/tables.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::collection::release::report {
namespace {

/// A check that failed, with what to do.
Html failed_item(const health::HealthCheck& check) {
  return element("li", {},
                 element("h3", {}, element("code", {}, check.name), Html(" "),
                         element("span", {{"class", "pill warn"}}, health::health_value(check)), Html(" "),
                         element("small", {}, "should be " + health::health_bound(check))),
                 element("p", {{"dir", "auto"}}, shown(check.verdict)),
                 element("p", {{"dir", "auto"}}, element("b", {}, "To mend it: "), shown(check.remedy)));
}

Html passed_table(const std::vector<health::HealthCheck>& checks) {
  Html rows;
  for (const auto& check : checks) {
    if (!check.ok()) continue;
    rows += element("tr", {}, row_head(check.name), number_cell(health::health_value(check)),
                    number_cell(health::health_bound(check)), element("td", {{"dir", "auto"}}, shown(check.verdict)));
  }
  if (rows.empty()) return {};
  return element("table", {{"class", "list"}},
                 table_head({{"passed"}, {"value", "n"}, {"should be", "n"}, {"what was found"}}),
                 element("tbody", {}, rows));
}

}  // namespace

Html health_section(const std::vector<health::HealthCheck>& checks) {
  Html failed;
  for (const auto& check : checks) {
    if (!check.ok()) failed += failed_item(check);
  }
  Html content =
      checks.empty()
          ? empty_note("The collection was written without health checks; touchstone health makes them.")
          : element("p", {{"class", failed.empty() ? "good" : "verdict"}}, health::passed_text(checks) + ".");
  if (!failed.empty()) content += element("ul", {{"class", "warnings checks"}}, failed);
  const Html table = passed_table(checks);
  if (!table.empty()) content += element("div", {{"class", "card wide-table"}}, table);
  return element("section", {{"aria-labelledby", "health"}}, element("h2", {{"id", "health"}}, "Health"), content);
}

}  // namespace touchstone::collection::release::report
