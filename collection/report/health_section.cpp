#include "collection/report/health_section.hpp"

#include "collection/report/tables.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::collection::report::internal {
namespace {

Html health_row(const HealthCheck& check) {
  const Html found =
      check.ok() ? Html(check.verdict) : element("div", {}, check.verdict) + note("To mend it: " + check.remedy);
  return element("tr", {}, row_head(check.name), element("td", {}, check.ok() ? "ok" : "failed"),
                 number_cell(health_value(check)), number_cell(health_bound(check)),
                 element("td", {{"dir", "auto"}}, found));
}

}  // namespace

Html health_section(const std::vector<HealthCheck>& checks) {
  if (checks.empty()) return {};
  auto sorted = checks;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const HealthCheck& a, const HealthCheck& b) { return !a.ok() && b.ok(); });
  const auto passed = std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.ok(); });
  Html rows;
  for (const auto& check : sorted) rows += health_row(check);
  const Html table =
      element("table", {{"class", "list"}},
              table_head({{"check"}, {"result"}, {"value", "n"}, {"should be", "n"}, {"what was found"}}),
              element("tbody", {}, rows));
  return element("section", {{"aria-labelledby", "health"}}, element("h2", {{"id", "health"}}, "Health"),
                 element("div", {{"class", "card"}},
                         element("p", {}, fmt::format("{} of {} checks passed.", passed, checks.size())),
                         element("div", {{"class", "scroll"}}, table)));
}

}  // namespace touchstone::collection::report::internal
