#include "pipeline/headings/wiki_language.hpp"

#include "text/terms.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::headings {
namespace {

TEST(WikiLanguage, KnownLanguagesHaveTheirOwnListTitles) {
  EXPECT_EQ(list_prefixes("en").front(), "List of");
  EXPECT_EQ(list_prefixes("de").front(), "Liste der");
  EXPECT_EQ(list_prefixes("ja").front(), "*一覧");
  EXPECT_EQ(list_prefixes("cy").front(), "Rhestr");
  EXPECT_EQ(list_prefixes("ko").front(), "*목록");
}

TEST(WikiLanguage, UnknownLanguagesHaveNoListTitlesAndNoStemmer) {
  EXPECT_TRUE(list_prefixes("xx").empty());
  EXPECT_TRUE(list_prefixes("").empty());
  EXPECT_EQ(stemmer_name("xx"), "");
  EXPECT_EQ(stemmer_name(""), "");
}

TEST(WikiLanguage, AVariantFallsBackToItsLanguage) {
  EXPECT_EQ(list_prefixes("de-formal"), list_prefixes("de"));
  EXPECT_EQ(stemmer_name("pt-br"), stemmer_name("pt"));
}

TEST(WikiLanguage, EveryStemmerOfALanguageExists) {
  for (const auto* code :
       {"en", "simple", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "nn", "fi", "hu", "ro", "ru", "tr"}) {
    const auto name = stemmer_name(code);
    EXPECT_FALSE(name.empty()) << code;
    EXPECT_NO_THROW(text::TermSplitter{name}) << code;
  }
}

}  // namespace
}  // namespace touchstone::pipeline::headings
