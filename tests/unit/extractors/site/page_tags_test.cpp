#include "extractors/site/page_tags.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::site {
namespace {

using Names = std::vector<std::string>;

Names tags(std::string_view language, const Names& templates, WikiKind kind = WikiKind::kWikimedia,
           const Names& disambiguation = {}) {
  return PageTags(language, kind, disambiguation).tags_of(templates);
}

TEST(PageTags, ALanguageHasItsOwnTemplates) {
  EXPECT_EQ(tags("de", {"Begriffsklärung"}), Names{"disambiguation"});
  EXPECT_EQ(tags("de-formal", {"BEGRIFFSKLÄRUNG"}), Names{"disambiguation"});
  EXPECT_EQ(tags("fr", {"Begriffsklärung"}), Names{});
  EXPECT_EQ(tags("en", {"Good article", "Italy-geo-stub", "Stub", "Convert"}), (Names{"good article", "stub"}));
  EXPECT_EQ(tags("pt", {"Esboço-biologia"}), Names{"stub"});
  EXPECT_EQ(tags("es", {"Artículo destacado"}), Names{"featured article"});
}

TEST(PageTags, AnUnknownLanguageIsNotEnglish) {
  for (const char* language : {"xx", "", "*", "xx-en"}) {
    EXPECT_EQ(tags(language, {"Disambiguation", "Hndis", "Good article", "Stub"}), Names{}) << language;
    EXPECT_EQ(tags(language, {"Disambig"}), Names{"disambiguation"}) << language;
  }
}

TEST(PageTags, CustomsOfWikimediaDoNotHoldElsewhere) {
  EXPECT_EQ(tags("en", {"Hndis", "Good article", "A-stub"}, WikiKind::kOther), Names{});
  EXPECT_EQ(tags("en", {"Disambiguation"}, WikiKind::kOther), Names{"disambiguation"});
  EXPECT_EQ(tags("en", {"Hndis"}), Names{"disambiguation"});
}

TEST(PageTags, GivenNamesReplaceThoseForDisambiguationPages) {
  EXPECT_EQ(tags("en", {"Many things"}, WikiKind::kOther, {"many Things"}), Names{"disambiguation"});
  EXPECT_EQ(tags("en", {"Disambig"}, WikiKind::kWikimedia, {"Many things"}), Names{});
  EXPECT_EQ(tags("en", {"Stub"}, WikiKind::kWikimedia, {"Many things"}), Names{"stub"});
}

}  // namespace
}  // namespace touchstone::extractors::site
