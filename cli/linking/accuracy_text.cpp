#include "cli/linking/accuracy_text.hpp"

#include "common/json_writer.hpp"
#include "common/number_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

using linking::Agreement;
using pipeline::entities::EditorsComparison;

std::string rates_text(const Agreement& agreement) {
  return fmt::format("{:9.3f} {:9.3f} {:9.3f}", agreement.precision(), agreement.recall(), agreement.f1());
}

void put_agreement(JsonWriter& json, const char* name, const Agreement& agreement) {
  const auto rate = [](double value) { return fmt::format("{:.4f}", value); };
  json.key(name).begin_object().field("right", agreement.right).field("wrong", agreement.wrong);
  json.field("missed", agreement.missed).key("precision").raw(rate(agreement.precision()));
  json.key("recall").raw(rate(agreement.recall())).key("f1").raw(rate(agreement.f1())).end_object();
}

double reachable_share(const EditorsComparison& comparison) {
  return comparison.links == 0 ? 0 : static_cast<double>(comparison.reachable) / static_cast<double>(comparison.links);
}

}  // namespace

std::string accuracy_text(const EditorsComparison& comparison, LinkTruth truth) {
  const bool editors = truth == LinkTruth::kEditorsLinks;
  std::string text =
      fmt::format("{} pages that the dictionary has no links of, with {} {}\n", with_commas(comparison.pages),
                  with_commas(comparison.links), editors ? "links of their editors" : "true labels of paragraphs");
  text += fmt::format("{} {:.1f} % of them; no linker can find more\n",
                      editors ? "the dictionary knows phrase and meaning of" : "the dictionary has the entities of",
                      100 * reachable_share(comparison));
  text +=
      fmt::format("\n{:12}{:^31} {:^29}\n", "", editors ? "mentions" : "entities of paragraphs", "entities of pages");
  text += fmt::format("{:12}{:>11} {:>9} {:>9}  {:>9} {:>9} {:>9}\n", "linker", "precision", "recall", "F1",
                      "precision", "recall", "F1");
  for (const auto& row : comparison.rows)
    text += fmt::format("{:12}  {}  {}\n", row.name, rates_text(row.pages.mentions), rates_text(row.pages.entities));
  return text;
}

std::string accuracy_json(const EditorsComparison& comparison, LinkTruth truth) {
  const bool editors = truth == LinkTruth::kEditorsLinks;
  JsonWriter json({.indent = 2});
  json.begin_object()
      .field("truth", editors ? "editors' links" : "benchmark")
      .field("pages", comparison.pages)
      .field("links", comparison.links)
      .field("reachable", comparison.reachable);
  json.key("linkers").begin_array();
  for (const auto& row : comparison.rows) {
    json.begin_object().field("linker", row.name);
    put_agreement(json, editors ? "mentions" : "paragraphs", row.pages.mentions);
    put_agreement(json, "pages", row.pages.entities);
    json.end_object();
  }
  return json.end_array().end_object().take_line();
}

}  // namespace touchstone::cli
