#include "collection/evidence/report/source_section.hpp"

#include "collection/evidence/descriptions.hpp"
#include "collection/release/report/tables.hpp"

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;

Html source_section(const CollectionNumbers& numbers) {
  if (numbers.by_source.empty()) return {};
  Html rows;
  for (const auto& source : numbers.by_source) {
    rows +=
        element("tr", {}, row_head(std::string(to_string(source.source))),
                element("td", {}, std::string(source_meaning(source.source))), number_cell(source.candidates),
                number_cell(source.judged), number_cell(source.evidence), number_cell(percent(source.evidence_share)));
  }
  const Html table = element(
      "table", {{"class", "list"}},
      table_head(
          {{"source"}, {"the passage"}, {"candidates", "n"}, {"judged", "n"}, {"evidence", "n"}, {"share", "n"}}),
      element("tbody", {}, rows));
  return element("section", {{"aria-labelledby", "sources"}},
                 element("h2", {{"id", "sources"}}, "Where candidates come from"),
                 element("div", {{"class", "card"}}, element("div", {{"class", "scroll"}}, table),
                         note("A candidate is a passage proposed for a member of a topic. One that several sources "
                              "propose counts for the first of them.")));
}

}  // namespace touchstone::collection::evidence::report::internal
