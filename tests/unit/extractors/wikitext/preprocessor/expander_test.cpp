#include "extractors/site/moment.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <map>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
using site::read_fixed_moment;
namespace {

using Strings = std::vector<std::string>;

class Pages final : public PageLoader {
 public:
  explicit Pages(std::map<std::string, std::string> templates) : templates_(std::move(templates)) {}
  std::optional<std::string> load(const Title& title) const override {
    const auto found = templates_.find(title.text);
    if (title.ns != kNamespaceTemplate || found == templates_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, std::string> templates_;
};

std::string expand(std::string_view wikitext, std::map<std::string, std::string> templates) {
  const Pages pages(std::move(templates));
  const TemplateRules rules = TemplateRules::built_in("en");
  WikitextOptions options;
  options.templates = TemplateMode::kExpand;
  options.loader = &pages;
  const Document document = parse_wikitext(english(), rules, {kNamespaceMain, "Test page"}, wikitext, options);
  std::string out;
  for (const Block& block : document.blocks) out += (out.empty() ? "" : "\n") + block.content.text;
  return out;
}

/// The text of a page without notes and boxes.
std::string running_text(std::string_view wikitext, std::map<std::string, std::string> templates) {
  const Pages pages(std::move(templates));
  const TemplateRules rules = TemplateRules::built_in("en");
  WikitextOptions options;
  options.templates = TemplateMode::kExpand;
  options.loader = &pages;
  std::string out;
  for (const Block& block : parse_wikitext(english(), rules, {kNamespaceMain, "Ama"}, wikitext, options).blocks) {
    if (block.kind != BlockKind::kNote) out += (out.empty() ? "" : "\n") + block.content.text;
  }
  return out;
}

/// Any interface message is a megabyte long.
class LongMessages final : public PageLoader {
 public:
  std::optional<std::string> load(const Title&) const override { return text_; }

 private:
  std::string text_ = std::string(std::size_t{1} << 20, 'a');
};

TEST(WikitextTemplates, WhatMessagesGiveCountsTowardsTheBoundOfAPage) {
  const LongMessages pages;
  WikitextOptions options;
  options.templates = TemplateMode::kExpand;
  options.loader = &pages;
  std::string calls;
  for (int i = 0; i < 20; ++i) calls += "{{int:m}}";
  const Document document =
      parse_wikitext(english(), TemplateRules::built_in("en"), {kNamespaceMain, "Test page"}, calls, options);
  EXPECT_EQ(document.counters.limits_hit, 16U);
}

TEST(WikitextTemplates, UnknownTemplatesShowNothingButTheirLinksCount) {
  const Document document = parse("a {{unknown|[[b]]|x=[[c]]}} d");
  EXPECT_EQ(document.blocks[0].content.text, "a d");
  EXPECT_EQ(targets(document), (Strings{"B", "C"}));
  EXPECT_EQ(document.counters.templates_dropped, 1U);
}

TEST(WikitextTemplates, ALinkMadeByARuleIsOneBehindABracketToo) {
  const Document document = parse("a [{{ill|B|ja|c|lt=b}}] d {{ill|E|ja|f}}");
  EXPECT_EQ(document.blocks[0].content.text, "a [b] d E");
  EXPECT_EQ(targets(document), (Strings{"B", "E"}));
  for (const Link& link : document.blocks[0].content.links) EXPECT_EQ(link.origin, LinkOrigin::kTemplate);
  EXPECT_EQ(blocks("a {{ill|B|lt={{ill|C|lt=c}}}} d {{ill|E\nF|lt=e}}"), (Strings{"a c d e"}));
}
TEST(WikitextTemplates, ALinkWhoseTextIsADroppedTemplateShowsNothing) {
  const Document document = parse("a [[B|{{unknown}}]] c");
  EXPECT_EQ(document.blocks[0].content.text, "a c");
  EXPECT_EQ(targets(document), (Strings{"B"}));
}
TEST(WikitextTemplates, ARuleMakesNoLinkToWhatIsNoTitle) {
  EXPECT_EQ(text("a {{ill|b [c] d|ja|e}} f"), "a b [c] d f");
}
TEST(WikitextTemplates, OfArgumentsWithOneNameTheLastCounts) {
  EXPECT_EQ(targets("{{unknown|[[a]]|1=[[b]]}}"), (Strings{"B"}));
}
TEST(WikitextTemplates, DroppedTemplatesHideTheirLinksInDropMode) {
  EXPECT_TRUE(targets(parse("{{unknown|[[a]]}}", TemplateMode::kDrop)).empty());
}
TEST(WikitextTemplates, ParametersShowTheirDefaults) {
  EXPECT_EQ(text("a {{{1|b}}} {{{c}}}"), "a b {{{c}}}");
}
TEST(WikitextTemplates, MagicWordsStandForThePage) {
  EXPECT_EQ(text("{{PAGENAME}} {{lc:ABC}} {{ucfirst:x}}"), "Test page abc X");
}
TEST(WikitextTemplates, ParserFunctionsAreComputed) {
  EXPECT_EQ(text("{{#if: x | a | b }}{{#ifeq:1|1.0|c|d}}{{#switch:k|j=1|k=2|3}}{{#expr: 1 + 2 * 3}}"), "ac27");
}
struct TimeCase {
  const char* wikitext;
  const char* shown;
};
class Time : public ::testing::TestWithParam<TimeCase> {};
/// As MediaWiki 1.39 with the clock at 2026-05-31 12:34:56 shows it.
TEST_P(Time, IsCountedFromTheDateOfTheDump) {
  WikitextOptions options;
  options.now = read_fixed_moment("2026-05-31T12:34:56Z");
  const Document document = parse_wikitext(english(), TemplateRules::built_in("en"), {0, "T"},
                                           std::string("x") + GetParam().wikitext, options);
  EXPECT_EQ(document.blocks.at(0).content.text, std::string("x") + GetParam().shown);
}
INSTANTIATE_TEST_SUITE_P(
    WikitextTemplates, Time,
    ::testing::Values(
        TimeCase{"{{#time:Y-m-d H:i:s}}", "2026-05-31 12:34:56"}, TimeCase{"{{#time:j F Y|+1 month}}", "1 July 2026"},
        TimeCase{"{{#time:l, d M y|29 February 2008}}", "Friday, 29 Feb 08"},
        TimeCase{"{{#time:W o N z t L|2008-12-29}}", "01 2009 1 363 31 1"},
        TimeCase{"{{#time:d.m.Y|yesterday}}", "30.05.2026"}, TimeCase{"{{#time:xrY|now}}", "MMXXVI"},
        TimeCase{"{{#time:\"day\" \\j j|March 5, 1999}}", "day j 5"},
        TimeCase{"{{#time:g:i a|20080101151500}}", "3:15 pm"}, TimeCase{"{{#time:Y-m-d|@86400}}", "1970-01-02"},
        TimeCase{"{{#time:Y|2 weeks ago}}", "2026"}, TimeCase{"{{#iferror:{{#time:Y|no date}}|bad}}", "bad"},
        TimeCase{"{{CURRENTYEAR}}-{{CURRENTMONTH}}-{{CURRENTDAY2}} {{CURRENTMONTHNAME}} {{CURRENTDAYNAME}}",
                 "2026-05-31 May Sunday"},
        TimeCase{"{{CURRENTTIMESTAMP}} {{LOCALTIME}} {{CURRENTWEEK}} {{CURRENTDOW}}", "20260531123456 12:34 22 0"}));

TEST(WikitextTemplates, WithoutADateOfTheDumpOnlyFixedMomentsAreShown) {
  EXPECT_EQ(text("a{{#time:Y}}{{#time:Y|+1 day}}{{CURRENTYEAR}}{{#time:Y|1999-01-01}}"), "a1999");
}

TEST(WikitextTemplates, ArgumentsAndDefaultsAreFilledIn) {
  EXPECT_EQ(expand("{{t|x|n=y}}", {{"T", "{{{1}}}-{{{n}}}-{{{m|z}}}"}}), "x-y-z");
}
TEST(WikitextTemplates, BytesThatWikitextCannotHoldAreRepairedInLoadedPagesToo) {
  EXPECT_EQ(expand("{{t}}", {{"T", "a\xD8"}}), "a\uFFFD");
  EXPECT_EQ(expand("<nowiki>a</nowiki>{{t}}", {{"T",
                                                "\x7F"
                                                "aaaaaa"}}),
            "a?aaaaaa");  // no marker of the nowiki text
  EXPECT_EQ(expand("<nowiki>a</nowiki>{{msgnw:t}}", {{"T",
                                                      "\x7F"
                                                      "aaaaaa\r\nb"}}),
            "a?aaaaaa b");
}

TEST(WikitextTemplates, InclusionTagsAreHeeded) {
  EXPECT_EQ(expand("{{t}}", {{"T", "a<noinclude>b</noinclude><includeonly>c</includeonly>"}}), "ac");
  EXPECT_EQ(expand("{{t}}", {{"T", "a<onlyinclude>b</onlyinclude>c"}}), "b");
}
TEST(WikitextTemplates, ATemplateThatIncludesItselfIsStopped) {
  EXPECT_EQ(expand("{{t}}", {{"T", "a{{t}}"}}), "a");
}
TEST(WikitextTemplates, PrefixesSayHowATemplateIsIncluded) {
  EXPECT_EQ(expand("{{msg:t}} {{raw:t}} {{msgnw:t}} {{msgnw:u}}", {{"T", "''a''"}}), "a a ''a''");
  EXPECT_EQ(expand("{{fr:t}}", {{"T", "a"}}), "");
}
TEST(WikitextTemplates, RedirectsOfTemplatesAreFollowed) {
  EXPECT_EQ(expand("{{t}}", {{"T", "#REDIRECT [[Template:U]]"}, {"U", "u"}}), "u");
}
TEST(WikitextTemplates, BoxesAreNoText) {
  const std::map<std::string, std::string> templates = {
      {"Medien",
       "<div class=\"x\" style=\"float: right; border: 1px solid\"><div>[[File:L.svg]]</div>\n"
       "<div>Mehr Bilder gibt es anderswo. Siehe [[Commons:{{PAGENAME}}]]</div></div>[[Category:X]]"},
      {"Achtung", "<div style=\"background:#eee\">Achtung {{{1}}}</div>"},
      {"Liste", "<div style=\"column-width:20em\">\n{{{1}}}\n</div>"},
      {"Stub", "''Dieser Artikel ist zu kurz. Du kannst ihn ergänzen.''"},
      {"Name", "St. Ama"},
      {"Offen", "<div style=\"border:1px\">"}};
  EXPECT_EQ(running_text("{{Medien}}\nAma ist alt.", templates), "Ama ist alt.");
  EXPECT_EQ(running_text("Ama ist alt. {{Medien|Ama}}", templates), "Ama ist alt.");
  EXPECT_EQ(running_text("Ama ist alt.\n\n{{Stub}}", templates), "Ama ist alt.");
  EXPECT_EQ(running_text("{{Achtung|Wer das liest, soll nicht alles glauben.}}", templates),
            "Achtung Wer das liest, soll nicht alles glauben.");
  EXPECT_EQ(running_text("{{Liste|* Ama\n* Oki}}", templates), "Ama\nOki");
  EXPECT_EQ(running_text("{{Name}} ist alt.", templates), "St. Ama ist alt.");
  EXPECT_EQ(running_text("{{Offen}}\nAma ist alt.\n</div>", templates), "Ama ist alt.");
}
TEST(WikitextTemplates, DeepNestingIsBounded) {
  std::string wikitext;
  for (int i = 0; i < 2000; ++i) wikitext += "{{nowrap|";
  EXPECT_NO_THROW(parse(wikitext));
}
TEST(WikitextTemplates, DoublingArgumentsIsBounded) {
  std::string text = "x";
  for (int i = 0; i < 30; ++i) text = "{{t|" + text + "}}";
  EXPECT_NO_THROW(expand(text, {{"T", "{{{1}}}{{{1}}}"}}));
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
