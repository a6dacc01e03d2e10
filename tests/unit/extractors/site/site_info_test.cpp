#include "extractors/site/site_info.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::site {
namespace {

TEST(SiteInfo, LocalAndEnglishNamespaceNamesBothHold) {
  const SiteInfo site = SiteInfo::make_default("de");
  EXPECT_EQ(site.namespace_of("Datei"), kNamespaceFile);
  EXPECT_EQ(site.namespace_of("Bild"), kNamespaceFile);
  EXPECT_EQ(site.namespace_of("File"), kNamespaceFile);
}

TEST(SiteInfo, NamespaceNamesOfAFallbackLanguageDoNotHold) {
  const SiteInfo site = SiteInfo::make_default("ltg");
  EXPECT_EQ(site.namespace_of("Taiss"), kNamespaceTemplate);
  EXPECT_FALSE(site.namespace_of("Veidne"));
}

TEST(SiteInfo, PrefixedTitlesUseTheLocalName) {
  const SiteInfo site = SiteInfo::make_default("de");
  EXPECT_EQ(site.prefixed({kNamespaceCategory, "Berlin"}), "Kategorie:Berlin");
  EXPECT_EQ(site.prefixed({kNamespaceMain, "Berlin"}), "Berlin");
}

TEST(SiteInfo, JsonKeepsAllFields) {
  SiteInfo site = SiteInfo::make_default("fr");
  site.base_url = "https://fr.wikipedia.org/wiki/Accueil";
  const SiteInfo copy = SiteInfo::from_json(site.to_json());
  EXPECT_EQ(copy.to_json(), site.to_json());
  EXPECT_EQ(copy.namespace_of("fichier"), kNamespaceFile);
}

TEST(SiteInfo, DamagedJsonIsAFormatError) {
  EXPECT_THROW(SiteInfo::from_json("{\"site_name\": 3}"), FormatError);
}

TEST(SiteInfo, TheOwnPrefixWithoutTitleLeadsToTheMainPage) {
  SiteInfo site = SiteInfo::make_default("en");
  site.base_url = "https://example.org/wiki/Start_here";
  site.finish();
  const auto parsed = site.parse_title("en:");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->title.text, "Start here");
}

TEST(SiteInfo, CaseSensitiveWikisKeepTheFirstLetter) {
  SiteInfo site = SiteInfo::make_default("en");
  for (Namespace& ns : site.namespaces) ns.first_letter = false;
  site.finish();
  EXPECT_EQ(site.parse_title("word")->title.text, "word");
}

TEST(SiteInfo, WikisOfWikimediaAreKnownByTheirAddress) {
  SiteInfo site = SiteInfo::make_default("en");
  EXPECT_TRUE(site.is_wikimedia());
  for (const char* url :
       {"https://en.wikipedia.org/wiki/Main_Page", "http://de.wiktionary.org/", "//commons.wikimedia.org/wiki/A"}) {
    site.base_url = url;
    EXPECT_TRUE(site.is_wikimedia()) << url;
  }
  for (const char* url :
       {"https://shrines.example/wiki/wikipedia.org", "https://notwikipedia.org/", "https://wikipedia.org.example/"}) {
    site.base_url = url;
    EXPECT_FALSE(site.is_wikimedia()) << url;
  }
}

TEST(SiteInfo, ArticlesHaveNoSubpagesButUserPagesDo) {
  const SiteInfo site = SiteInfo::make_default("en");
  EXPECT_FALSE(site.has_subpages(kNamespaceMain));
  EXPECT_TRUE(site.has_subpages(kNamespaceUser));
}

TEST(SiteInfo, ALanguageKnowsTheNamesOfItsScriptsAndOfThoseItFallsBackTo) {
  const SiteInfo chinese = SiteInfo::make_default("zh");
  EXPECT_EQ(chinese.namespace_of("檔案"), 6);
  EXPECT_EQ(chinese.namespace_of("文件"), 6);
  EXPECT_EQ(chinese.namespace_of("分類"), 14);
  EXPECT_EQ(SiteInfo::make_default("sr").find_namespace(14)->name, "Категорија");
  EXPECT_EQ(SiteInfo::make_default("sr").namespace_of("Kategorija"), 14);
  EXPECT_EQ(SiteInfo::make_default("no").namespace_of("Spesial"), -1);
  EXPECT_EQ(SiteInfo::make_default("de").namespace_of("Modul Diskussion"), 829);
}

}  // namespace
}  // namespace touchstone::extractors::site
