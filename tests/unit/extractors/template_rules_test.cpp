#include "extractors/template_rules.hpp"

#include "common/error.hpp"
#include "tests/unit/extractors/wikitext_fixture.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace touchstone::extractors::testing {
namespace {

TEST(TemplateRules, AnInterlanguageLinkLeadsToItsFirstArgument) {
  const Document document = parse("{{ill|Koyu District|en|a|ja|b|lt=Koyu district|qid=Q1|1=Koyu District, Miyazaki}}");
  ASSERT_EQ(all_links(document).size(), 1U);
  EXPECT_EQ(all_links(document)[0]->target.text, "Koyu District, Miyazaki");
  EXPECT_EQ(all_links(document)[0]->origin, LinkOrigin::kTemplate);
  EXPECT_EQ(document.blocks[0].content.text, "Koyu district");
}

TEST(TemplateRules, SortnameShowsAndLinksTheName) {
  const Document document = parse("{{sortname|Ada|Lovelace}}");
  EXPECT_EQ(document.blocks[0].content.text, "Ada Lovelace");
  EXPECT_EQ(targets(document), (std::vector<std::string>{"Ada Lovelace"}));
}

TEST(TemplateRules, NihongoPutsTheOtherFormsInBrackets) {
  EXPECT_EQ(text("{{nihongo|Tokyo|東京|Tōkyō}}"), "Tokyo (東京, Tōkyō)");
  EXPECT_EQ(text("{{nihongo||東京|Tōkyō}}"), "Tōkyō (東京)");
  EXPECT_EQ(text("{{nihongo3|Tokyo|東京|Tōkyō}}"), "Tōkyō (東京, Tokyo)");
}

TEST(TemplateRules, LinksInArgumentsThatAreShownAreWrittenByThePage) {
  const Document document = parse("{{lang|fr|le [[chat]]}}");
  ASSERT_EQ(document.blocks[0].content.links.size(), 1U);
  EXPECT_EQ(document.blocks[0].content.links[0].origin, LinkOrigin::kText);
}

struct Conversion {
  const char* wikitext;
  const char* shown;
};
class Convert : public ::testing::TestWithParam<Conversion> {};
TEST_P(Convert, ShowsTheNumbersOfTheWiki) {
  EXPECT_EQ(text(GetParam().wikitext), GetParam().shown);
}
INSTANTIATE_TEST_SUITE_P(TemplateRules, Convert,
                         ::testing::Values(Conversion{"{{convert|10|km|mi}}", "10 kilometres (6.2 mi)"},
                                           Conversion{"{{convert|100|km|mi|abbr=on}}", "100 km (62 mi)"},
                                           Conversion{"{{cvt|100|km}}", "100 km (62 mi)"},
                                           Conversion{"{{convert|1.85|m}}", "1.85 metres (6 ft 1 in)"},
                                           Conversion{"{{convert|37|C}}", "37 °C (99 °F)"},
                                           Conversion{"{{convert|5000|ft|m|-1}}", "5,000 feet (1,520 m)"},
                                           Conversion{"{{convert|5|-|10|km}}", "5–10 kilometres (3.1–6.2 mi)"},
                                           Conversion{"{{convert|1|mi|km|adj=on}}", "1-mile (1.6 km)"},
                                           Conversion{"{{convert|28748|km2|sqmi|0|sp=us}}",
                                                      "28,748 square kilometers (11,100 sq mi)"}));

TEST(TemplateRules, AConversionThatIsNotUnderstoodIsDroppedAsAWhole) {
  const Document document = parse("a {{convert|3|furlongs per fortnight|spell=in}} b");
  EXPECT_EQ(document.blocks[0].content.text, "a b");
  EXPECT_EQ(document.counters.templates_dropped, 1U);
}

TEST(TemplateRules, DatesAndAges) {
  EXPECT_EQ(text("{{birth date|1947|4|25|df=y}}"), "25 April 1947");
  EXPECT_EQ(text("{{death date and age|2016|3|24|1947|4|25}}"), "March 24, 2016 (aged 68)");
  EXPECT_EQ(text("x{{birth date|1947|13|25}}"), "x");
}

TEST(TemplateRules, DatesAreShownAsTheirTemplatesAskFor) {
  EXPECT_EQ(text("{{as of|2015|3|4}} {{as of|2015|3|df=US|lc=y}} {{as of|2015|3|4|df=US|since=y|post=,}}"),
            "As of 4 March 2015 as of March 2015 Since March 4, 2015,");
  EXPECT_EQ(text("{{as of|July 2015}} {{as of|2015|alt=by then}} {{as of|2015|13}}x"), "As of July 2015 by then x");
  EXPECT_EQ(text("{{dts|1777|12|06}}; {{date|1969-09-11}}; {{date|1969-09-11|mdy}}; {{date|2014}}; {{era|Heisei|26}}; "
                 "{{date|soon}}"),
            "December 6, 1777; 11 September 1969; September 11, 1969; 2014; Heisei 26;");
}

TEST(TemplateRules, ValuesAreShownOnlyWhenNumberAndUnitAreSure) {
  EXPECT_EQ(text("{{val|1234.5|u=km}} {{val|-5|0.2}} {{val|3|ul=eV}}"),
            "1234.5 km \xE2\x88\x92"
            "5\xC2\xB1"
            "0.2 3 eV");
  EXPECT_EQ(text("a{{val|5|e=3}}{{val|5|u=degC}}{{val|5|1|2}}{{val|x}}{{val|5-6}}"), "a");
}

TEST(TemplateRules, ShipsLinkToTheirArticles) {
  EXPECT_EQ(
      text("{{USS|Monitor}} {{HMNZS|Te Kaha|F77}} {{ship|HMS|Foo|D01}} {{ship||Yamato}} {{sclass|Iowa|battleship}}"),
      "USS Monitor HMNZS Te Kaha (F77) HMS Foo (D01) Yamato Iowa-class battleship");
  EXPECT_EQ(targets("{{ship|HMS|Foo|D01}} {{ship||Yamato}} {{sclass|Iowa|battleship}}").size(), 3U);
  EXPECT_EQ(text("a{{USS|Monitor||2}}{{ship|HMS|Foo|D01|6}}{{sclass|Iowa|battleship|1}}"), "a");
}

TEST(TemplateRules, FrequentTemplatesOfRunningText) {
  EXPECT_EQ(text("a {{jalink|Shinto shrine|Q845945}} {{in lang|ja|en}} {{ISBN|1-2|3-4}} {{OCLC|5}} {{official "
                 "website|http://a}}"),
            "a Shinto shrine (in Japanese and English) ISBN 1-2, 3-4 OCLC 5 Official website");
  EXPECT_EQ(text("a{{IPAc-en|K|@}}{{URL|http://a}}{{in lang|xx-none}}"), "a");
  EXPECT_EQ(parse("{{IPAc-en|K|@}}").counters.templates_dropped, 1U);
}

class RuleFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) /
            ("rules_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  TemplateRules load(const std::string& text) {
    std::ofstream(path_) << text;
    const std::filesystem::path files[] = {path_};
    return TemplateRules::load("en", files);
  }
  std::filesystem::path path_;
};

TEST_F(RuleFile, PatternsFillInDefaultsAndGroups) {
  const TemplateRules rules = load("[[template]]\nnames = [\"a\"]\nshow = \"{1/x:none}[ ({2})]\\\\{\"\n");
  const auto show = [&](std::string_view wikitext) {
    return parse_wikitext(english(), rules, {0, "T"}, wikitext).blocks.at(0).content.text;
  };
  EXPECT_EQ(show("{{a}}"), "none{");
  EXPECT_EQ(show("{{A|x=y|2=z}}"), "y (z){");
}

TEST_F(RuleFile, AnUnknownKeyIsAConfigErrorWithItsLine) {
  try {
    load("[[template]]\nnames = [\"a\"]\nshwo = \"x\"\n");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos);
  }
}

TEST_F(RuleFile, AnUnknownRendererIsAConfigError) {
  EXPECT_THROW(load("[[template]]\nnames = [\"a\"]\nrender = \"magic\"\n"), ConfigError);
}

TEST(TemplateRules, TheDigestTellsRuleSetsApart) {
  EXPECT_NE(TemplateRules::built_in("en").digest(), TemplateRules::built_in("ltg").digest());
}

}  // namespace
}  // namespace touchstone::extractors::testing
