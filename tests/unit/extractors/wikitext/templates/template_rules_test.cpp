#include "common/error.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"
#include "tests/unit/extractors/wikitext/hostile_wikitext.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
using site::read_fixed_moment;
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

// Worked out by hand from Help:Convert and the module's documentation.
INSTANTIATE_TEST_SUITE_P(
    HandChecked, Convert,
    ::testing::Values(Conversion{"{{convert|5|ft|6+1/2|in}}", "5 feet 6 1⁄2 inches (1.689 m)"},
                      Conversion{"{{convert|6|ft|1|in|cm}}", "6 feet 1 inch (185 cm)"},
                      Conversion{"{{convert|12|st|9|lb}}", "12 stone 9 pounds (80 kg)"},
                      Conversion{"{{convert|5|mi|14|chain}}", "5 miles 14 chains (8.3 km)"},
                      Conversion{"{{convert|180|cm|ftin}}", "180 centimetres (5 ft 11 in)"},
                      Conversion{"{{convert|94|kg|stlb}}", "94 kilograms (14 st 11 lb)"},
                      Conversion{"{{convert|0|-|60|mph}}", "0–60 miles per hour (0–97 km/h)"},
                      Conversion{"{{convert|10|x|20|m}}", "10 by 20 metres (33 ft × 66 ft)"},
                      Conversion{"{{cvt|2.5 by 5.5|ft}}", "2.5 by 5.5 ft (0.76 by 1.68 m)"},
                      Conversion{"{{convert|60|and(-)|80|kg}}", "60 and 80 kilograms (130–180 lb)"},
                      Conversion{"{{convert|10|to(-)|20|mi|km}}", "10 to 20 miles (16–32 km)"},
                      Conversion{"{{convert|-10|to|-5|C}}", "−10 to −5 °C (14 to 23 °F)"},
                      Conversion{"{{convert|5|±|2|C}}", "5 ± 2 °C (41 ± 4 °F)"},
                      Conversion{"{{convert|20|kn}}", "20 knots (37 km/h; 23 mph)"},
                      Conversion{"{{convert|50|kg|lb}} {{convert|1345|m|ft}}",
                                 "50 kilograms (110 lb) 1,345 metres (4,413 ft)"},
                      Conversion{"{{convert|3|e6acre|km2|abbr=off}}", "3 million acres (12,000 square kilometres)"},
                      Conversion{"{{convert|135|m3/s|cuft/s|abbr=on}}", "135 m3/s (4,800 cu ft/s)"},
                      Conversion{"{{convert|100|m|ft|sigfig=4|disp=sqbr}}", "100 metres [328.1 ft]"},
                      Conversion{"{{convert|23|m|ft|round=5|order=flip}}", "75 feet (23 m)"},
                      Conversion{"{{convert|20|cm|in|frac=8}}", "20 centimetres (7 7⁄8 in)"},
                      Conversion{"{{convert|5|in|cm|spell=in}}", "five inches (13 cm)"},
                      Conversion{"{{convert|255|m|yd|-1|adj=mid|-long}}", "255-metre-long (280 yd)"},
                      Conversion{"{{convert|4|by|5|ft|adj=on}}", "4-by-5-foot (1.2 by 1.5 m)"},
                      Conversion{"{{convert|10|C|abbr=off}}", "10 degrees Celsius (50 degrees Fahrenheit)"},
                      Conversion{"{{convert|10|ha|abbr=on}}", "10 ha (25 acres)"},
                      Conversion{"{{convert|12|USgal|sp=us}}", "12 U.S. gallons (45 L; 10.0 imp gal)"},
                      Conversion{"{{convert|1000|ft|m|comma=off|disp=output only}}", "300 m"},
                      Conversion{"{{convert|203,752|nmi|smi km|abbr=off|sp=us}}",
                                 "203,752 nautical miles (234,474 statute miles; 377,349 kilometers)"},
                      Conversion{"{{convert|11|MUSgal|Ml|abbr=off|sp=us}}", "11 million U.S. gallons (42 megaliters)"},
                      Conversion{"{{convert|1000000|MT|ST}}", "1,000,000 metric tons (1,100,000 short tons)"},
                      // Names of options that the module does not have are ignored.
                      Conversion{"{{convert|100|m|ft|abbre=on|spelling=us}}", "100 metres (330 ft)"}));

TEST(TemplateRules, NoNumberIsShownThatIsNotSure) {
  for (const char* call : {"{{convert|3|mpgus}}",
                           "{{convert|1e6|km}}",
                           "{{convert|5|in|cm|frac=4}}",
                           "{{convert|1|km|kg}}",
                           "{{convert|x|km}}",
                           "{{convert|1 2|km}}",
                           "{{convert|3|km|mi|order=out}}",
                           "{{convert|3|km|mi|disp=unit}}",
                           "{{convert|3|km|mi|abbr=~}}",
                           "{{convert|3|Mt}}",
                           "{{convert|5|km|mi|1.5}}",
                           "{{convert|input=P2048}}",
                           "{{convert}}",
                           "{{convert|5|-|km}}",
                           "{{convert|5|ft|-6|in}}",
                           "{{convert|5|km|mi|qid=Q1}}",
                           "{{convert|1234567890123456789|km}}",
                           "{{convert|5|km|smi}}",
                           "{{cvt|5|MT|kg}}",
                           "{{convert|5|km|mi|lang=en}}",
                           "{{convert|5|m|altitude_ft=3}}",
                           "{{convert|5|MT}}",
                           "{{convert|1|m|ft|sigfig=0}}"}) {
    const Document document = parse(std::string("a ") + call);
    EXPECT_EQ(document.blocks.at(0).content.text, "a") << call;
    EXPECT_EQ(document.counters.templates_dropped, 1U) << call;
  }
}

TEST(TemplateRules, AConversionThatIsNotUnderstoodIsDroppedAsAWhole) {
  const Document document = parse("a {{convert|3|furlongs per fortnight|spell=in}} b");
  EXPECT_EQ(document.blocks[0].content.text, "a b");
  EXPECT_EQ(document.counters.templates_dropped, 1U);
}

TEST(TemplateRules, EndlessUnitsAreNotUnderstood) {
  constexpr std::size_t kBytes = 1'000'000;
  for (const char* piece : {"e3", "m/", "k"}) {
    const std::string unit = testing::repeat(piece, kBytes) + "m";
    EXPECT_EQ(parse("{{convert|1|" + unit + "}}").counters.templates_dropped, 1U) << piece;
    EXPECT_EQ(parse("{{convert|1|m|" + unit + "}}").counters.templates_dropped, 1U) << piece;
  }
}

TEST(TemplateRules, DatesAndAges) {
  EXPECT_EQ(text("{{birth date|1947|4|25|df=y}}"), "25 April 1947");
  EXPECT_EQ(text("{{death date and age|2016|3|24|1947|4|25}}"), "March 24, 2016 (aged 68)");
  EXPECT_EQ(text("x{{birth date|1947|13|25}}"), "x");
}

std::string text_at(std::string_view wikitext, std::string_view now) {
  WikitextOptions options;
  options.now = read_fixed_moment(now);
  return parse_wikitext(english(), TemplateRules::built_in("en"), {0, "T"}, wikitext, options)
      .blocks.at(0)
      .content.text;
}

TEST(TemplateRules, AgesAreCountedToTheDateOfTheDump) {
  constexpr std::string_view kAges =
      "{{birth date and age|1950|6|1|df=y}}; {{age|1950|5|31}}; {{birth date and age|1950}}; {{start date and "
      "age|1990|1|2}}";
  EXPECT_EQ(text_at(kAges, "2026-05-31"), "1 June 1950 (age 75); 76; 1950 (age 75–76); January 2, 1990 (36 years ago)");
  // Without it the date is shown alone, or nothing.
  EXPECT_EQ(text(kAges), "1 June 1950; 1950; January 2, 1990");
  EXPECT_EQ(text("{{age|1950|5|1|1960|4|30}}; {{death date and age|2016|3|24|1947}}"),
            "9; March 24, 2016 (aged 68–69)");
  EXPECT_EQ(text("{{film date|2010|7|16|London|2010|7|20}}"), "July 16, 2010 (London) July 20, 2010");
}

TEST(TemplateRules, FlagsNameAndLinkTheirCountries) {
  const Document document =
      parse("{{flag|JPN}} {{flag|GEO}} {{GER}} {{flagu|SUI}} {{fb|BRA}} {{flagcountry|Soviet Union|name=USSR}}");
  EXPECT_EQ(document.blocks[0].content.text, "Japan Georgia Germany Switzerland Brazil USSR");
  EXPECT_EQ(targets(document), (std::vector<std::string>{"Japan", "Georgia (country)", "Germany",
                                                         "Brazil national football team", "Soviet Union"}));
  for (const Link* link : all_links(document)) EXPECT_EQ(link->origin, LinkOrigin::kTemplate);
  EXPECT_EQ(text("a{{flag|XQX}}{{fb|USA}}{{flagdeco|JPN}}"), "a");
  const Document icon = parse("{{flagicon|JPN}} [[Edo]]");
  ASSERT_EQ(icon.other_links.size(), 1U);
  EXPECT_EQ(icon.other_links[0].target.text, "Japan");
  EXPECT_EQ(icon.other_links[0].origin, LinkOrigin::kTemplate);
  EXPECT_EQ(icon.blocks.at(0).content.links.size(), 1U);
}

TEST(TemplateRules, LanguagesNameTextRomanisationAndMeaning) {
  EXPECT_EQ(text("{{lang-ru|Москва|Moskva|Moscow}}; {{langx|fr|le chat|lit=cat}}; {{native name|fr|la Suisse}}"),
            "Russian: Москва, romanized: Moskva, lit. 'Moscow'; French: le chat, lit. 'cat'; la Suisse (French)");
  EXPECT_EQ(
      text("{{zh|s=汉|t=漢|p=Hàn}}; {{zh|s=西|t=西|l=West}}; {{Korean|hangul=한|hanja=韓|qq=}}"),
      "simplified Chinese: 汉; traditional Chinese: 漢; pinyin: Hàn; Chinese: 西; lit. 'West'; Korean: 한; Hanja: 韓");
  EXPECT_EQ(text("{{IPA-fr|bɔ̃}}; {{IPA|fr|bɔ̃||a.ogg}}; {{IPA|/a/}}; {{IPAc-en|lang|ˈ|w|ɪ|k|i}}"),
            "French pronunciation: [bɔ̃]; French: [bɔ̃]; /a/; English: /ˈwɪki/");
  EXPECT_EQ(
      text("{{nihongo|Tokyo|東京|Tōkyō|lead=yes}}; {{nihongo krt|hello|今日は|konnichiwa}}; {{nihongo foot|A|B|C}}"),
      "Tokyo (Japanese: 東京, Hepburn: Tōkyō); 今日は (konnichiwa, hello); A");
  EXPECT_EQ(text("a{{lang-xqx|b}}{{zh|b}}{{IPA-xqx|b}}"), "a");
  for (const char* call :
       {"{{zh|p=b|l={{ill|C}}}}", "{{lang-ru|b|lit={{ill|C}}}}", "{{film date|2010|7|16|{{ill|C}}}}"}) {
    const Document document = parse(call);
    ASSERT_FALSE(all_links(document).empty()) << call;
    EXPECT_EQ(all_links(document).back()->target.text, "C");
    EXPECT_EQ(all_links(document).back()->origin, LinkOrigin::kTemplate) << call;
  }
}

TEST(TemplateRules, CoordinatesNumbersAndYears) {
  EXPECT_EQ(text("{{coord|35|41|22|N|139|41|30|E|display=inline}}; {{coord|35.69|-139.7|type:city}}"),
            "35°41′22″N 139°41′30″E; 35.69°N 139.7°W");
  EXPECT_EQ(text("a{{coord|35.69|139.7|format=dms}}{{coord|1|2|3}}{{ntsh|5}}"), "a");
  EXPECT_EQ(text("{{nts|1234567.5}}; {{nts|-5}}; {{reign|1837|1901}}; {{reign|6 May 1900|1901}}"),
            "1,234,567.5; −5; r. 1837–1901; r. 6 May 1900 – 1901");
}

TEST(TemplateRules, NotesAboveSectionsReadAsOnThePage) {
  const Document document = parse("{{main|A|B#x{{!}}c|D|l1=q}}");
  EXPECT_EQ(document.blocks.at(0).content.text, "Main articles: q, c, and D");
  EXPECT_EQ(targets(document), (std::vector<std::string>{"A", "B", "D"}));
  EXPECT_EQ(text("{{see also|A}}"), "See also: A");
  EXPECT_EQ(text("{{see also|A|B|label 1=p|l1=q|label 2=r}}"), "See also: q and r");
}

TEST(TemplateRules, CallsAreCountedByNameWhereTheyAreShown) {
  const TemplateRules rules = TemplateRules::built_in("en");
  WikitextOptions options;
  options.count_templates = true;
  const Document document = parse_wikitext(
      english(), rules, {0, "T"},
      "{{nowrap|a {{no such|b}}}} {{Infobox x|y={{nowrap|[[c]]}}}} {{convert|x}} {{Kami-stub}}", options);
  std::string counted;
  for (const auto& [title, use] : document.template_uses)
    counted +=
        title + " " + std::to_string(use.rendered) + std::to_string(use.dropped) + std::to_string(use.aside) + "; ";
  EXPECT_EQ(counted, "Convert 010; Infobox x 001; Kami-stub 001; No such 010; Nowrap 100; ");
}

TEST(TemplateRules, TheSimpleEnglishWikipediaHasTheEnglishRules) {
  EXPECT_EQ(TemplateRules::built_in("simple").digest(), TemplateRules::built_in("en").digest());
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
  EXPECT_EQ(targets("{{ship|HMS|Foo|D01}} {{ship||Yamato}} {{sclass|Iowa|battleship}}"),
            (std::vector<std::string>{"HMS Foo (D01)", "Yamato", "Iowa-class battleship", "Battleship"}));
  EXPECT_EQ(text("{{USS|Monitor||2}}; {{ship|HMS|Foo|D01|6}}; {{HMS|Foo|D01|3}}"), "Monitor; HMS Foo; Foo (D01)");
  EXPECT_EQ(text("a{{sclass|Iowa|battleship|1}}{{HMS|Foo|D01|5}}{{USS|Foo|up=yes}}"), "a");
}

TEST(TemplateRules, FrequentTemplatesOfRunningText) {
  EXPECT_EQ(text("a {{jalink|Shinto shrine|Q845945}} {{in lang|ja|en}} {{ISBN|1-2|3-4}} {{OCLC|5}} {{official "
                 "website|http://a}}"),
            "a Shinto shrine (in Japanese and English) ISBN 1-2, 3-4 OCLC 5 Official website");
  EXPECT_EQ(text("a{{IPAc-en|K|@}}{{URL|http://a b}}{{in lang|xx-none}}"), "a");
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

TEST_F(RuleFile, HolesForTitlesAndLinksOfTheRule) {
  const TemplateRules rules =
      load("[[template]]\nnames = [\"XY\"]\nshow = \"{@} {1} \\\\[\\\\[{PAGENAME} (list)\\\\]\\\\]\"\n");
  const Document document = parse_wikitext(english(), rules, {0, "T"}, "{{XY|[[a]]}}");
  EXPECT_EQ(document.blocks.at(0).content.text, "XY a T (list)");
  ASSERT_EQ(document.blocks[0].content.links.size(), 2U);
  EXPECT_EQ(document.blocks[0].content.links[0].origin, LinkOrigin::kText);
  EXPECT_EQ(document.blocks[0].content.links[1].origin, LinkOrigin::kTemplate);
}

TEST_F(RuleFile, CountriesAndTemplatesAsideAreTablesOfTheFile) {
  const TemplateRules rules = load("aside = [\"Lamp box*\"]\n[countries]\nOST = \"Ostrand|Ostrand (island)\"\n");
  WikitextOptions options;
  options.count_templates = true;
  const Document document = parse_wikitext(english(), rules, {0, "T"}, "{{flag|OST}}{{lamp box 2}}", options);
  EXPECT_EQ(document.blocks.at(0).content.text, "Ostrand");
  EXPECT_EQ(document.blocks[0].content.links.at(0).target.text, "Ostrand (island)");
  EXPECT_EQ(document.template_uses.at("Lamp box 2").aside, 1U);
  EXPECT_THROW(load("[countries]\nOST = 3\n"), ConfigError);
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
}  // namespace touchstone::extractors::wikitext::testing
