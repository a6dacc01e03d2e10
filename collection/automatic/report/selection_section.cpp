#include "collection/automatic/report/automatic_overview.hpp"
#include "collection/release/report/charts.hpp"
#include "collection/release/report/tables.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::automatic::report::internal {

using namespace release::report;
namespace {

using SelectionJson = nlohmann::ordered_json;

std::uint64_t number_of(const SelectionJson& json, const char* name) {
  return json.at(name).get<std::uint64_t>();
}

/// The reasons that some page fails, the most costly first, as `touchstone facets` prints them.
Html reason_table(const SelectionJson& survey) {
  std::vector<const SelectionJson*> reasons;
  for (const auto& reason : survey.at("reasons")) {
    if (number_of(reason, "failed") > 0) reasons.push_back(&reason);
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto* a, const auto* b) {
    return std::tuple(number_of(*a, "alone"), number_of(*a, "first")) >
           std::tuple(number_of(*b, "alone"), number_of(*b, "first"));
  });
  std::vector<BarRow> rows;
  for (const auto* reason : reasons) {
    rows.push_back({reason->at("reason").get<std::string>(),
                    {with_commas(number_of(*reason, "alone")), with_commas(number_of(*reason, "first"))},
                    number_of(*reason, "failed")});
  }
  if (rows.empty()) return empty_note("Every page is a query page.");
  return bar_rows_table({"pages left out by", "alone", "first", "all"}, rows) +
         note(
             "Alone: pages that would be query pages without this rule. First: pages that fail this rule before all "
             "others; these sum up to all pages left out. All: pages that fail the rule, whatever else they fail.");
}

/// What the filters removed from the query pages.
Html removed_table(const SelectionJson& removed) {
  constexpr const char* kParts[] = {"sections", "paragraphs", "list_items", "images", "infoboxes"};
  Html rows;
  for (const auto& filter : removed) {
    Html cells = row_head(filter.at("reason").get<std::string>());
    std::uint64_t sum = 0;
    for (const auto* part : kParts) {
      const auto count = number_of(filter, part);
      sum += count;
      cells += number_cell(count);
    }
    if (sum > 0) rows += element("tr", {}, cells);
  }
  if (rows.empty()) return empty_note("The filters removed nothing from the query pages.");
  return element("table", {},
                 table_head({{"filter"},
                             {"sections", "n"},
                             {"paragraphs", "n"},
                             {"list items", "n"},
                             {"images", "n"},
                             {"infoboxes", "n"}}),
                 element("tbody", {}, rows));
}

Html heading_rule_table(const SelectionJson& rules) {
  std::vector<BarRow> rows;
  for (const auto& rule : rules) {
    if (number_of(rule, "headings") > 0)
      rows.push_back({rule.at("rule").get<std::string>(), {}, number_of(rule, "headings")});
  }
  if (rows.empty()) return empty_note("No rule removed a heading from the query pages.");
  return bar_rows_table({"rule", "headings that are no facets"}, rows);
}

Html selection_card(const Html& title, const Html& content) {
  return element("div", {{"class", "card wide-table"}}, element("h3", {}, title), content);
}

}  // namespace

Html selection_section(std::string_view json) {
  try {
    const auto selection = parse_json(json);
    const auto& survey = selection.at("survey");
    return selection_card("Pages", element("p", {},
                                           fmt::format("{} of {} pages are query pages.",
                                                       with_commas(number_of(survey, "query_pages")),
                                                       with_commas(number_of(survey, "pages")))) +
                                       reason_table(survey)) +
           element("div", {{"class", "columns"}},
                   selection_card("Removed from query pages", removed_table(selection.at("removed"))),
                   selection_card("Headings dropped by a rule", heading_rule_table(selection.at("heading_rules"))));
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(std::string("stages/selection.json was edited or damaged: ") + error.what() +
                      "; run touchstone facets again");
  }
}

}  // namespace touchstone::collection::automatic::report::internal
