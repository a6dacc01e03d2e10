#include "extractors/markup/markdown.hpp"

#include "extractors/markup/front_matter.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace touchstone::extractors::markup {
namespace {

/// What is inside <main>.
std::string html_of(std::string_view text, bool is_mdx = false) {
  auto html = render_markdown(text, is_mdx).html;
  const std::string_view begin = "<html><body><main>\n", end = "</main></body></html>\n";
  EXPECT_TRUE(html.starts_with(begin) && html.ends_with(end)) << html;
  return html.substr(begin.size(), html.size() - begin.size() - end.size());
}

std::uint64_t left_out(std::string_view text, std::string_view what) {
  auto page = render_markdown(text, false);
  return page.left_out[what];
}

constexpr std::string_view kShortcodes = "shortcodes and includes of the site's generator";

TEST(Markdown, TablesAndStruckOutTextAreThoseOfGithub) {
  EXPECT_EQ(html_of("~~old~~ new"), "<p><del>old</del> new</p>\n");
  EXPECT_NE(html_of("| a | b |\n|---|---|\n| 1 | 2 |\n").find("<td>2</td>"), std::string::npos);
  EXPECT_EQ(html_of("<div>raw <b>html</b></div>"), "<div>raw <b>html</b></div>\n");
}

TEST(Markdown, YamlInFrontGivesTheTitle) {
  const auto page = render_markdown("---\ntitle: \"Amber: a light\"\nsidebar_label: Amber\n---\n\n# Heading\n", false);
  EXPECT_EQ(page.title, "Amber: a light");
  EXPECT_EQ(page.label, "Amber");
  EXPECT_EQ(page.html.find("title:"), std::string::npos);
  EXPECT_EQ(html_of("---\ntitle: A & b\n---\n## Only section\n"), "<h1>A &amp; b</h1>\n<h2>Only section</h2>\n");
}

TEST(Markdown, TomlInFrontGivesTheTitle) {
  EXPECT_EQ(render_markdown("+++\ntitle = 'Amber'\n+++\ntext", false).title, "Amber");
}

TEST(Markdown, DamagedMetadataAreCountedAndARuleIsNone) {
  EXPECT_EQ(left_out("---\ntitle: [\n---\ntext", "metadata of pages that cannot be read"), 1U);
  EXPECT_EQ(html_of("---\n\ntext\n"), "<hr />\n<p>text</p>\n");
  EXPECT_EQ(html_of("---\nwords\n---\n"), "<hr />\n<h2>words</h2>\n");
}

TEST(FrontMatter, PositionsAndSlugsAreRead) {
  std::string_view text = "---\nsidebar_position: 2.5\nslug: /start\n---\nText";
  const auto metadata = take_front_matter(text);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->position, 2.5);
  EXPECT_EQ(metadata->slug, "/start");
  EXPECT_EQ(text, "Text");
}

TEST(Markdown, FootnotesAreLeftOut) {
  EXPECT_EQ(html_of("One[^a] two.\n\n[^a]: Note with [^b].\n\n[^b]: Other.\n"), "<p>One two.</p>\n");
  EXPECT_EQ(left_out("One[^a].\n\n[^a]: Note.\n", "footnotes"), 1U);
}

TEST(Markdown, ShortcodesAreLeftOutExceptInCode) {
  EXPECT_EQ(html_of("A {{generator:list}} b `{{x}}`."), "<p>A  b <code>{{x}}</code>.</p>\n");
  EXPECT_EQ(left_out("{{< youtube id >}}\n{% include a.md %}\n", kShortcodes), 2U);
  EXPECT_EQ(html_of("```\n{{ kept }}\n{{#include a.rs}}\n```\n"), "<pre><code>{{ kept }}\n</code></pre>\n");
  EXPECT_EQ(html_of("A {{ b"), "<p>A {{ b</p>\n");
}

TEST(Markdown, HiddenLinesOfRustExamplesAreLeftOut) {
  EXPECT_EQ(html_of("```rust,editable\n# fn main() {\nlet a = 1;\n#\n#[x]\n# }\n```\n"),
            "<pre><code class=\"language-rust,editable\">let a = 1;\n#[x]\n</code></pre>\n");
  EXPECT_NE(html_of("```sh\n# comment\n```\n").find("# comment"), std::string::npos);
}

TEST(Markdown, IdsOfHeadingsAndAttributesAreNotShown) {
  EXPECT_EQ(html_of("## Amber {#light}\n"), "<h2>Amber<a id=\"light\"></a></h2>\n");
  EXPECT_EQ(html_of("## Amber {: .wide }\n"), "<h2>Amber</h2>\n");
  EXPECT_EQ(html_of("## Amber {/* #light */}\n"), "<h2>Amber<a id=\"light\"></a></h2>\n");
  EXPECT_EQ(html_of("## Amber {: .big }\n{: .note}\n"), "<h2>Amber</h2>\n");
  EXPECT_EQ(html_of("## Sets {1, 2}\n"), "<h2>Sets {1, 2}</h2>\n");
}

TEST(Markdown, AdmonitionsAreText) {
  EXPECT_EQ(html_of(":::note Mind\nText\n:::\n"), "<p><strong>Mind</strong></p>\n<p>Text</p>\n");
  EXPECT_EQ(html_of(":::tip\nText\n:::\n"), "<p>Text</p>\n");
  EXPECT_EQ(html_of("!!! note \"Mind\"\n    Inner\n\n    More\n\nOuter\n"),
            "<p><strong>Mind</strong></p>\n<p>Inner</p>\n<p>More</p>\n<p>Outer</p>\n");
}

TEST(Markdown, ImportsOfMdxAreLeftOut) {
  EXPECT_EQ(html_of("import Tabs from '@theme/Tabs';\n\nText\n", true), "<p>Text</p>\n");
  EXPECT_EQ(html_of("import taxes are high\n"), "<p>import taxes are high</p>\n");
}

TEST(Markdown, AnyBytesAreText) {
  EXPECT_EQ(html_of("\xEF\xBB\xBF# A\n"), "<h1>A</h1>\n");
  EXPECT_EQ(html_of("\xFFx"), "<p>\xEF\xBF\xBDx</p>\n");
  EXPECT_EQ(html_of(""), "");
}

}  // namespace
}  // namespace touchstone::extractors::markup
