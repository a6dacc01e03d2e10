#include "extractors/markup/dokuwiki.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace touchstone::extractors::markup {
namespace {

/// What is inside <main>.
std::string wiki_html(std::string_view text, std::string_view name_space = "") {
  auto html = render_dokuwiki(text, name_space).html;
  const std::string_view begin = "<html><body><main>\n", end = "</main></body></html>\n";
  EXPECT_TRUE(html.starts_with(begin) && html.ends_with(end)) << html;
  return html.substr(begin.size(), html.size() - begin.size() - end.size());
}

TEST(DokuWiki, HeadingsHaveFiveLevels) {
  EXPECT_EQ(wiki_html("====== One ======\n== Five ==\n=== Four ===="), "<h1>One</h1>\n<h5>Five</h5>\n<h4>Four</h4>\n");
}

TEST(DokuWiki, SignsOfEmphasisAreNotShown) {
  EXPECT_EQ(wiki_html("A **bold** //slanted// __line__ ''mono'' <del>old</del> H<sub>2</sub>O."),
            "<p>A bold slanted line mono old H2O.\n</p>\n");
  EXPECT_EQ(wiki_html("https://x.example/a__b//y and //a// b"), "<p>https://x.example/a__b//y and a b\n</p>\n");
  EXPECT_EQ(wiki_html("a \\\\ b %%**raw** [[x]]%% a < b"), "<p>a <br/> b **raw** [[x]] a &lt; b\n</p>\n");
}

TEST(DokuWiki, ParagraphsEndAtBlankLines) {
  EXPECT_EQ(wiki_html("one\ntwo\n\nthree\n----\nfour"), "<p>one\ntwo\n</p>\n<p>three\n</p>\n<p>four\n</p>\n");
}

TEST(DokuWiki, LinksGoThroughNamespaces) {
  EXPECT_EQ(wiki_html("[[page]] [[a:b|text]] [[:top]] [[.in:c]] [[..:up#d]] [[#here]]", "ns/"),
            "<p><a href=\"/ns/page\">page</a> <a href=\"/a/b\">text</a> <a href=\"/top\">top</a> "
            "<a href=\"/ns/in/c\">c</a> <a href=\"/up#d\">up</a> <a href=\"#here\"></a>\n</p>\n");
  EXPECT_EQ(wiki_html("[[https://x.example|out]] [[wp>Amber]] [[My Page]]"),
            "<p>out Amber <a href=\"/my_page\">My Page</a>\n</p>\n");
}

TEST(DokuWiki, ListsNestByIndent) {
  EXPECT_EQ(wiki_html("  * one\n    - two\n  * three\ntext"),
            "<ul><li>one<ol><li>two</li></ol>\n</li>\n<li>three</li></ul>\n<p>text\n</p>\n");
}

TEST(DokuWiki, TablesHaveHeadersAndWideCells) {
  EXPECT_EQ(wiki_html("^ Name ^ Size ||\n| [[a|b]] | 1 | ::: |"),
            "<table>\n<tr><th>Name</th><th colspan=\"2\">Size</th></tr>\n"
            "<tr><td><a href=\"/a\">b</a></td><td>1</td><td></td></tr>\n</table>\n");
}

TEST(DokuWiki, CodeStaysAsItIsWritten) {
  EXPECT_EQ(wiki_html("See <code c>\nint **a;\n\n</code>\nthen"),
            "<p>See\n</p>\n<pre>int **a;\n\n</pre>\n<p>then\n</p>\n");
  EXPECT_EQ(wiki_html("  a //b//\n  c"), "<pre>a //b//\nc\n</pre>\n");
  EXPECT_EQ(wiki_html("<code>open"), "<p>open\n</p>\n");
}

TEST(DokuWiki, PicturesAreKeptAndOtherMediaAreTheirText) {
  EXPECT_EQ(wiki_html("{{ns:a.png?20|A lamp}} {{ns:b.pdf}}"),
            "<p><img src=\"ns/a.png?20\" alt=\"A lamp\"/> b.pdf\n</p>\n");
}

TEST(DokuWiki, WhatIsLeftOutIsCounted) {
  auto page = render_dokuwiki("A((note)) {{tag>x}} ~~NOTOC~~ <html><b>x</b></html>", "");
  EXPECT_EQ(page.left_out["footnotes"], 1U);
  EXPECT_EQ(page.left_out["media and lists that plugins show"], 2U);
  EXPECT_EQ(page.html.find("NOTOC"), std::string::npos);
  EXPECT_EQ(page.html.find("note"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::extractors::markup
