#include "tests/unit/extractors/wikitext_fixture.hpp"

#include <map>

#include <gtest/gtest.h>

namespace touchstone::extractors::testing {
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
TEST(WikitextTemplates, ArgumentsAndDefaultsAreFilledIn) {
  EXPECT_EQ(expand("{{t|x|n=y}}", {{"T", "{{{1}}}-{{{n}}}-{{{m|z}}}"}}), "x-y-z");
}
TEST(WikitextTemplates, InclusionTagsAreHeeded) {
  EXPECT_EQ(expand("{{t}}", {{"T", "a<noinclude>b</noinclude><includeonly>c</includeonly>"}}), "ac");
  EXPECT_EQ(expand("{{t}}", {{"T", "a<onlyinclude>b</onlyinclude>c"}}), "b");
}
TEST(WikitextTemplates, ATemplateThatIncludesItselfIsStopped) {
  EXPECT_NE(expand("{{t}}", {{"T", "a{{t}}"}}).find("loop"), std::string::npos);
}
TEST(WikitextTemplates, RedirectsOfTemplatesAreFollowed) {
  EXPECT_EQ(expand("{{t}}", {{"T", "#REDIRECT [[Template:U]]"}, {"U", "u"}}), "u");
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
}  // namespace touchstone::extractors::testing
