#include "common/unicode.hpp"
#include "tests/unit/extractors/wikitext_fixture.hpp"

#include <random>

#include <gtest/gtest.h>

namespace touchstone::extractors::testing {
namespace {

constexpr std::size_t kBytes = 100'000;

std::string repeat(std::string_view piece) {
  std::string text;
  while (text.size() < kBytes) text += piece;
  return text;
}

class Endless : public ::testing::TestWithParam<const char*> {};
TEST_P(Endless, IsReadToTheEnd) {
  const Document document = parse(repeat(GetParam()));
  EXPECT_FALSE(document.sections.empty());
}
INSTANTIATE_TEST_SUITE_P(WikitextRobustness, Endless,
                         ::testing::Values("[[", "{{", "{{{", "{|\n", "<div>", "''''''", "<!--", "==", "[[{{", "{{[[",
                                           "|", "<ref>", "<ref", "[http://a ", "-{", "#*:;\n", "<table><tr><td>",
                                           "<ul><li>", "[[File:a|", "{{#if:", "\x7F",
                                           "\x7F"
                                           "aaaaaa",
                                           "&#", "{{a|b=", "<pre>", "}}", "]]", "= =\n", "<br/>", "<nowiki>", "{{!}}",
                                           "[[Category:a]]\n"));

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
}  // namespace touchstone::extractors::testing
