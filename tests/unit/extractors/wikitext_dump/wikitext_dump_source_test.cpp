#include "extractors/wikitext_dump/wikitext_dump_source.hpp"

#include "common/digest.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/memory_source.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext_dump {
namespace {

using touchstone::testing::dump_xml;
using touchstone::testing::page_xml;
using touchstone::testing::revision_xml;
using touchstone::testing::simple_page;

class NoPages : public PageLoader {
 public:
  std::optional<std::string> load(const Title&) const override { return std::nullopt; }
};

class WikitextDump : public ::testing::Test {
 protected:
  WikitextDumpOptions options;
  NoPages none;

  std::unique_ptr<WikitextDumpSource> open(const std::string& xml) const {
    return std::make_unique<WikitextDumpSource>(std::make_unique<touchstone::testing::MemorySource>(xml), options,
                                                none);
  }
  SourceBatch read(const std::string& pages) const {
    const auto source = open(dump_xml(pages));
    auto batch = source->next();
    return batch ? source->read(std::move(*batch)) : SourceBatch{};
  }
  PageHead head_of(const std::string& page) const {
    auto batch = read(page);
    EXPECT_EQ(batch.pages.size(), 1U);
    return batch.pages.empty() ? PageHead{} : batch.pages[0].head;
  }
};

TEST_F(WikitextDump, PagesOfANamespaceOfListsAreRead) {
  auto xml = dump_xml(page_xml(7, "Anexo:Faros", revision_xml(1, "* [[Amber]]"), {}, 104) +
                      page_xml(8, "Template:Faros", revision_xml(2, "* [[Amber]]"), {}, 10));
  const std::string at = "    </namespaces>";
  xml.insert(xml.find(at), "      <namespace key=\"104\" case=\"first-letter\">Anexo</namespace>\n");
  const auto source = open(xml);
  const auto batch = source->read(*source->next());
  ASSERT_EQ(batch.pages.size(), 2U);
  EXPECT_EQ(batch.pages[0].head.title, (Title{104, "Faros"}));
  EXPECT_TRUE(batch.pages[0].document);
  EXPECT_FALSE(batch.pages[1].document);
}

TEST_F(WikitextDump, AnArticleHasItsHeadAndItsDocument) {
  const auto batch = read(simple_page(7, "Amber", "A [[light]]."));
  ASSERT_EQ(batch.pages.size(), 1U);
  const auto& head = batch.pages[0].head;
  EXPECT_EQ(head.id, PageId{7});
  EXPECT_EQ(head.title, (Title{0, "Amber"}));
  EXPECT_EQ(head.revision, RevisionId{1007});
  EXPECT_EQ(head.timestamp, "2025-01-01T00:00:00Z");
  EXPECT_EQ(head.text_bytes, 12U);
  EXPECT_EQ(head.content_digest, xxh3_128("A [[light]]."));
  EXPECT_TRUE(head.model.empty());
  ASSERT_TRUE(batch.pages[0].document);
  EXPECT_EQ(batch.pages[0].document->blocks.at(0).content.text, "A light.");
}

TEST_F(WikitextDump, TheNamespacePrefixIsCutOffByTheDumpsNumber) {
  EXPECT_EQ(head_of(page_xml(1, "Plantilla:Amber: more", revision_xml(1, "x"), {}, 10)).title,
            (Title{10, "Amber: more"}));
  EXPECT_EQ(head_of(simple_page(1, "Plantilla:Amber: more", "x")).title, (Title{0, "Plantilla:Amber: more"}));
}

TEST_F(WikitextDump, WhiteSpaceInTitlesIsFolded) {
  EXPECT_EQ(head_of(simple_page(1, "\n  Amber\t\tlight \n", "x")).title, (Title{0, "Amber light"}));
  EXPECT_EQ(head_of(page_xml(1, "Template:\n Amber\r\nlight", revision_xml(1, "x"), {}, 10)).title,
            (Title{10, "Amber light"}));
}

TEST_F(WikitextDump, TagsThatAreNotEscapedAreReadAndTold) {
  auto page = simple_page(1, "A", "[[b]] PLACE [[d]]");
  page.replace(page.find("PLACE"), 5, "<i>[[c]]</i>");
  const auto batch = read(page);
  ASSERT_EQ(batch.pages.size(), 1U);
  ASSERT_EQ(batch.remarks.size(), 1U);
  EXPECT_EQ(batch.remarks[0].issue, PageIssue::kUnescapedMarkup);
  EXPECT_EQ(batch.remarks[0].where, "page 1 \"A\"");
  EXPECT_EQ(batch.pages[0].document->blocks.at(0).content.text, "b c d");
}

TEST_F(WikitextDump, RulesOfWikimediaHoldByTheAddressOfTheWiki) {
  const auto text = [&](const std::string& base) {
    auto xml = dump_xml(simple_page(1, "A", "a {{HMS|Hood}}"));
    const auto begin = xml.find("<base>") + 6;
    xml.replace(begin, xml.find("</base>") - begin, base);
    auto source = open(xml);
    auto batch = source->next();
    return source->read(std::move(*batch)).pages.at(0).document->blocks.at(0).content.text;
  };
  EXPECT_EQ(text("https://en.wikipedia.org/wiki/Main_Page"), "a HMS Hood");
  EXPECT_EQ(text("https://wiki.example/wiki/Main_Page"), "a");
  EXPECT_EQ(text("https://notwikipedia.org/wiki/Main_Page"), "a");
  options.wikimedia_rules = wikitext::WikimediaRules::kOn;
  EXPECT_EQ(text("https://wiki.example/wiki/Main_Page"), "a HMS Hood");
}

TEST_F(WikitextDump, ALanguageThatTheDumpDoesNotNameIsTold) {
  auto xml = dump_xml(simple_page(1, "A", "a"));
  const auto at = xml.find(" xml:lang=");
  ASSERT_NE(at, std::string::npos);
  xml.erase(at, xml.find('"', xml.find('"', at) + 1) + 1 - at);
  ASSERT_EQ(open(xml)->warnings().size(), 1U);
  EXPECT_NE(open(xml)->warnings().front().find("does not name its language"), std::string::npos);
  options.language = "de";
  EXPECT_TRUE(open(xml)->warnings().empty());
}

TEST_F(WikitextDump, TitlesBecomeComposed) {
  EXPECT_EQ(head_of(simple_page(1, "Cafe\u0301", "x")).title.text, "Café");
}

TEST_F(WikitextDump, TheDumpsRedirectCountsEvenWithoutOneInTheText) {
  const auto head = head_of(simple_page(1, "A", "text", "category:herbs#Green"));
  EXPECT_TRUE(head.is_redirect);
  EXPECT_EQ(head.redirect, (Title{14, "Herbs"}));
  EXPECT_EQ(head.redirect_fragment, "Green");
}

TEST_F(WikitextDump, TheTextsRedirectCountsWhereTheDumpSaysNothing) {
  const auto head = head_of(simple_page(1, "A", "#REDIRECT [[Basil#Uses]]"));
  EXPECT_TRUE(head.is_redirect);
  EXPECT_EQ(head.redirect.text, "Basil");
  EXPECT_EQ(head.redirect_fragment, "Uses");
}

TEST_F(WikitextDump, ARedirectToAnotherWikiHasNoTarget) {
  const auto head = head_of(simple_page(1, "A", "#REDIRECT [[wikt:amber]]", "wikt:amber"));
  EXPECT_TRUE(head.is_redirect);
  EXPECT_TRUE(head.redirect.text.empty());
}

TEST_F(WikitextDump, PagesOfOtherNamespacesAreKnownByTitleUnlessTheyRedirect) {
  const auto batch = read(page_xml(1, "Template:A", revision_xml(1, "text"), {}, 10) +
                          page_xml(2, "Template:B", revision_xml(1, "#REDIRECT [[Template:A]] text"), {}, 10));
  ASSERT_EQ(batch.pages.size(), 2U);
  EXPECT_FALSE(batch.pages[0].document);
  EXPECT_TRUE(batch.pages[0].head.model.empty());
  ASSERT_TRUE(batch.pages[1].document);
  EXPECT_TRUE(batch.pages[1].document->blocks.empty());
  EXPECT_EQ(batch.pages[1].head.redirect, (Title{10, "A"}));
}

TEST_F(WikitextDump, ADisambiguationTemplateIsKnownInAnyCase) {
  EXPECT_TRUE(head_of(simple_page(1, "A", "{{DisAmbig}}")).is_disambiguation);
  EXPECT_FALSE(head_of(simple_page(1, "A", "{{Disambiguate not}}")).is_disambiguation);
  options.disambiguation_templates = {"Many things"};
  EXPECT_TRUE(head_of(simple_page(1, "A", "{{many things}}")).is_disambiguation);
  EXPECT_FALSE(head_of(simple_page(1, "A", "{{Disambig}}")).is_disambiguation);
}

TEST_F(WikitextDump, PageTagsAreThoseOfTheWikisKind) {
  const auto page = simple_page(1, "A", "{{Good article}} {{Geo-stub}} {{hndis}}");
  EXPECT_TRUE(head_of(page).page_tags.empty()) << "the address of the dump is not one of Wikimedia's";
  EXPECT_FALSE(head_of(page).is_disambiguation);
  options.wikimedia_rules = wikitext::WikimediaRules::kOn;
  EXPECT_EQ(head_of(page).page_tags, (std::vector<std::string>{"disambiguation", "good article", "stub"}));
  EXPECT_TRUE(head_of(page).is_disambiguation);
  options.language = "de";
  EXPECT_EQ(head_of(simple_page(1, "A", "{{Good article}} {{Lesenswert}}")).page_tags,
            (std::vector<std::string>{"good article"}));
}

TEST_F(WikitextDump, OtherContentModelsAreKeptByTitleWithARemark) {
  auto revision = revision_xml(1, "x");
  revision.replace(revision.find("<model>wikitext"), 15, "<model>css");
  const auto batch = read(page_xml(1, "A.css", revision));
  ASSERT_EQ(batch.pages.size(), 1U);
  EXPECT_EQ(batch.pages[0].head.model, "css");
  EXPECT_FALSE(batch.pages[0].document);
  ASSERT_EQ(batch.remarks.size(), 1U);
  EXPECT_EQ(batch.remarks[0].issue, PageIssue::kOtherModel);
  EXPECT_EQ(batch.remarks[0].detail, "css");
}

TEST_F(WikitextDump, ATextThatDoesNotMatchItsSha1IsKeptWithARemark) {
  auto revision = revision_xml(1, "x");
  revision.insert(revision.find("      <text"), "      <sha1>" + std::string(31, '0') + "</sha1>\n");
  const auto batch = read(page_xml(1, "A", revision));
  EXPECT_EQ(batch.pages.size(), 1U);
  ASSERT_EQ(batch.remarks.size(), 1U);
  EXPECT_EQ(batch.remarks[0].issue, PageIssue::kChecksumMismatch);
  EXPECT_EQ(batch.remarks[0].where, "page 1 \"A\"");
}

TEST_F(WikitextDump, UnreadablePagesAreRemarksWithTheirPlace) {
  const auto batch = read("  <page><title>A</title></page>\n" + simple_page(2, "B", "x"));
  EXPECT_EQ(batch.pages.size(), 1U);
  ASSERT_EQ(batch.remarks.size(), 1U);
  EXPECT_EQ(batch.remarks[0].issue, PageIssue::kMissingField);
  EXPECT_TRUE(batch.remarks[0].where.starts_with("at byte ")) << batch.remarks[0].where;
}

TEST_F(WikitextDump, TemplatePagesCanBeIncludedAndAllOthersExist) {
  const auto source =
      open(dump_xml(page_xml(1, "Template:A", revision_xml(1, "shown"), {}, 10) + simple_page(2, "B", "text")));
  const auto pages = source->included_pages(*source->next());
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].title, (Title{10, "A"}));
  EXPECT_EQ(pages[0].text, "shown");
  EXPECT_EQ(pages[1].text, std::nullopt);
}

TEST_F(WikitextDump, TheChosenLanguageIsThatOfTheSite) {
  options.language = "de";
  EXPECT_EQ(open(dump_xml(""))->site_info()->language, "de");
  EXPECT_EQ(head_of(simple_page(1, "A", "{{Begriffsklärung}}")).is_disambiguation, true);
}

TEST_F(WikitextDump, ADumpWithoutSiteInfoIsWarnedOf) {
  const std::string xml = std::string(touchstone::testing::kDumpRoot) + simple_page(1, "A", "x") + "</mediawiki>\n";
  const auto warnings = open(xml)->warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("has no <siteinfo>"), std::string::npos) << warnings[0];
  EXPECT_TRUE(open(dump_xml(""))->warnings().empty());
}

}  // namespace
}  // namespace touchstone::extractors::wikitext_dump
