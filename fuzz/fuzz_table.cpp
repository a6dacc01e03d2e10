// Any bytes inside a table: every grid must be rectangular and its spans must say what is repeated where.
#include "extractors/wikitext/wikitext_parser.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace touchstone::extractors;
using touchstone::extractors::site::SiteInfo;
using touchstone::extractors::wikitext::parse_wikitext;
using touchstone::extractors::wikitext::TemplateRules;
using touchstone::extractors::wikitext::WikitextOptions;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Table& table) {
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    require(table.cells[r].size() == table.column_count());
    for (std::size_t c = 0; c < table.column_count(); ++c) {
      const Cell& cell = table.cells[r][c];
      require(cell.row_span >= 1 && cell.column_span >= 1);
      if (cell.missing) require(cell.content.text.empty());
      if (!cell.repeated) require(r + cell.row_span <= table.row_count());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SiteInfo site = SiteInfo::make_default("en");
  static const TemplateRules rules = TemplateRules::built_in("en");
  static const touchstone::Title page{touchstone::kNamespaceMain, "Fuzz"};
  const std::string text = "{| class=wikitable\n" + std::string(reinterpret_cast<const char*>(data), size) + "\n|}";
  WikitextOptions options;
  options.limits.max_table_cells = 10'000;
  for (const Table& table : parse_wikitext(site, rules, page, text, options).tables) check(table);
  return 0;
}
