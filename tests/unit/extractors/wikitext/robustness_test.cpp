#include "common/unicode.hpp"
#include "tests/unit/extractors/wikitext/hostile_wikitext.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <ctime>
#include <random>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
namespace {

/// Processor seconds of one parse. What is quadratic takes minutes, so the bound is far above what is normal: a
/// sanitizer and a busy machine do not reach it.
constexpr std::size_t kBytes = 500'000;
constexpr double kMaxSeconds = 10;

void expect_quick(const HostileText& text, TemplateMode mode, const PageLoader* loader = nullptr) {
  static const TemplateRules rules = TemplateRules::built_in("en");
  WikitextOptions options;
  options.templates = mode;
  options.loader = loader;
  options.collect_text = true;
  const std::clock_t begin = std::clock();
  const Document document = parse_wikitext(english(), rules, {kNamespaceMain, "Test page"}, text.wikitext, options);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_FALSE(document.sections.empty()) << text.name;
  EXPECT_LT(seconds, kMaxSeconds) << text.name.substr(0, 80);
}

TEST(WikitextRobustness, HostileTextsAreReadToTheEndSoon) {
  for (const HostileText& text : hostile_texts(kBytes)) expect_quick(text, TemplateMode::kRules);
}

TEST(WikitextRobustness, HostileTextsAreReadToTheEndSoonWithoutAndWithPagesOfTemplates) {
  const TemplateBombs bombs;
  for (const HostileText& text : hostile_texts(kBytes / 10)) {
    expect_quick(text, TemplateMode::kDrop);
    expect_quick(text, TemplateMode::kExpand, &bombs);
  }
}

TEST(WikitextRobustness, TemplatesThatMultiplyAreReadToTheEndSoon) {
  const TemplateBombs bombs;
  for (const HostileText& text : TemplateBombs::texts(kBytes)) expect_quick(text, TemplateMode::kExpand, &bombs);
}

TEST(WikitextRobustness, SpansDoNotMultiplyLongCells) {
  const std::string words(200'000, 'a');
  std::size_t bytes = 0;
  const Document document = parse("{|\n|colspan=1000|" + words + "\n|}");
  for (const Cell& cell : document.tables.at(0).cells.at(0)) bytes += cell.content.text.size();
  EXPECT_EQ(bytes, words.size());
  EXPECT_EQ(document.counters.limits_hit, 1U);
}

TEST(WikitextRobustness, CellsBeyondTheBoundAreCounted) {
  std::string wikitext = "{|\n";
  constexpr std::size_t kRows = 3, kColumns = 200'000;
  for (std::size_t row = 0; row < kRows; ++row) {
    wikitext += "|-\n|a";
    for (std::size_t column = 1; column < kColumns; ++column) wikitext += "||a";
    wikitext += "\n";
  }
  const Document document = parse(wikitext + "|}");
  std::size_t cells = 0;
  for (const auto& row : document.tables.at(0).cells) cells += row.size();
  EXPECT_LE(cells, WikitextLimits{}.max_table_cells);
  EXPECT_EQ(document.counters.cells_left_out, kRows * kColumns - cells);
  EXPECT_EQ(document.counters.limits_hit, 1U);
  EXPECT_EQ(parse("{|\n|a\n|-\n|b||c\n|}").counters.cells_left_out, 0U);
}

TEST(WikitextRobustness, RandomMarkupKeepsThePromisesOfADocument) {
  constexpr char kAlphabet[] = "[]{}|<>='\n*:;#!-/ab &_";
  std::mt19937 random(20250101);
  for (int round = 0; round < 200; ++round) {
    std::string wikitext;
    for (int i = 0; i < 500; ++i) wikitext.push_back(kAlphabet[random() % (sizeof kAlphabet - 1)]);
    const Document document = parse(wikitext);
    for (const Block& block : document.blocks) {
      EXPECT_TRUE(is_valid_utf8(block.content.text)) << wikitext;
      for (const Link& link : block.content.links)
        EXPECT_LE(link.end, count_code_points(block.content.text)) << wikitext;
    }
    for (const Table& table : document.tables) {
      for (const auto& row : table.cells) EXPECT_EQ(row.size(), table.column_count()) << wikitext;
    }
  }
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
