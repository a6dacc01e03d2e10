#include "extractors/page_loader.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <map>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
namespace {

using Strings = std::vector<std::string>;

/// The pages of a wiki; others do not exist.
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

Document expand(std::string_view wikitext, std::map<std::string, std::string> templates) {
  const Pages pages(std::move(templates));
  WikitextOptions options;
  options.templates = TemplateMode::kExpand;
  options.loader = &pages;
  return parse_wikitext(english(), TemplateRules::built_in("en"), {kNamespaceMain, "Test page"}, wikitext, options);
}

std::string first_text(const Document& document) {
  return document.blocks.empty() ? "" : document.blocks.front().content.text;
}

std::uint32_t count(const Document& document, UnknownCause cause) {
  return document.counters.unknown[static_cast<std::size_t>(cause)];
}

std::uint32_t count_all(const Document& document) {
  std::uint32_t sum = 0;
  for (const std::uint32_t one : document.counters.unknown) sum += one;
  return sum;
}

/// A text and what it shows. A dropped template is {{x}}.
struct Case {
  const char* wikitext;
  const char* shown;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.wikitext;
}

class UnknownValues : public ::testing::TestWithParam<Case> {};
TEST_P(UnknownValues, ShowNothingAndAreCounted) {
  const Document document = parse("a " + std::string(GetParam().wikitext) + " b");
  EXPECT_EQ(first_text(document), GetParam().shown);
  EXPECT_GT(count_all(document), 0U);
  EXPECT_EQ(document.counters.call_errors, 0U);
  EXPECT_EQ(document.text.find('\x7F'), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(
    Numbers, UnknownValues,
    ::testing::Values(Case{"{{#expr:{{CURRENTYEAR}}-1980}}", "a b"}, Case{"{{formatnum:{{#expr:{{x}}+5}}}}", "a b"},
                      Case{"{{#expr:5{{x}}}}", "a b"}, Case{"{{#expr:{{NUMBEROFARTICLES}}*2}}", "a b"},
                      Case{"{{formatnum:12{{x}}}}", "a b"}, Case{"{{formatnum:1|{{x}}}}", "a b"},
                      Case{"{{plural:{{x}}|one|many}}", "a b"}, Case{"{{plural:2|{{x}}=two|one|many}}", "a b"},
                      Case{"{{padleft:{{x}}|5}}", "a b"}, Case{"{{padleft:7|{{x}}}}", "a b"},
                      Case{"{{padright:7|3|{{x}}}}", "a b"}, Case{"{{#expr:{{#expr:{{#expr:{{x}}}}}}}}", "a b"},
                      Case{"{{#expr:{{lc:{{x}}}}+1}}", "a b"}, Case{"{{#expr:{{PAGESIZE:A}}+1}}", "a b"},
                      Case{"{{#expr:{{#invoke:m|f}}+1}}", "a b"}, Case{"{{#expr:1+{{#if:1|{{x}}}}}}", "a b"}));
INSTANTIATE_TEST_SUITE_P(
    Branches, UnknownValues,
    ::testing::Values(Case{"{{#ifexpr:{{x}}>5|y|n}}", "a b"}, Case{"{{#ifexpr:{{x}}|y|n}}", "a b"},
                      Case{"{{#ifeq:{{x}}|1|y|n}}", "a b"}, Case{"{{#ifeq:1|{{x}}|y|n}}", "a b"},
                      Case{"{{#if:{{x}}|y|n}}", "a b"}, Case{"{{#if: {{x}} {{PAGEID}}|y|n}}", "a b"},
                      Case{"{{#switch:{{x}}|1=y|#default=n}}", "a b"}, Case{"{{#switch:{{x}}|1=y|n}}", "a b"},
                      Case{"{{#switch:2|{{x}}=y|2=n}}", "a b"}, Case{"{{#switch:2|{{x}}|1=y|2=n}}", "a b"},
                      Case{"{{#iferror:{{x}}|y|n}}", "a b"}, Case{"{{#iferror:{{#expr:{{x}}}}|y|n}}", "a b"},
                      Case{"{{#ifexist:{{x}}|y|n}}", "a b"}, Case{"{{#ifexist:A|y|n}}", "a b"},
                      Case{"{{#ifeq:{{#property:P1}}||y|n}}", "a b"}, Case{"{{#ifeq:{{int:a}}||y|n}}", "a b"},
                      Case{"{{#ifeq:{{REVISIONUSER}}||y|n}}", "a b"}));
INSTANTIATE_TEST_SUITE_P(Others, UnknownValues,
                         ::testing::Values(Case{"{{#time:Y|{{x}}}}", "a b"}, Case{"{{#time:{{x}}|2001-01-01}}", "a b"},
                                           Case{"{{#time:Y|2001-01-01|{{x}}}}", "a b"}, Case{"{{#time:Y}}", "a b"},
                                           Case{"{{#titleparts:A/{{x}}|1}}", "a b"}, Case{"{{ns:{{x}}}}", "a b"},
                                           Case{"{{urlencode:{{x}}}}", "a b"}, Case{"{{fullurl:{{x}}}}", "a b"},
                                           Case{"{{PAGENAME:{{x}}}}", "a b"}, Case{"{{#tag:{{x}}|c}}", "a b"},
                                           Case{"{{n{{CURRENTYEAR}}}}", "a b"},
                                           Case{"{{nowrap|c {{#expr:{{x}}}}}}", "a c b"}));
INSTANTIATE_TEST_SUITE_P(
    LinkTargets, UnknownValues,
    ::testing::Values(Case{"[[{{x}}]]", "a b"}, Case{"[[{{x}}|c]]", "a c b"}, Case{"[[{{x}} d|c]]s", "a cs b"},
                      Case{"[[d {{x}}]]", "a b"}, Case{"[[d {{CURRENTYEAR}}|''c'']]", "a c b"},
                      Case{"[[d#{{x}}|c]]", "a c b"}, Case{"[[:Category:{{x}}|c]]", "a c b"},
                      Case{"[[Category:{{x}} births]]", "a b"}, Case{"[[{{#if:1|{{x}}}}d|c]]", "a c b"},
                      Case{"[[{{lc:{{x}}D}}|c]]", "a c b"}, Case{"[[File:d.jpg|link={{x}}d|c]]", "a b"},
                      Case{"[[d{{nowrap|{{x}}}}|c]]", "a c b"}));

TEST(UnknownLinkTargets, MakeNoLinksAndNoCategories) {
  for (const char* wikitext :
       {"[[{{x}}d|c]]", "[[d{{x}}]]", "[[Category:d{{x}}]]", "[[File:d.jpg|link={{x}}d|c]]", "{{y|[[{{x}}d]]}}",
        "[[d{{#expr:1/0}}]]", "{{ill|d {{x}}}}", "{{sortname|d|{{x}}}}", "{{main|d {{x}}}}", "<ref>[[d{{x}}]]</ref>"}) {
    const Document document = parse(std::string("a ") + wikitext);
    EXPECT_EQ(targets(document), Strings()) << wikitext;
    EXPECT_TRUE(document.categories.empty()) << wikitext;
  }
  EXPECT_EQ(text("a [[d#{{x}}|c]] [[d#{{x}}]]"), "a c d");
  EXPECT_EQ(targets("[[d#{{x}}|c]] [[:d#{{x}}]]"), (Strings{"D", "D"}));
  EXPECT_EQ(targets("[[d|{{x}}]] [[e]]{{x}} {{x}}[[f|g {{x}}]]"), (Strings{"D", "E", "F"}));
  EXPECT_EQ(targets("[[File:a {{x}}.jpg|thumb|[[b]] {{x}}]]"), (Strings{"B"}));
}

class KnownValues : public ::testing::TestWithParam<Case> {};
TEST_P(KnownValues, StayAsTheyAre) {
  const Document document = parse("a " + std::string(GetParam().wikitext) + " b");
  EXPECT_EQ(first_text(document), GetParam().shown);
  EXPECT_EQ(count_all(document), 0U);
}
INSTANTIATE_TEST_SUITE_P(
    BesideUnknownOnes, KnownValues,
    ::testing::Values(Case{"{{#if:c{{x}}|y|n}}", "a y b"}, Case{"{{#if:1|c {{x}}|n}}", "a c b"},
                      Case{"{{#if:|{{x}}|n}}", "a n b"}, Case{"{{#switch:1|1=y|{{x}}=n}}", "a y b"},
                      Case{"{{#switch:1|1|{{x}}=y}}", "a y b"}, Case{"{{#switch:3|1=y|{{x}}n}}", "a n b"},
                      Case{"{{#switch:1|1={{x}}c|2=n}}", "a c b"}, Case{"{{lc:{{x}} C}}", "a c b"},
                      Case{"{{ucfirst: {{x}} c}}", "a c b"}, Case{"{{nowrap|{{x}} c {{x}}}}", "a c b"},
                      Case{"{{hlist|c|{{x}}|d}}", "a c \u00B7 d b"}, Case{"{{x}}", "a b"},
                      Case{"{{c {{x}} [[d]]}}", "a {{c d}} b"}, Case{"{{#iferror:c|y|n}}", "a n b"},
                      Case{"{{#tag:span|c {{x}}}}", "a c b"}, Case{"{{#if:{{DISPLAYTITLE:c}}|y|n}}", "a n b"},
                      Case{"{{#if:{{#coordinates:1|2}}|y|n}}", "a n b"}));

TEST(UnknownValuesOfTemplates, AreNoValuesOfRules) {
  EXPECT_EQ(text("a {{convert|5{{x}}|km}}"), "a");
  EXPECT_EQ(text("a {{convert|5|km|{{x}}}}"), "a");
  EXPECT_EQ(text("a {{birth date|1950|{{x}}|2}}"), "a");
  EXPECT_EQ(text("a {{coord|1{{x}}|2}}"), "a");
  EXPECT_EQ(text("a {{frac|1|{{x}}}}"), "a");
  EXPECT_EQ(text("a {{yes|{{x}}}}"), "a");
  EXPECT_EQ(text("a {{font color|red|{{x}}}}"), "a");
  EXPECT_EQ(text("a {{ISBN|1|4={{x}}}}"), "a");
  EXPECT_EQ(text("a {{nts|12{{x}}}}"), "a");
  EXPECT_EQ(text("a {{harv|Smith|{{x}}}}"), "a");
}

TEST(UnknownValuesOfTemplates, FlowThroughParameters) {
  EXPECT_EQ(first_text(expand("a {{t|{{#invoke:m|f}}}} b", {{"T", "{{#expr:{{{1}}}+5}}"}})), "a b");
  EXPECT_EQ(first_text(expand("a {{t|{{#invoke:m|f}} c}} b", {{"T", "{{{1}}}"}})), "a c b");
  EXPECT_EQ(first_text(expand("a {{t}} b", {{"T", "{{#ifeq:{{u}}|5|y|n}}"}, {"U", "{{#invoke:m|f}}"}})), "a b");
  EXPECT_EQ(first_text(expand("a {{t|{{NUMBEROFPAGES}}}} b", {{"T", "{{#switch:{{{1|0}}}|0=y|n}}"}})), "a b");
  EXPECT_EQ(first_text(expand("a {{t}} b", {{"T", "{{{n{{PAGEID}}|c}}}"}})), "a b");
  const Document link = expand("a {{t|{{CURRENTYEAR}}}} b", {{"T", "[[In {{{1}}}|c]]"}});
  EXPECT_EQ(first_text(link), "a c b");
  EXPECT_EQ(targets(link), Strings());
  EXPECT_EQ(targets(expand("[[{{t}} d|c]]", {{"T", "{{#if:1|{{#invoke:m|f}}}}"}})), Strings());
  EXPECT_EQ(first_text(expand("a {{#ifexist:A|y|n}}{{#ifexist:Template:T|y|n}} b", {{"T", "c"}})), "a ny b");
}

TEST(UnknownValuesOfTemplates, LeaveNoTraceInLists) {
  EXPECT_EQ(first_text(expand("{{t|{{#invoke:m|f}}* c}}", {{"T", "{{{1}}}"}})), "c");
  EXPECT_EQ(blocks("{{#if:1|{{x}}\n* c}}"), (Strings{"* c"}));
}

TEST(UnknownValues, AreCountedWithTheirCause) {
  EXPECT_EQ(count(parse("{{#expr:{{x}}+5}}"), UnknownCause::kTemplate), 1U);
  EXPECT_EQ(count(parse("{{#expr:{{#invoke:m|f}}+5}}"), UnknownCause::kModule), 2U);
  EXPECT_EQ(count(parse("{{CURRENTYEAR}} {{#time:Y}}"), UnknownCause::kDate), 2U);
  EXPECT_EQ(count(parse("{{NUMBEROFPAGES}} {{PAGESINCATEGORY:A}}"), UnknownCause::kCount), 2U);
  EXPECT_EQ(count(parse("{{PAGEID}} {{PROTECTIONLEVEL:edit}}"), UnknownCause::kVariable), 2U);
  EXPECT_EQ(count(parse("{{int:edit}}"), UnknownCause::kMessage), 1U);
  EXPECT_EQ(count(parse("{{#ifexist:A|b|c}}"), UnknownCause::kExistence), 1U);
  EXPECT_EQ(count(parse("{{#property:P31}}"), UnknownCause::kStatement), 1U);
  EXPECT_EQ(count(parse("[[{{x}}|a]]"), UnknownCause::kTemplate), 1U);
}

TEST(CallErrors, AreNoTextOfThePage) {
  for (const char* call : {"{{#expr:1/0}}", "{{#ifexpr:abc|y|n}}", "{{#time:Y|no date}}", "{{#rel2abs:../../a|b}}",
                           "{{#expr:{{#expr:1/0}}+1}}", "{{#ifexpr:1/0|y|n}}", "{{uc:{{#expr:x}}}}",
                           "{{nowrap|{{#expr:x}}}}", "{{formatnum:{{#expr:x}}}}"}) {
    const Document document = parse(std::string("a ") + call + " b");
    EXPECT_EQ(first_text(document), "a b") << call;
    EXPECT_GT(document.counters.call_errors, 0U) << call;
    EXPECT_EQ(count_all(document), 0U) << call;
  }
  EXPECT_EQ(first_text(expand("a {{t}} b", {{"T", "c{{t}}"}})), "a c b");
}

TEST(CallErrors, AreKnownToConditions) {
  EXPECT_EQ(text("{{#iferror:{{#expr:1/0}}|y|n}}{{#if:{{#expr:1/0}}|y|n}}{{#ifeq:{{#expr:1/0}}|1|y|n}}"), "yyn");
  EXPECT_EQ(text("{{#switch:{{#expr:1/0}}|1=y|n}}{{#iferror:{{uc:{{#expr:x}}}}|y|n}}"), "ny");
}

TEST(CallErrors, AreNamedWhereCallsAreCounted) {
  WikitextOptions options;
  options.count_templates = true;
  const Document document = parse_wikitext(english(), TemplateRules::built_in("en"), {0, "T"},
                                           "{{#expr:1/0}} {{#expr:2/0}} {{#time:Y|no date}}", options);
  EXPECT_EQ(document.call_errors,
            (std::map<std::string, std::uint32_t>{{"Division by zero.", 2}, {"Error: Invalid time.", 1}}));
}

TEST(UnknownValues, MarksInPagesAreText) {
  EXPECT_EQ(text("{{#if:\x7F"
                 "pppppa|y|n}} [[\x7F"
                 "pppppa|b]]"),
            "y b");
}

TEST(Unknown, FunctionsOfExtensionsAreNoText) {
  for (const char* call : {"{{#babel:en}}", "{{#lst:A|b}}", "{{#section-h:A|h}}", "{{#ask:[[Category:A]]|?b}}",
                           "{{#Var:x}}", "{{#seo:title=a|description=b}}", "{{#foo:bar}}"}) {
    const Document document = parse("a " + std::string(call) + " b");
    EXPECT_EQ(first_text(document), "a b") << call;
    EXPECT_EQ(count(document, UnknownCause::kFunction), 1U) << call;
    EXPECT_TRUE(document.categories.empty() && targets(document).empty()) << call;
  }
  EXPECT_EQ(text("{{#if:{{#var:x}}|yes|no}}"), "");
  EXPECT_EQ(count(parse("{{#if:{{#var:x}}|yes|no}}"), UnknownCause::kFunction), 2U) << "of the function, and of #if";
  // What has not the form of a call is text.
  for (const char* other : {"{{#foo}}", "{{#var}}", "{{#}}", "{{#a b:c}}"}) EXPECT_EQ(text(other), other);
}

TEST(Unknown, AMessageWithCallsIsNotComputed) {
  class Messages final : public PageLoader {
   public:
    std::optional<std::string> load(const Title& title) const override {
      if (title.ns != kNamespaceMediaWiki) return std::nullopt;
      return title.text == "A" ? "plain" : title.text == "B" ? "x {{int:ok}}" : "x $1";
    }
  };
  const Messages messages;
  WikitextOptions options;
  options.templates = TemplateMode::kExpand;
  options.loader = &messages;
  const auto shown = [&](std::string_view wikitext) {
    return first_text(
        parse_wikitext(english(), TemplateRules::built_in("en"), {kNamespaceMain, "T"}, wikitext, options));
  };
  EXPECT_EQ(shown("{{int:A}}"), "plain");
  EXPECT_EQ(shown("{{int:B}}"), "");
  EXPECT_EQ(shown("{{int:C|y}}"), "");
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
