#include "extractors/wikitext_dump/disambiguation_templates.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext_dump {
namespace {

TEST(DisambiguationTemplates, KnownLanguagesHaveTheirOwn) {
  EXPECT_EQ(disambiguation_templates("de").front(), "Begriffsklärung");
  EXPECT_EQ(disambiguation_templates("de-formal"), disambiguation_templates("de"));
}

TEST(DisambiguationTemplates, UnknownLanguagesHaveThoseOfTheEnglishWiki) {
  EXPECT_EQ(disambiguation_templates("xx"), disambiguation_templates("en"));
  EXPECT_EQ(disambiguation_templates(""), disambiguation_templates("en"));
}

}  // namespace
}  // namespace touchstone::extractors::wikitext_dump
