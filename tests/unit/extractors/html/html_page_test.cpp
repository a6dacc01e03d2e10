#include "extractors/html/html_page.hpp"

#include "common/unicode.hpp"
#include "extractors/html/xml_tree.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::html {
namespace {

/// Every address without a scheme is a page of that name.
class NamedPages : public LinkResolver {
 public:
  std::optional<Link> resolve(std::string_view href) const override {
    if (href.find(':') != std::string_view::npos || href.starts_with('#')) return std::nullopt;
    Link link;
    link.target.text = href;
    return link;
  }
};

HtmlPage read(const std::string& bytes) {
  return read_html(bytes, NamedPages());
}

std::vector<std::string> outline(const HtmlPage& page) {
  std::vector<std::string> lines;
  for (const auto& section : page.document.sections) {
    if (section.level > 0) lines.push_back(std::string(section.level, '=') + section.heading.text);
  }
  return lines;
}

std::vector<std::string> texts(const HtmlPage& page) {
  std::vector<std::string> lines;
  for (const auto& block : page.document.blocks) lines.push_back(block.list_marker + block.content.text);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(HtmlPage, TheHeadingAboveAllOthersIsTheTitle) {
  const auto page = read("<title>Site</title><h1>Kiln</h1><p>Lead.<h2>Fuel</h2><p>Wood.<h3>Ash</h3><p>Grey.");
  EXPECT_EQ(page.title, "Kiln");
  EXPECT_EQ(outline(page), (Lines{"==Fuel", "===Ash"}));
  EXPECT_EQ(texts(page), (Lines{"Lead.", "Wood.", "Grey."}));
  EXPECT_EQ(page.document.blocks[0].section, 0U);
  EXPECT_EQ(page.document.sections[2].parent, 1U);
}

TEST(HtmlPage, SectionsHaveTheIdsThatLinksNameThemBy) {
  const auto page = read(
      "<section id='t'><h1>Kiln</h1><p>Lead.</p>"
      "<section id='fuel'><span id='old-name'></span><h2>Fuel</h2><p>Wood.</section>"
      "<h2 id='ash'>Ash</h2><p>Grey.<h2><span id='heat'>Heat</span></h2><p>Red."
      "<h2><a name='air'></a>Air</h2><p>Blue.<div id='text'>First<h2>End</h2></div></section>");
  Lines anchors;
  for (const auto& section : page.document.sections) anchors.push_back(section.anchor);
  EXPECT_EQ(anchors, (Lines{"t", "fuel", "ash", "heat", "air", ""}));
}

TEST(HtmlPage, WithoutOneHeadingAboveTheOthersTheTitleElementCounts) {
  const auto page = read("<title> Two\n parts </title><h2>One</h2><p>a<h2>Two</h2><p>b");
  EXPECT_EQ(page.title, "Two parts");
  EXPECT_EQ(outline(page), (Lines{"==One", "==Two"}));
}

/// The text of a paragraph with this MathML.
std::string formula(const std::string& mathml) {
  const auto page = read("<h1>T</h1><p>Let <math>" + mathml + "</math>.</p>");
  return page.document.blocks.empty() ? "" : page.document.blocks[0].content.text;
}

TEST(HtmlPage, FormulasAreWrittenInOneLine) {
  EXPECT_EQ(formula("<mfrac><mi>a</mi><mi>b</mi></mfrac>"), "Let a/b.");
  EXPECT_EQ(formula("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msup><mi>b</mi><mn>2</mn></msup></mfrac>"),
            "Let (a + 1)/(b^2).");
  EXPECT_EQ(formula("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>"), "Let E = mc^2.");
  EXPECT_EQ(formula("<msub><mi>x</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub><mo>&#8712;</mo><mi>S</mi>"),
            "Let x_(i + 1) ∈ S.");
  EXPECT_EQ(formula("<mi>sin</mi><mo>&#8289;</mo><mi>x</mi>"), "Let sin x.");
  EXPECT_EQ(formula("<mo>-</mo><mn>2</mn><mo>&#8290;</mo><mi>x</mi>"), "Let -2x.");
  EXPECT_EQ(formula("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>"), "Let √(x + 1).");
  EXPECT_EQ(formula("<mroot><mi>x</mi><mn>3</mn></mroot>"), "Let x^(1/3).");
  EXPECT_EQ(formula("<munderover><mo>&#8721;</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
                    "<msub><mi>a</mi><mi>i</mi></msub>"),
            "Let ∑_(i = 1)^n a_i.");
  EXPECT_EQ(formula("<mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced>"), "Let f(x, y).");
  EXPECT_EQ(formula("<mover><mi>v</mi><mo>&#8594;</mo></mover><mo>,</mo><msup><mi>f</mi><mo>&#8242;</mo></msup>"),
            "Let v, f′.");
  EXPECT_EQ(formula("<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd>"
                    "<mtd><mn>2</mn></mtd></mtr></mtable><mo>]</mo>"),
            "Let [1, 0; 0, 2].");
  EXPECT_EQ(formula("<semantics><mi>x</mi><annotation encoding='application/x-tex'>x_{tex}</annotation></semantics>"),
            "Let x.");
  EXPECT_EQ(formula("<apply><eq/><ci>y</ci><apply><plus/><apply><power/><ci>x</ci><cn>2</cn></apply><cn>1</cn></apply>"
                    "</apply>"),
            "Let y = x^2 + 1.");
  EXPECT_EQ(formula("<apply><max/><ci>a</ci><cn type='rational'>1<sep/>2</cn></apply>"), "Let max(a, 1/2).");
  EXPECT_EQ(formula("<mtext>rate</mtext><mo>=</mo><mn>5</mn><mi>km</mi>"), "Let rate = 5 km.");
}

TEST(HtmlPage, FormulasOfEpubHavePrefixes) {
  EXPECT_EQ(texts(read("<p>Let <m:math><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac></m:math> be.</p>")),
            (Lines{"Let a/b be."}));
}

TEST(HtmlPage, FormulasThatMediaWikiHidesBehindPicturesAreShown) {
  const auto page = read(
      "<p>Here <span class='mwe-math-element'><span style='display: none;'><math><semantics><mrow><mi>a</mi><mo>=</mo>"
      "<mi>b</mi></mrow></semantics></math></span><img class='mwe-math-fallback-image-inline' alt='{\\displaystyle "
      "a=b}'></span> and <img class='mwe-math-fallback-image-inline' alt='{\\displaystyle x_{1}}'> hold.</p>");
  EXPECT_EQ(texts(page), (Lines{"Here a = b and x_{1} hold."}));
  EXPECT_TRUE(page.document.images.empty());
}

TEST(HtmlPage, WhatADocumentTypeDeclaresIsNotShown) {
  const auto page = read(
      "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a \"]lol\"> <!ENTITY b '&a;&a;'><!ENTITY c SYSTEM "
      "'file:///etc/passwd'>] ><html><body><p>Hello &b; and &c; you.</p></body></html>");
  EXPECT_EQ(texts(page), (Lines{"Hello &b; and &c; you."}));
  EXPECT_EQ(texts(read("<!DOCTYPE html><p>a] >b</p>")), (Lines{"a] >b"}));
}

TEST(HtmlPage, TextFromRightToLeftKeepsItsOrder) {
  const auto page = read("<h1>אור</h1><p>הוא <a href='b'>בבז</a> 1900.</p>");
  EXPECT_EQ(page.title, "אור");
  EXPECT_EQ(texts(page), (Lines{"הוא בבז 1900."}));
  EXPECT_EQ(page.document.blocks[0].content.links.at(0).begin, 4U);
}

TEST(HtmlPage, LinksHaveOffsetsInCodePoints) {
  const auto page = read("<p>Für <a href='glaze'> die\nGlasur</a>, <a href='http://a.example/'>fern</a>.</p>");
  const auto& content = page.document.blocks.at(0).content;
  EXPECT_EQ(content.text, "Für die Glasur, fern.");
  ASSERT_EQ(content.links.size(), 1U);
  EXPECT_EQ(content.links[0].target.text, "glaze");
  EXPECT_EQ(content.links[0].begin, 4U);
  EXPECT_EQ(content.links[0].end, 14U);
  EXPECT_EQ(page.links_out, 1U);
}

TEST(HtmlPage, NavigationIsLeftOutAndCounted) {
  const auto page = read(
      "<nav><a href=a>A</a></nav><div class=x><ul><li><a href=a>One</a><li><a href=b>Two</a><li><a href=c>Three</a>"
      "</ul></div><div><h1>Clay</h1><p>Clay is a soil of fine grains.</p><p>It is wet.</p></div><footer>2020</footer>");
  EXPECT_EQ(page.title, "Clay");
  EXPECT_EQ(texts(page), (Lines{"Clay is a soil of fine grains.", "It is wet."}));
}

TEST(HtmlPage, OnlyTheMainElementIsRead) {
  const auto page = read("<p>Before</p><main><h1>T</h1><p>Text</p><nav>x</nav></main><p>Behind</p>");
  EXPECT_EQ(texts(page), (Lines{"Text"}));
  EXPECT_EQ(page.navigation_left_out, 1U);
}

TEST(HtmlPage, PermalinksAreNoTextOfAHeading) {
  const auto page = read("<h1>A<a class=headerlink href='#a'>\xC2\xB6</a></h1><h2>B<a href='#b'>#</a></h2><p>c");
  EXPECT_EQ(page.title, "A");
  EXPECT_EQ(outline(page), (Lines{"==B"}));
}

TEST(HtmlPage, ListsKeepTheirMarkers) {
  const auto page = read("<ul><li>a<ol><li>b</ol><li><p>c</p><p>d</p></ul><dl><dt>t<dd>m</dl>");
  EXPECT_EQ(texts(page), (Lines{"*a", "*#b", "*c", "*d", ";t", ":m"}));
}

TEST(HtmlPage, SpansOfTablesAreWrittenOut) {
  const auto page =
      read("<table><caption>Cap</caption><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td><a href=d>d</a></table>");
  ASSERT_EQ(page.document.tables.size(), 1U);
  const auto& table = page.document.tables[0];
  ASSERT_EQ(table.row_count(), 2U);
  ASSERT_EQ(table.column_count(), 3U);
  EXPECT_EQ(table.caption.text, "Cap");
  EXPECT_TRUE(table.cells[1][0].repeated);
  EXPECT_EQ(table.cells[1][0].content.text, "a");
  EXPECT_EQ(table.cells[1][2].content.links.at(0).target.text, "d");
}

TEST(HtmlPage, FiguresAreImagesWithCaptions) {
  const auto page = read("<figure><img src='i/k.png?x' alt=no><figcaption>See <a href=k>it</a></figcaption></figure>");
  ASSERT_EQ(page.document.images.size(), 1U);
  EXPECT_EQ(page.document.images[0].file, "k.png");
  EXPECT_EQ(page.document.images[0].caption.text, "See it");
  EXPECT_EQ(page.document.other_links.size(), 1U);
  EXPECT_TRUE(page.document.blocks.empty());
}

TEST(HtmlPage, LineEndsOfPreformattedTextStay) {
  const auto page = read("<pre>a\n  b\n</pre>");
  ASSERT_EQ(page.document.blocks.size(), 1U);
  EXPECT_EQ(page.document.blocks[0].kind, BlockKind::kPreformatted);
  EXPECT_EQ(page.document.blocks[0].content.text, "a\n  b");
}

TEST(HtmlPage, HiddenTextAndScriptsAreNoText) {
  const auto page = read("<p>a<script>x()</script><span hidden>h</span><b style='display: none'>n</b>b</p>");
  EXPECT_EQ(texts(page), (Lines{"ab"}));
}

TEST(HtmlPage, FormulasAreReadOnce) {
  const auto page = read("<p><math><semantics><mi>x</mi><annotation>\\x</annotation></semantics></math></p>");
  EXPECT_EQ(texts(page), (Lines{"x"}));
}

TEST(HtmlPage, RightToLeftTextIsKept) {
  const auto page = read("<p dir=rtl>שלום <a href=x>עולם</a></p>");
  const auto& content = page.document.blocks.at(0).content;
  EXPECT_EQ(content.text, "שלום עולם");
  EXPECT_EQ(content.links.at(0).begin, 5U);
}

TEST(HtmlPage, DeepNestingIsBounded) {
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) bytes += "<div><b>";
  const auto page = read(bytes + "deep");
  EXPECT_FALSE(page.document.sections.empty());
}

TEST(HtmlPage, EmptyBytesAreNoPage) {
  EXPECT_FALSE(read("").readable);
  EXPECT_FALSE(read(std::string(kMaxTreeBytes + 1, 'x')).readable);
}

TEST(HtmlCharset, BytesOfUtf8AreUtf8WhateverIsDeclared) {
  EXPECT_EQ(as_utf8("<meta charset=iso-8859-1>\xC3\xA9"), "<meta charset=iso-8859-1>\xC3\xA9");
}

TEST(HtmlCharset, Utf16IsToldWithoutAByteOrderMark) {
  std::string little, big;
  for (const char c : std::string_view("<p>one</p>")) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  EXPECT_EQ(as_utf8(little), "<p>one</p>");
  EXPECT_EQ(as_utf8(big), "<p>one</p>");
  EXPECT_EQ(as_utf8(std::string_view("<p>\0</p>", 8)).size(), 8U) << "one zero is damage";
}

TEST(HtmlCharset, TheDeclaredCharsetCounts) {
  EXPECT_EQ(as_utf8("<meta charset='koi8-r'>\xC1"), "<meta charset='koi8-r'>а");
  EXPECT_EQ(as_utf8("<meta content='text/html; charset=ISO-8859-2'>\xB1"),
            "<meta content='text/html; charset=ISO-8859-2'>ą");
}

TEST(HtmlCharset, UnknownAndWrongCharsetsAreWindows1252) {
  EXPECT_EQ(as_utf8("<meta charset=nonsense>\x93q\x94"), "<meta charset=nonsense>“q”");
  EXPECT_EQ(as_utf8("<meta charset=utf-8>caf\xE9"), "<meta charset=utf-8>café");
  EXPECT_TRUE(is_valid_utf8(as_utf8(std::string("\xFF\xFE\x41\x00\x42", 5))));
}

TEST(XmlTree, EntitiesAreNeverExpanded) {
  std::string problem;
  EXPECT_EQ(parse_xml("<!DOCTYPE d [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><d>&a;</d>", problem), nullptr);
  EXPECT_NE(problem.find("entities"), std::string::npos);
  EXPECT_EQ(parse_xml("<d><e></d>", problem), nullptr);
  EXPECT_NE(problem.find("line 1"), std::string::npos);
}

TEST(HtmlPage, HiddenRowsAndTheTextOfHiddenCellsAreNotShown) {
  const auto page = read("<table><tr><th>a</th><td style='display:none'>b</td></tr><tr hidden><td>c</td></tr></table>");
  ASSERT_EQ(page.document.tables.at(0).row_count(), 1U);
  EXPECT_EQ(page.document.tables[0].cells[0].at(1).content.text, "");
}

TEST(HtmlPage, ATableOfContentsOfSphinxIsNavigation) {
  const auto page = read(
      "<div role=\"main\"><h1>Kiln</h1><p>See</p><div class=\"toctree-wrapper compound\"><ul><li><a "
      "href=\"a\">Fuel</a></li>"
      "</ul></div></div>");
  EXPECT_EQ(texts(page), (Lines{"See"}));
  EXPECT_EQ(page.navigation_left_out, 1U);
}

TEST(HtmlPage, IconsThatLinkAHeadingToItselfAreNotShown) {
  EXPECT_EQ(
      outline(read("<h1>Kiln</h1><h2>Fuel<a href='#fuel'>\uF0C1</a></h2><p>a<h2><a href='#ash'>Ash</a></h2><p>b")),
      (Lines{"==Fuel", "==Ash"}));
}

TEST(HtmlPage, ABookThatSphinxPutsIntoItsTableOfContentsIsRead) {
  const auto page = read(
      "<div role='main'><h1>Kilns</h1><p>See</p><div class='toctree-wrapper compound'><section><h2>Fuel</h2><p>Wood."
      "</section></div></div>");
  EXPECT_EQ(outline(page), Lines{"==Fuel"});
  EXPECT_EQ(texts(page), (Lines{"See", "Wood."}));
}

TEST(HtmlPage, OfSeveralHeadingsOfTheFirstLevelNoneIsTheTitleOfAPageThatHasOne) {
  const auto page = read("<title>Kilns of old</title><h1>1. Overview</h1><p>a<h1>2. Fuel</h1><p>b");
  EXPECT_EQ(page.title, "Kilns of old");
  EXPECT_EQ(outline(page), (Lines{"=1. Overview", "=2. Fuel"}));
  EXPECT_EQ(read("<title>Kilns | Site</title><h1>Kilns</h1><p>a<h1>Fuel</h1><p>b").title, "Kilns");
}

TEST(HtmlPage, TitlesThatDocBookPutsBesideTablesAndFiguresAreCaptions) {
  const auto page = read(
      "<h1>Kiln</h1><p>Lead.</p><div class='table'><p class='title'><b>Table 1. Fuels</b></p><div "
      "class='table-contents'>"
      "<table><tr><th>Fuel<tr><td>Wood</table></div></div><div class='figure'><p class='title'>Figure 1. A kiln</p>"
      "<div class='figure-contents'><img src='k.png' alt='kiln'></div></div><div id='footer'>Last updated 2024</div>");
  EXPECT_EQ(texts(page), Lines{"Lead."});
  ASSERT_EQ(page.document.tables.size(), 1U);
  EXPECT_EQ(page.document.tables[0].caption.text, "Table 1. Fuels");
  ASSERT_EQ(page.document.images.size(), 1U);
  EXPECT_EQ(page.document.images[0].caption.text, "Figure 1. A kiln");
}

HtmlPage read_terms(const std::string& bytes) {
  HtmlReading reading;
  reading.terms = true;
  return read_html(bytes, NamedPages(), reading);
}

Lines terms(const HtmlPage& page) {
  Lines found;
  for (const auto& block : page.document.blocks) {
    for (const auto& link : block.content.links) {
      const auto letters = to_utf32(block.content.text).substr(link.begin, link.end - link.begin);
      std::string anchor;
      for (const auto letter : letters) append_utf8(anchor, letter);
      found.push_back(anchor + ">" + link.target.text);
    }
  }
  return found;
}

Lines entries(const HtmlPage& page) {
  Lines found;
  for (const auto& entry : page.index) found.push_back(entry.term + ">" + entry.href);
  return found;
}

TEST(HtmlTerms, AWordThatIsDefinedLinksToItself) {
  const std::string page = "<h1>Kiln</h1><p>A <dfn>bag wall</dfn> shields the <dfn title=\"ware\">wares</dfn>.</p>";
  EXPECT_EQ(terms(read_terms(page)), (Lines{"bag wall>bag wall", "wares>ware"}));
  EXPECT_EQ(texts(read_terms(page)), (Lines{"A bag wall shields the wares."}));
  EXPECT_TRUE(terms(read(page)).empty());
}

TEST(HtmlTerms, WordsOfAGlossaryLinkToThemselves) {
  const auto page = read_terms(
      "<h1>Words</h1><p>See below.</p><dl class=\"simple glossary\"><dt id=\"term-slip\">slip<span "
      "class=\"classifier\">clay"
      "</span><a class=\"headerlink\" href=\"#term-slip\">\u00B6</a></dt><dd>Thin <dfn>clay</dfn>.</dd></dl>"
      "<section role=\"doc-glossary\"><dl><dt><dfn>grog</dfn></dt><dd>Ground pots.</dd></dl></section>"
      "<dl><dt>plain</dt><dd>List.</dd></dl>");
  EXPECT_EQ(terms(page), (Lines{"slipclay>slip", "clay>clay", "grog>grog", "grog>grog"}));
  EXPECT_EQ(page.part, PagePart::kGlossary);
  EXPECT_EQ(
      read_terms("<h1>Kiln</h1><p>A long text about kilns and their fuel.</p><dl class=\"glossary\"><dt>ash</dt></dl>")
          .part,
      PagePart::kText);
}

TEST(HtmlTerms, AReferenceToAWordOfTheGlossaryIsALinkToTheWord) {
  EXPECT_EQ(
      terms(read_terms("<h1>Kiln</h1><p>Pour <a href=\"words.html#term-slip\"><span class=\"xref std std-term\">slip"
                       "</span></a> or <a epub:type=\"glossref\" href=\"w.xhtml#g\">grog</a>, <a href=\"w.xhtml\">"
                       "see</a>.</p>")),
      (Lines{"slip>slip", "grog>grog", "see>w.xhtml"}));
}

TEST(HtmlTerms, EntriesOfAnIndexNameTermsAndPlaces) {
  const auto page = read_terms(
      "<body><section epub:type=\"index\"><h1>Index</h1><ul><li>ash, <a href=\"a.xhtml#p1\">1</a>, <a "
      "href=\"b.xhtml#p9\">9"
      "</a></li><li><span epub:type=\"index-term\">clay</span>: <ul><li>red, <a "
      "href=\"c.xhtml#p12\">12-13</a></li></ul></li>"
      "</ul></section></body>");
  EXPECT_EQ(entries(page), (Lines{"ash>a.xhtml#p1", "ash>b.xhtml#p9", "clay>c.xhtml#p12"}));
  EXPECT_EQ(page.part, PagePart::kIndex);
}

TEST(HtmlTerms, NamesOfCodeInAnIndexOfSphinxAreNoTerms) {
  const auto page = read_terms(
      "<div role=\"main\"><h1>Index</h1><table class=\"indextable genindextable\"><tr><td><ul>"
      "<li><a href=\"a.html#fire\">fire() (kiln.Kiln method)</a></li><li><a href=\"b.html#index-0\">firing</a>"
      "<ul><li><a href=\"b.html#index-1\">slow</a></li></ul></li><li>module<ul><li><a "
      "href=\"c.html#m\">kiln.fuel</a></li>"
      "</ul></li></ul></td></tr></table></div>");
  EXPECT_EQ(entries(page), (Lines{"firing>b.html#index-0", "firing>b.html#index-1"}));
  EXPECT_EQ(page.part, PagePart::kIndex);
}

}  // namespace
}  // namespace touchstone::extractors::html
