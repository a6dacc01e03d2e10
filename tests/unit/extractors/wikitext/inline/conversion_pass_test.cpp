#include "tests/unit/extractors/wikitext/hostile_variants.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <ctime>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
using site::SiteInfo;
namespace {

// What MediaWiki 1.39 shows on a wiki of the language to a reader who chose no variant.

Document parse_in(std::string_view language, std::string_view wikitext) {
  static const TemplateRules rules = TemplateRules::built_in("en");
  WikitextOptions options;
  options.collect_text = true;
  return parse_wikitext(SiteInfo::make_default(language), rules, {kNamespaceMain, "Test page"}, wikitext, options);
}

std::string shown_in(std::string_view language, std::string_view wikitext) {
  std::string out;
  for (const Block& block : parse_in(language, wikitext).blocks) {
    if (!out.empty()) out += '\n';
    out += block.list_marker + (block.list_marker.empty() ? "" : " ") + block.content.text;
  }
  return out;
}

struct Case {
  std::string_view wikitext, shown;
};

void expect_shown(std::string_view language, std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(shown_in(language, one.wikitext), one.shown) << one.wikitext;
}

TEST(WikitextVariants, TheTextForTheWikisOwnCodeOrTheNearestIsShown) {
  expect_shown("zh", {{"a -{zh-hans:A;zh-hant:B}- b", "a A b"},
                      {"-{zh:M;zh-hans:A;zh-hant:B}-", "M"},
                      {"-{zh-hant:B;zh-hans:A}-", "A"},
                      {"-{zh-hk:H;zh-tw:T}-", "T"},
                      {"-{zh-hans:;zh-hant:B}-", "B"},
                      {"-{zh-hans: A ;zh-hant: B }-x", "Ax"}});
  expect_shown("sr", {{"a -{sr-ec:А;sr-el:A}- b", "a А b"}, {"-{sr-el:q;sr:z}-", "z"}});
  expect_shown("kk", {{"-{kk-cyrl:a;kk-latn:b}-", "a"}, {"-{kk:q;kk-latn:b}-", "q"}});
  expect_shown("gan", {{"-{gan-hant:B}- -{x=>gan-hant:C}-", "B C"}});
  expect_shown("crh", {{"-{crh-latn:A;crh-cyrl:B}-", "A"}});
}

TEST(WikitextVariants, OtherWikisShowFormsAsTheyAreWritten) {
  for (const std::string_view language : {"en", "de", "ja", "lzh"})
    expect_shown(language, {{"-{zh-hans:A;zh-hant:B}- -{x}-", "-{zh-hans:A;zh-hant:B}- -{x}-"}});
}

TEST(WikitextVariants, CodesMayBeStandardOnesInAnyCase) {
  expect_shown("zh", {{"-{ZH-HANS:A;zh-Hant:B}-", "A"}, {"-{zh-Hant-TW:B;zh-Hans-CN:A}-", "A"}});
  expect_shown("sr", {{"-{sr-Cyrl:А;sr-Latn:A}-", "А"}, {"-{sr-cyrl:А;sr-latn:A}-", "А;sr-latn:A"}});
}

TEST(WikitextVariants, TextWithoutCodesOrWithOthersIsShownAsItIs) {
  expect_shown("zh", {{"-{raw text}-", "raw text"},
                      {"-{raw|text}-", "text"},
                      {"-{|x}-", "x"},
                      {"x-{}-y", "xy"},
                      {"-{zh-foo:C; zh-hant:B}-", "zh-foo:C; zh-hant:B"},
                      {"-{zh-hans:A; zh-foo:C; zh-hant:B}-", "A; zh-foo:C"},
                      {"x-{R|zh-hans:AA;zh-hant:BB}-y", "xzh-hans:AA;zh-hant:BBy"}});
}

TEST(WikitextVariants, AFormWithoutTextForTheWikiShowsNothing) {
  expect_shown("kk", {{"a -{kk-arab:x}- b", "a b"}, {"a -{kk-kz:x;kk-latn:y}- b", "a b"}});
  expect_shown("sr", {{"a -{sr-el:A}- b", "a b"}, {"a -{sr:-{sr-el:A}-;sr-ec:c}- b", "a b"}});
}

TEST(WikitextVariants, SemicolonsColonsAndReferencesMayStandInTexts) {
  expect_shown("zh", {{"-{zh-hans:A&nbsp;x;zh-hant:B}-", "A x"},
                      {"-{zh-hans:A;x;zh-hant:B}-", "A;x"},
                      {"-{zh-hans:A: x;zh-hant:B;}-", "A: x"},
                      {"-{zh-hans:A&amp;zh-hant:B}-", "A&zh-hant:B"},
                      {"-{zh-hans:A;\nzh-hant:B\n}-", "A"}});
}

TEST(WikitextVariants, TextsThatGoOneWayCountForTheirVariantOnly) {
  expect_shown("zh", {{"-{a=>zh-hans:x;b=>zh:y}-", "y"}, {"-{a=>zh-hans:x}-", "x"}, {"-{a=>zh:1;a=>zh:2}-", "2"}});
}

TEST(WikitextVariants, FlagsSayWhatIsShown) {
  expect_shown("zh", {{"x-{A|zh-hans:AA;zh-hant:BB}-y", "xAAy"},
                      {"x-{H|zh-hans:AA;zh-hant:BB}-y", "xy"},
                      {"x-{T|zh-hans:AA;zh-hant:BB}-y", "xy"},
                      {"x-{-|zh-hans:AA;zh-hant:BB}-y", "xy"},
                      {"x-{E|zh-hans:AA;zh-hant:BB}-y", "xAAy"},
                      {"x-{A;D|zh-hans:AA;zh-hant:BB}-y", "xy"},
                      {"x-{A;T|zh-hans:AA;zh-hant:BB}-y", "xAAy"},
                      {"x-{D;T|zh-hans:AA;zh-hant:BB}-y", "xy"},
                      {"x-{N|zh-hans}-y", "x简体y"}});
  expect_shown("sr", {{"-{S|sr-ec:А;sr-el:A}- -{писмо|sr-ec:А;sr-el:A}- -{W|sr-ec:А;sr-el:A}--{реч|x}-", "А А x"}});
}

TEST(WikitextVariants, FormsAreDescribed) {
  expect_shown("zh", {{"x-{D|zh-hans:AA;zh-hant:BB}-y", "x简体：AA；繁體：BB；y"},
                      {"x-{H;D|zh-hans:AA;zh-hant:BB}-y", "x简体：AA；繁體：BB；y"},
                      {"x-{T;D|zh-hans:AA;zh-hant:BB}-y", "x简体：AA；繁體：BB；y"},
                      {"x-{D|AA=>zh-hans:CC;BB=>zh-hant:DD}-y", "xAA⇒简体：CC；BB⇒繁體：DD；y"},
                      {"x-{D|AA=>zh-hans:CC;zh-hant:DD}-y", "x繁體：DD；AA⇒简体：CC；y"},
                      {"x-{D|zh-hans:AA;zh-hant:BB;zh-hans:CC}-y", "x简体：CC；繁體：BB；y"}});
  expect_shown("gan", {{"-{D|gan-hans:A;gan-hant:B}-.", "简体: A; 繁體: B; ."}});
}

TEST(WikitextVariants, FormsMayStandInForms) {
  expect_shown("zh", {{"-{zh-hans:A -{zh-hans:N;zh-hant:M}- C;zh-hant:B}-", "A N C"},
                      {"-{-{-{-{-{-{-{-{-{-{-{-{x}-}-}-}-}-}-}-}-}-}-}-}-", "-{-{x}-}-"}});
}

TEST(WikitextVariants, AFormThatNeverEndsStaysButForThoseInIt) {
  expect_shown("zh", {{"-{zh-hans:A;zh-hant:B", "-{zh-hans:A;zh-hant:B"},
                      {"a -{zh-hans:A;zh-hant:B b -{zh-hans:C;zh-hant:D}- c", "a -{zh-hans:A;zh-hant:B b C c"},
                      {"}- x", "}- x"}});
}

TEST(WikitextVariants, LinksKeepTheirTargetsAndShowTheChosenText) {
  const Document document = parse_in("zh", "[[A|-{zh-hans:C;zh-hant:D}-]]s -{zh-hans:[[E]];zh-hant:[[F]]}-");
  ASSERT_EQ(document.blocks.size(), 1U);
  const RichText& content = document.blocks[0].content;
  EXPECT_EQ(content.text, "Cs E");
  ASSERT_EQ(content.links.size(), 2U);
  EXPECT_EQ(content.links[0].target.text, "A");
  EXPECT_EQ(content.links[0].end, 2U);
  EXPECT_EQ(content.links[1].target.text, "E");
  ASSERT_EQ(document.other_links.size(), 1U);
  EXPECT_EQ(document.other_links[0].target.text, "F");
  EXPECT_FALSE(document.other_links[0].shown);
}

TEST(WikitextVariants, ATargetWithAFormMakesNoLink) {
  expect_shown("zh", {{"[[-{zh-hans:A;zh-hant:B}-|text]]", "[[A|text]]"}, {"[[A-{x}-]]", "[[Ax]]"}});
  EXPECT_TRUE(parse_in("zh", "[[-{zh-hans:A;zh-hant:B}-]]").blocks.at(0).content.links.empty());
}

TEST(WikitextVariants, AFormInAnAddressIsPartOfIt) {
  expect_shown("zh", {{"[http://a.org/-{zh-hans:x;zh-hant:y}- text]", "text"},
                      {"http://a.org/-{zh-hans:x;zh-hant:y}-z", "http://a.org/xz"},
                      {"[x -{http://a.org y}- z]", "[x http://a.org y z]"},
                      {"-{zh-hans:[http://a.org A];zh-hant:[http://b.org B]}-", "A"}});
}

TEST(WikitextVariants, FootnotesInWhatIsNotShownCount) {
  const Document document = parse_in("sr", "-{sr-ec:a<ref>[[P]]</ref>;sr-el:b<ref>[[Q]]</ref>}-");
  EXPECT_EQ(document.blocks.at(0).content.text, "a");
  EXPECT_EQ(targets(document), (std::vector<std::string>{"Q", "P"}));
}

TEST(WikitextVariants, WhatIsShownBeginsNoListAndEndsNoTerm) {
  expect_shown("zh", {{"-{zh-hans:* A;zh-hant:B}-", "* A"},
                      {"* -{zh-hans:A;zh-hant:B}-", "* A"},
                      {"; -{zh-hans:A:B;zh-hant:B}- : c", "; A:B\n: c"},
                      {"a\n-{H|zh-hans:A;zh-hant:B}-\nb", "a b"}});
}

TEST(WikitextVariants, LinesOfAFormAreLinesOfThePage) {
  expect_shown("zh", {{"-{zh-hans:A;\n\nzh-hant:B\n}-", "A;\nzh-hant:B"},
                      {"* -{zh-hans:A;\nzh-hant:B}-", "* A;\nzh-hant:B"},
                      {"-{zh-hans:\n* A\n* B}-", "* A\n* B"},
                      {"<div>-{zh:a;\nzh-hant:b}-</div>", "a"},
                      {"<div>\n-{zh:a;\nzh-hant:b}-</div>", "a;\nzh-hant:b"},
                      {"; -{zh:a;\nzh-hant:b}- : c", "; a;\nzh-hant:b : c"}});
}

TEST(WikitextVariants, HeadingsTablesAndCaptionsHaveForms) {
  EXPECT_EQ(parse_in("zh", "== -{zh-hans:A;zh-hant:B}- ==").sections.at(1).heading.text, "A");
  const Document document = parse_in("zh", "{|\n| -{zh-hans:A;zh-hant:B}- | c\n| style=\"x\" | -{d|e}-\n|}");
  ASSERT_EQ(document.tables.size(), 1U);
  EXPECT_EQ(document.tables[0].cells[0][0].content.text, "A | c");
  EXPECT_EQ(document.tables[0].cells[0][1].content.text, "e");
  EXPECT_EQ(parse_in("zh", "[[File:x.jpg|thumb|-{A|zh-hans:A;zh-hant:B}-]]").text, "A\n");
  EXPECT_EQ(parse_in("zh", "<gallery>\nx.jpg|-{A|zh-hans:A;zh-hant:B}-\n</gallery>").text, "A\n");
  EXPECT_EQ(parse_in("zh", "<poem>-{zh-hans:A;zh-hant:B}-\nb</poem>").text, "A b\n");
}

TEST(WikitextVariants, FormsComeOutOfTemplatesAndParserFunctions) {
  expect_shown("zh", {{"{{#if:x|-{zh-hans:A|zh-hant:B}-|n}}", "B"},
                      {"{{lc:-{zh-hans:A;zh-hant:B}-}}", "a"},
                      {"-{zh-hans:{{#if:x|Y}};zh-hant:B}-", "Y"},
                      {"{{nowrap|-{zh-hans:A;zh-hant:B}-}}", "A"}});
}

TEST(WikitextVariants, MarkupInFormsIsRead) {
  expect_shown("zh", {{"-{zh-hans:'''A''';zh-hant:''B''}-", "A"},
                      {"-{zh-hans:<span style=\"color:red;\">A</span>;zh-hant:B}-", "A"},
                      {"-{<span style=\"color:red\">A</span>=>zh:b}-", "A=>zh:b"},
                      {"-{<nowiki>zh-hans:A;zh-hant:B</nowiki>}-", "zh-hans:A;zh-hant:B"},
                      {"<nowiki>-{zh-hans:A}-</nowiki>", "-{zh-hans:A}-"},
                      {"-<nowiki/>{zh-hans:A}-", "-{zh-hans:A}-"}});
}

TEST(WikitextVariants, ASwitchLeavesFormsAsTheyAre) {
  expect_shown("zh", {{"a -{zh-hans:A;zh-hant:B}- __NOCONTENTCONVERT__", "a -{zh-hans:A;zh-hant:B}-"},
                      {"a -{zh-hans:A;zh-hant:B}- __不转换内容__", "a -{zh-hans:A;zh-hant:B}-"},
                      {"a -{zh-hans:A;zh-hant:B}- __NOTITLECONVERT__", "a A"}});
  expect_shown("sr", {{"a -{sr-ec:А;sr-el:A}- __БЕЗКС__", "a -{sr-ec:А;sr-el:A}-"}});
}

TEST(WikitextVariants, TextOutsideOfFormsIsNotConverted) {
  expect_shown("zh", {{"汉字漢字", "汉字漢字"}});
  expect_shown("sr", {{"Beograd Београд", "Beograd Београд"}});
}

TEST(WikitextVariants, DefinitionsHoldForTheRestOfThePage) {
  expect_shown("sr", {{"b x-{A|sr-ec:а;sr-el:b}- b b<b>b</b> [[b|b]]\n* b", "b xа а аа а\n* а"},
                      {"-{H|sr-ec:а;sr-el:b}-b -{-|sr-ec:а;sr-el:b}-b", "а b"},
                      {"-{H|a=>sr:b}- a -{H|a=>sr-ec:c}- a", "b b"},
                      {"-{A|x}- x", "x x"},
                      {"-{T|sr-ec:а;sr-el:b}- b", "b"}});
  expect_shown("kk", {{"-{H|kk-cyrl:a;kk-latn:b}- b a", "a a"}});
  const Document document = parse_in("sr", "-{H|sr-ec:а;sr-el:b}-\n== b ==\n{|\n|b\n|}");
  EXPECT_EQ(document.sections.at(1).heading.text, "а");
  EXPECT_EQ(document.tables.at(0).cells[0][0].content.text, "а");
}

TEST(WikitextVariants, TheLongestDefinedWordIsTaken) {
  expect_shown("sr", {{"-{H|sr-ec:а;sr-el:a}--{H|sr-ec:аа;sr-el:aa}-a aa aaa", "а аа ааа"},
                      {"-{H|sr-ec:abc;sr-el:b}-abc b ab", "abc abc aabc"}});
}

TEST(WikitextVariants, DefinitionsChangeNoAddressReferenceOrForm) {
  expect_shown("sr", {{"-{H|sr-ec:а;sr-el:b}-http://b.org [http://b.org b]", "http://b.org а"},
                      {"-{H|sr-ec:а;sr-el:amp}-&amp;amp", "&а"},
                      {"-{H|sr-ec:а;sr-el:b}--{b}- -{R|b}- -{sr|b}- -{ b", "b b а -{ а"},
                      {"-{H|sr-ec:а;sr-el:b}-<nowiki>b</nowiki>", "b"}});
}

TEST(WikitextVariants, DefinitionsDoNotMatterOnWikisThatShowTheWrittenText) {
  expect_shown("zh", {{"x-{A|zh-hans:AA;zh-hant:BB}- then AA BB", "xAA then AA BB"}, {"-{A|a=>zh:x}- a", "x a"}});
  expect_shown("gan", {{"-{H|gan-hans:A;gan-hant:B}-A B", "A B"}});
  expect_shown("crh", {{"-{H|crh-latn:A;crh-cyrl:B}-A B", "A B"}});
}

TEST(WikitextVariants, HostileFormsAreReadToTheEndSoon) {
  // What is quadratic takes minutes, so the bound is far above what is normal.
  constexpr double kMaxSeconds = 10;
  for (const HostileText& text : hostile_variant_texts(500'000)) {
    for (const std::string_view language : {"zh", "sr"}) {
      const std::clock_t begin = std::clock();
      const Document document = parse_in(language, text.wikitext);
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      EXPECT_FALSE(document.sections.empty()) << text.name;
      EXPECT_LT(seconds, kMaxSeconds) << text.name.substr(0, 80);
    }
  }
}

TEST(WikitextVariants, ADefinitionCannotMultiplyAPage) {
  const std::string word(100'000, 'x');
  const Document document = parse_in("sr", "-{H|sr-ec:" + word + ";sr-el:a}-" + repeat("a", 100'000));
  EXPECT_LT(document.blocks.at(0).content.text.size(), std::size_t{10} << 20);
  EXPECT_EQ(document.counters.limits_hit, 1U);
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
