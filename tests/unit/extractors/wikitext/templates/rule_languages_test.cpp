#include "common/error.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
using site::SiteInfo;
namespace {

using Strings = std::vector<std::string>;

Document read(std::string_view wikitext, const std::string& language, const TemplateRules& rules) {
  WikitextOptions options;
  options.now = 1'780'000'000;
  options.count_templates = true;
  return parse_wikitext(SiteInfo::make_default(language), rules, {kNamespaceMain, "T"}, wikitext, options);
}

Document read(std::string_view wikitext, const std::string& language) {
  return read(wikitext, language, TemplateRules::built_in(language));
}

std::string shown(const Document& document) {
  return document.blocks.empty() ? "" : document.blocks.front().content.text;
}

/// Calls whose wording is that of one language.
constexpr const char* kWordings[] = {"{{main|X}}",
                                     "{{main|X|Y}}",
                                     "{{see also|X}}",
                                     "{{further|X}}",
                                     "{{convert|10|km}}",
                                     "{{cvt|10|km}}",
                                     "{{as of|2020}}",
                                     "{{as of|2020|1|2|since=y}}",
                                     "{{birth date|1980|1|2}}",
                                     "{{birth date and age|1980|1|2}}",
                                     "{{death date and age|2016|3|24|1947|4|25}}",
                                     "{{start date and age|1990|1|2}}",
                                     "{{film date|2010|7|16}}",
                                     "{{dts|1777|12|6}}",
                                     "{{date|1969-09-11}}",
                                     "{{coord|35|41|22|N|139|41|30|E}}",
                                     "{{coord|35.69|-139.7}}",
                                     "{{in lang|ja}}",
                                     "{{in lang|ja|fr}}",
                                     "{{circa|1900}}",
                                     "{{floruit|1900}}",
                                     "{{reign|1900}}",
                                     "{{lit|x}}",
                                     "{{official website|http://a.example}}",
                                     "{{PDFlink|x|3 kB}}",
                                     "{{val|1234.5|u=km}}",
                                     "{{nihongo|x|y|z|lead=yes}}",
                                     "{{lang-fr|x}}",
                                     "{{langx|fr|x}}",
                                     "{{IPA-fr|x}}",
                                     "{{zh|s=x}}",
                                     "{{harv|Smith|2000|p=5}}",
                                     "{{flag|JPN}}",
                                     "{{fb|JPN}}",
                                     "{{HMS|Hood}}",
                                     "{{won}}"};

TEST(RuleLanguages, NoLanguageIsEnglishByAccident) {
  for (const char* language : {"ru", "de", "fr", "lv", "xx", "en-x-none", "zh"}) {
    for (const std::string call : kWordings) {
      const Document document = read("a " + call, language);
      EXPECT_EQ(shown(document), "a") << language << " " << call;
      EXPECT_EQ(document.counters.templates_rendered, 0U) << language << " " << call;
      EXPECT_EQ(document.counters.templates_dropped, 1U) << language << " " << call;
      EXPECT_EQ(targets(document), Strings()) << language << " " << call;
    }
  }
}

TEST(RuleLanguages, EnglishHasAllWordings) {
  for (const char* language : {"en", "simple"}) {
    for (const std::string call : kWordings) {
      EXPECT_EQ(read("a " + call, language).counters.templates_rendered, 1U) << language << " " << call;
    }
  }
}

TEST(RuleLanguages, WhatIsOfNoLanguageIsShownInAll) {
  EXPECT_EQ(shown(read("{{nowrap|a}} {{frac|1|2}} {{ISBN|1-2}} {{age|1950|5|1|1960|4|30}}", "ru")),
            "a 1\u20442 ISBN 1-2 9");
  EXPECT_EQ(shown(read("{{nts|1234567.5}}", "de")), "1.234.567,5");
  EXPECT_EQ(shown(read("{{nihongo|x|y|z}}", "ru")), "x (y, z)");
  EXPECT_EQ(shown(read("{{main|X}}", "ja")), "\u8A73\u7D30\u306F\u300CX\u300D\u3092\u53C2\u7167");
}

class LanguageFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) /
            ("words_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  TemplateRules load(std::string_view language, const std::string& text, RuleScope scope = RuleScope::kWikimedia) {
    std::ofstream(path_) << text;
    const std::filesystem::path files[] = {path_};
    return TemplateRules::load(language, files, scope);
  }
  std::filesystem::path path_;
};

TEST_F(LanguageFile, BringsTheWordsOfItsLanguage) {
  const TemplateRules rules =
      load("fr",
           "[words]\n"
           "main-article = \"Article d\u00E9taill\u00E9 : \"\n"
           "months = \"janvier f\u00E9vrier mars avril mai juin juillet ao\u00FBt septembre octobre "
           "novembre d\u00E9cembre\"\n"
           "date-month-first = \"{3} {2} {1}\"\n"
           "aged = \" (\u00E0 {1} ans)\"\n");
  EXPECT_EQ(shown(read("{{main|X}}", "fr", rules)), "Article d\u00E9taill\u00E9 : X");
  EXPECT_EQ(shown(read("{{death date and age|2016|12|24|1947|4|25}}", "fr", rules)),
            "24 d\u00E9cembre 2016 (\u00E0 69 ans)");
  EXPECT_EQ(shown(read("a {{main|X|Y}}", "fr", rules)), "a");  // no word for several
}

TEST_F(LanguageFile, AWordingThatIsNoTextIsAnError) {
  EXPECT_THROW(load("fr", "[words]\nmonths = 3\n"), ConfigError);
  EXPECT_THROW(load("fr", "[languages]\nfr = 3\n"), ConfigError);
  EXPECT_THROW(load("fr", "[[template]]\nnames = [\"a\"]\nshow = \"b\"\nwikimedia = \"yes\"\n"), ConfigError);
}

TEST_F(LanguageFile, RulesOfWikimediaHoldOnlyThere) {
  const std::string file = "[[template]]\nnames = [\"light\"]\nshow = \"b\"\nwikimedia = true\n";
  EXPECT_EQ(shown(read("a {{light}}", "fr", load("fr", file))), "a b");
  EXPECT_EQ(shown(read("a {{light}}", "fr", load("fr", file, RuleScope::kAnyWiki))), "a");
}

TEST(WikimediaRules, HoldOnWikisOfWikimediaAndElsewhereByOption) {
  const TemplateRules any = TemplateRules::built_in("en", RuleScope::kAnyWiki);
  for (const std::string call : {"{{HMS|Hood}}", "{{JPN}}", "{{fb|JPN}}", "{{won}}", "{{yes}}", "{{USD|5}}"}) {
    EXPECT_EQ(shown(read("a " + call, "en", any)), "a") << call;
    EXPECT_EQ(read("a " + call, "en").counters.templates_rendered, 1U) << call;
  }
  EXPECT_EQ(shown(read("{{main|X}}", "en", any)), "Main article: X");
  EXPECT_NE(any.digest(), TemplateRules::built_in("en").digest());
  SiteInfo site = SiteInfo::make_default("en");
  EXPECT_EQ(scope_of(WikimediaRules::kAuto, site), RuleScope::kWikimedia);
  site.base_url = "https://wiki.example/wiki/Main_Page";
  EXPECT_EQ(scope_of(WikimediaRules::kAuto, site), RuleScope::kAnyWiki);
  EXPECT_EQ(scope_of(WikimediaRules::kOn, site), RuleScope::kWikimedia);
  site.base_url = "https://en.wikipedia.org/wiki/Main_Page";
  EXPECT_EQ(scope_of(WikimediaRules::kAuto, site), RuleScope::kWikimedia);
  EXPECT_EQ(scope_of(WikimediaRules::kOff, site), RuleScope::kAnyWiki);
}

TEST(RuleCodes, ThatAreUnknownDropTheCall) {
  for (const std::string call :
       {"{{flag|XQX}}", "{{flag|xqx}}", "{{flag|jpn}}", "{{flag|XKQ1}}", "{{flag|XQ}}", "{{flag|XQXQ}}",
        "{{flag|US-XQ}}", "{{flagicon|xq}}", "{{flagu|XQXQ}}", "{{fb|xqx}}", "{{flagcountry|XQXQ|name=Japan}}",
        "{{lang-xqx|b}}", "{{langx|xqx|b}}", "{{native name|xqx|b}}", "{{in lang|xqx}}", "{{IPA-xqx|b}}"}) {
    const Document document = read("a " + call, "en");
    EXPECT_EQ(shown(document), "a") << call;
    EXPECT_EQ(targets(document), Strings()) << call;
    EXPECT_EQ(document.counters.templates_dropped, 1U) << call;
  }
  const Document known = read("{{flag|Japan}} {{flag|Kingdom of France}} {{flag|Mie}} {{flag|JPN}}", "en");
  EXPECT_EQ(targets(known), (Strings{"Japan", "Kingdom of France", "Mie", "Japan"}));
}

TEST(SilentRules, AreNotCountedAsRendered) {
  const Document document = read("a {{anchor|b}} {{nowrap|}} {{nowrap|c}} {{coord|1|2|display=title}}", "en");
  EXPECT_EQ(shown(document), "a c");
  EXPECT_EQ(document.counters.templates_rendered, 1U);
  EXPECT_EQ(document.counters.templates_silent, 3U);
  EXPECT_EQ(document.counters.templates_dropped, 0U);
  EXPECT_EQ(document.template_uses.at("Anchor").aside, 1U);
  EXPECT_EQ(document.template_uses.at("Anchor").rendered, 0U);
  EXPECT_EQ(document.template_uses.at("Nowrap").rendered, 1U);
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
