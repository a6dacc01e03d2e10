#include "extractors/enterprise/enterprise_source.hpp"

#include "tests/support/memory_source.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::enterprise {
namespace {

std::string line(const std::string& name, int id, const std::string& html, const std::string& more = "") {
  return "{\"name\":\"" + name + "\",\"identifier\":" + std::to_string(id) +
         ",\"date_modified\":\"2021-01-09T20:35:08Z\",\"version\":{\"identifier\":7},"
         "\"url\":\"https://xx.wikipedia.org/wiki/A\",\"namespace\":{\"identifier\":0},"
         "\"in_language\":{\"identifier\":\"en\"},\"is_part_of\":{\"name\":\"Wikipedia\",\"identifier\":\"xxwiki\"},"
         "\"license\":[{\"identifier\":\"CC-BY-SA-3.0\"}]," +
         more + "\"article_body\":{\"html\":\"" + html + "\"}}\n";
}

EnterpriseSource source_of(const std::string& bytes, const EnterpriseOptions& options = {}) {
  return {std::make_unique<testing::MemorySource>(bytes), options};
}

SourceBatch read(const std::string& bytes, const EnterpriseOptions& options = {}) {
  auto source = source_of(bytes, options);
  SourceBatch all;
  while (auto batch = source.next()) {
    auto read = source.read(std::move(*batch));
    for (auto& page : read.pages) all.pages.push_back(std::move(page));
    for (auto& remark : read.remarks) all.remarks.push_back(std::move(remark));
  }
  return all;
}

/// The document of an article with this HTML.
Document document_of(const std::string& html) {
  auto batch = read(line("A", 1, html));
  return batch.pages.empty() ? Document{} : std::move(*batch.pages[0].document);
}

std::vector<std::string> texts_of(const Document& document) {
  std::vector<std::string> texts;
  for (const auto& block : document.blocks) texts.push_back(block.content.text);
  return texts;
}

TEST(EnterpriseSource, ALineIsAnArticleWithWhatItSaysOfIt) {
  const auto batch =
      read(line("Old Light", 12, "<p>It is old.</p>",
                "\"main_entity\":{\"identifier\":\"Q42\"},\"categories\":[{\"name\":\"Category:Lights\"}],"
                "\"templates\":[{\"name\":\"Template:Stub\"}],"));
  ASSERT_EQ(batch.pages.size(), 1U);
  const auto& [head, document, inputs, known, digest, remarks] = batch.pages[0];
  EXPECT_EQ(head.id, PageId{12});
  EXPECT_EQ(head.title, (Title{0, "Old Light"}));
  EXPECT_EQ(head.revision, RevisionId{7});
  EXPECT_EQ(head.timestamp, "2021-01-09T20:35:08Z");
  EXPECT_EQ(head.qid, "Q42");
  EXPECT_EQ(document->categories, (std::vector<Title>{{kNamespaceCategory, "Lights"}}));
  EXPECT_EQ(document->templates_used, (std::vector<std::string>{"Stub"}));
  EXPECT_EQ(texts_of(*document), (std::vector<std::string>{"It is old."}));
}

TEST(EnterpriseSource, TheFirstLineThatIsAnArticleNamesTheWiki) {
  auto source = source_of("{broken\n" + line("A", 1, "<p>x</p>"));
  const auto site = source.site_info();
  EXPECT_EQ(site->db_name, "xxwiki");
  EXPECT_EQ(site->site_name, "Wikipedia");
  EXPECT_EQ(site->base_url, "https://xx.wikipedia.org/wiki/");
  EXPECT_EQ(site->language, "en");
  EXPECT_EQ(source.license(), "CC-BY-SA-3.0");
}

TEST(EnterpriseSource, RedirectsArePagesWithNumbersAboveAllOthers) {
  const std::string more = "\"redirects\":[{\"name\":\"B\"},{\"name\":\"C\"}],";
  const auto bytes = line("A", 5, "<p>x</p>", more) + line("D", 3, "<p>x</p>", "\"redirects\":[{\"name\":\"E\"}],");
  EnterpriseOptions small;
  small.lines.batch_bytes = 1;
  for (const auto& options : {EnterpriseOptions{}, small}) {
    const auto batch = read(bytes, options);
    ASSERT_EQ(batch.pages.size(), 5U);
    EXPECT_EQ(batch.pages[1].head.id, PageId{kFirstRedirect});
    EXPECT_EQ(batch.pages[1].head.title, (Title{0, "B"}));
    EXPECT_TRUE(batch.pages[1].head.is_redirect);
    EXPECT_EQ(batch.pages[1].head.redirect, (Title{0, "A"}));
    EXPECT_EQ(batch.pages[2].head.id, PageId{kFirstRedirect + 1});
    EXPECT_EQ(batch.pages[4].head.id, PageId{kFirstRedirect + 2});
    EXPECT_EQ(batch.pages[4].head.redirect, (Title{0, "D"}));
  }
}

TEST(EnterpriseSource, ReadingGoesOnBehindABatchWithTheNumbersThatFollow) {
  const auto bytes = line("A", 5, "<p>x</p>", "\"redirects\":[{\"name\":\"B\"}],") +
                     line("D", 3, "<p>x</p>", "\"redirects\":[{\"name\":\"E\"}],");
  EnterpriseOptions options;
  options.lines.batch_bytes = 1;
  auto first = source_of(bytes, options);
  const auto batch = first.next();
  auto second = source_of(bytes, options);
  second.skip_to(batch->end_offset, batch->last_page);
  const auto rest = second.read(*second.next());
  ASSERT_EQ(rest.pages.size(), 2U);
  EXPECT_EQ(rest.pages[1].head.id, PageId{kFirstRedirect + 1});
}

TEST(EnterpriseSource, ALaterFileNumbersItsRedirectsBehindThoseBefore) {
  EnterpriseOptions options;
  options.before_first = PageId{kFirstRedirect + 9};
  const auto batch = read(line("A", 5, "<p>x</p>", "\"redirects\":[{\"name\":\"B\"}],"), options);
  EXPECT_EQ(batch.pages.at(1).head.id, PageId{kFirstRedirect + 10});
}

TEST(EnterpriseSource, BadLinesAreRemarksWithTheirNumber) {
  const auto batch = read(line("A", 1, "<p>x</p>") + "{\n[]\n" + line("", 1, "") + line("A|B", 2, "<p>x</p>") +
                          line("C", 3, "") + line("D", 4, "<p>x</p>", "\"main_entity\":{\"identifier\":\"42\"},"));
  EXPECT_EQ(batch.pages.size(), 1U);
  std::vector<PageIssue> issues;
  for (const auto& remark : batch.remarks) issues.push_back(remark.issue);
  EXPECT_EQ(issues, (std::vector{PageIssue::kMalformedJson, PageIssue::kMalformedJson, PageIssue::kMissingField,
                                 PageIssue::kBadTitle, PageIssue::kNoText, PageIssue::kBadQid}));
  EXPECT_TRUE(batch.remarks.at(1).where.starts_with("line 3: ")) << batch.remarks.at(1).where;
}

TEST(EnterpriseSource, PagesOfOtherNamespacesAreKnownByTitle) {
  auto text = line("Template:Stub", 1, "<p>x</p>");
  text.replace(text.find("{\"identifier\":0}"), 16, "{\"identifier\":10}");
  const auto batch = read(text);
  EXPECT_EQ(batch.pages.at(0).head.title, (Title{kNamespaceTemplate, "Stub"}));
  EXPECT_FALSE(batch.pages[0].document);
}

TEST(EnterpriseSource, TheWikiMarksDisambiguationPages) {
  const auto batch = read(line("A", 1, "<meta property='mw:PageProp/disambiguation'/><p>x</p>"));
  EXPECT_TRUE(batch.pages.at(0).head.is_disambiguation);
  EXPECT_EQ(batch.pages[0].head.page_tags, (std::vector<std::string>{"disambiguation"}));
}

TEST(ArticleHtml, LinksToPagesOfTheWikiAreLinksAndOthersAreText) {
  const auto document = document_of(
      "<p>See <a rel='mw:WikiLink' href='./Caf%C3%A9_au_lait#Hot_milk'>coffee</a>, "
      "<a rel='mw:WikiLink' href='./Milk?action=edit&amp;redlink=1'>milk</a>, "
      "<a rel='mw:WikiLink/Interwiki' href='https://de.wikipedia.org/wiki/Tee'>tea</a> and "
      "<a rel='mw:ExtLink' href='https://example.org'>more</a>.</p>");
  ASSERT_EQ(document.blocks.size(), 1U);
  const auto& content = document.blocks[0].content;
  EXPECT_EQ(content.text, "See coffee, milk, tea and more.");
  ASSERT_EQ(content.links.size(), 2U);
  EXPECT_EQ(content.links[0].target, (Title{0, "Café au lait"}));
  EXPECT_EQ(content.links[0].fragment, "Hot milk");
  EXPECT_EQ(content.links[0].begin, 4U);
  EXPECT_EQ(content.links[1].target, (Title{0, "Milk"}));
}

TEST(ArticleHtml, LinksOfAPageToItselfAreText) {
  const auto document = document_of("<p><b><a rel='mw:WikiLink' href='./A'>A</a></b> <a href='./A#x'>x</a>.</p>");
  EXPECT_EQ(document.blocks.at(0).content.text, "A x.");
  EXPECT_TRUE(document.blocks[0].content.links.empty());
}

TEST(ArticleHtml, FootnotesBoxesAndMarksForEditorsAreLeftOut) {
  const auto document = document_of(
      "<div class='hatnote'>For tea, see Tea.</div><p>It is old.<sup class='mw-ref reference' "
      "typeof='mw:Extension/ref'><a href='./A#cite_note-1'>[1]</a></sup> <span style='display:none'>x</span>New.</p>"
      "<h2>History<span class='mw-editsection'>[edit]</span></h2><p>Long.</p>"
      "<div role='navigation' class='navbox'><table><tr><td>Menu</td></tr></table></div>"
      "<ol class='mw-references references'><li>A book.</li></ol><p class='noprint'>Print.</p>"
      "<table class='metadata'><tr><td>A stub.</td></tr></table>");
  EXPECT_EQ(texts_of(document), (std::vector<std::string>{"It is old. New.", "Long."}));
  EXPECT_EQ(document.sections.at(1).heading.text, "History");
  EXPECT_TRUE(document.tables.empty());
}

TEST(ArticleHtml, OneHeadingIsASectionAndNotTheTitle) {
  const auto document = document_of("<section><p>Lead.</p></section><section><h2>Notes</h2><p>More.</p></section>");
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[1].heading.text, "Notes");
}

TEST(ArticleHtml, FiguresAndGalleriesAreImagesWithTheirCaptions) {
  const auto document = document_of(
      "<figure typeof='mw:Image/Thumb'><a href='./File:Old_light.jpg'><img resource='./File:Old_light.jpg' "
      "src='//x/250px-Old_light.jpg'/></a><figcaption>The <a href='./Light'>light</a>.</figcaption></figure>"
      "<ul class='gallery'><li class='gallerycaption'>Boats</li><li class='gallerybox'><div class='thumb'><img "
      "resource='./File:B.png'/></div>"
      "<div class='gallerytext'>A boat.</div></li></ul>"
      "<table><tr><td>Cell<figure><img resource='./File:C.png'/><figcaption>Sea, <a href='./Sea'>deep</a>."
      "</figcaption></figure></td></tr></table>");
  EXPECT_TRUE(document.blocks.empty());
  ASSERT_EQ(document.images.size(), 3U);
  EXPECT_EQ(document.images[0].file, "Old light.jpg");
  EXPECT_EQ(document.images[0].caption.text, "The light.");
  EXPECT_EQ(document.images[1].caption.text, "A boat.");
  EXPECT_EQ(document.images[2].caption.text, "Sea, deep.");
  EXPECT_EQ(document.tables.at(0).cells.at(0).at(0).content.text, "Cell");
  EXPECT_EQ(document.other_links.size(), 2U);
}

TEST(ArticleHtml, ATableThatHoldsMostOfTheTextIsATable) {
  const auto document = document_of(
      "<table class='infobox'><tr><td>A very long cell of a box that is nearly all there is</td></tr></table>"
      "<p>Short.</p>");
  EXPECT_EQ(document.tables.size(), 1U);
  EXPECT_EQ(texts_of(document), (std::vector<std::string>{"Short."}));
}

}  // namespace
}  // namespace touchstone::extractors::enterprise
