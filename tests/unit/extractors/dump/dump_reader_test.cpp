// This file is long because one reader is tried on all kinds of good and bad dumps.
#include "extractors/dump/dump_reader.hpp"

#include "common/error.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/extractors/dump/compressed_files.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::dump {
namespace {

using testing::dump_xml;
using testing::MemorySource;
using testing::page_xml;
using testing::revision_xml;
using testing::simple_page;

/// What became of one page of a dump.
struct Outcome {
  std::uint64_t offset = 0;
  std::string title, text, error;
  std::uint64_t revision = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

DumpReader reader_of(std::string xml, std::vector<std::size_t> pieces = {}, DumpReaderOptions options = {}) {
  return DumpReader(std::make_unique<MemorySource>(std::move(xml), std::move(pieces)), options);
}

std::vector<Outcome> outcomes(DumpReader& reader) {
  std::vector<Outcome> found;
  while (const auto batch = reader.next()) {
    for (const auto& extent : batch->records) {
      const auto page = parse_page(std::string_view(batch->bytes).substr(extent.begin, extent.size));
      if (page) {
        found.push_back({extent.place, page->title, page->text, "", page->revision.value});
      } else {
        found.push_back({extent.place, "", "", std::string(describe(page.error()).text), 0});
      }
    }
    for (const auto offset : batch->too_large) found.push_back({offset, "", "", "too large", 0});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return found;
}

std::vector<Outcome> outcomes(const std::string& xml, std::vector<std::size_t> pieces = {},
                              DumpReaderOptions options = {}) {
  auto reader = reader_of(xml, std::move(pieces), options);
  return outcomes(reader);
}

std::string failure_of(const std::string& xml, std::vector<std::size_t> pieces = {}) {
  try {
    outcomes(xml, std::move(pieces));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(DumpReader, GivesThePagesWithTheirPlaces) {
  const auto xml = dump_xml(simple_page(1, "Ōstra & <co>", "Text & more < 'x'") + simple_page(2, "B", ""));
  const auto found = outcomes(xml);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].title, "Ōstra & <co>");
  EXPECT_EQ(found[0].text, "Text & more < 'x'");
  EXPECT_EQ(found[0].revision, 1001U);
  EXPECT_EQ(found[0].offset, xml.find("<page>"));
  EXPECT_EQ(found[1].offset, xml.rfind("<page>"));
}

TEST(DumpReader, SiteinfoIsRead) {
  auto reader = reader_of(dump_xml(simple_page(1, "A", "a")));
  EXPECT_EQ(reader.site_info().db_name, "tinywiki");
  EXPECT_EQ(reader.site_info().site_name, "Tinywiki");
  EXPECT_EQ(reader.site_info().language, "en");
  EXPECT_FALSE(reader.site_info_assumed());
}

TEST(DumpReader, ADumpWithoutSiteinfoGetsMediaWikisNamespaces) {
  auto reader = reader_of("<mediawiki xml:lang=\"de\">\n" + simple_page(1, "A", "a") + "</mediawiki>");
  EXPECT_TRUE(reader.site_info_assumed());
  EXPECT_EQ(reader.site_info().language, "de");
  EXPECT_EQ(outcomes(reader).size(), 1U);
}

TEST(DumpReader, ADumpThatNamesNoLanguageSaysSo) {
  EXPECT_FALSE(reader_of(dump_xml(simple_page(1, "A", "a"))).language_assumed());
  for (const char* root : {"<mediawiki>", "<mediawiki xml:lang=\"\">"}) {
    auto reader = reader_of(std::string(root) + simple_page(1, "A", "a") + "</mediawiki>");
    EXPECT_TRUE(reader.language_assumed()) << root;
  }
  auto reader = reader_of("<mediawiki xml:lang='de'>" + simple_page(1, "A", "a") + "</mediawiki>");
  EXPECT_FALSE(reader.language_assumed());
  EXPECT_EQ(reader.site_info().language, "de");
}

/// The text of a page whose `<text>` element holds `content` as it is.
RawPage page_with(const std::string& content) {
  auto page = parse_page("<page><title>A</title><ns>0</ns><id>1</id><revision><id>2</id><text bytes=\"3\">" + content +
                         "</text><sha1>x</sha1></revision></page>");
  return page ? std::move(*page) : RawPage{};
}

TEST(DumpReader, TagsInATextThatAreNotEscapedArePartOfIt) {
  for (const auto& [content, text] : std::vector<std::pair<std::string, std::string>>{
           {"a <b>b</b> c", "a <b>b</b> c"},
           {"<ref name=\"x\">b</ref><br/>c", "<ref name=\"x\">b</ref><br/>c"},
           {"a <b>&lt;i&gt; &amp;amp; &#233;&#xE9; &quot;&apos;</b> d", "a <b><i> &amp; \u00E9\u00E9 \"'</b> d"},
           {"a <b/><![CDATA[<c>&amp;]]> d", "a <b/><c>&amp; d"},
           {"a <!-- b --> c", "a <!-- b --> c"},
           {"a <?b?> c", "a <?b?> c"},
           {"a\r\n<b>b\r</b>", "a\n<b>b\n</b>"},
           {"a <text>b</text> c", "a <text>b</text> c"},
           {"a <title>b</title><id>7</id><sha1>y</sha1> c", "a <title>b</title><id>7</id><sha1>y</sha1> c"}}) {
    const RawPage page = page_with(content);
    EXPECT_EQ(page.text, text);
    EXPECT_TRUE(page.unescaped_markup) << content;
    EXPECT_EQ(page.title, "A") << content;
    EXPECT_EQ(page.sha1, "x") << content;
    EXPECT_EQ(page.id, PageId{1}) << content;
  }
  const RawPage plain = page_with("a &lt;b&gt;c&lt;/b&gt; <![CDATA[<d>]]>");
  EXPECT_EQ(plain.text, "a <b>c</b> <d>");
  EXPECT_FALSE(plain.unescaped_markup);
}

TEST(DumpReader, OnlyTheLastRevisionsTagsMatter) {
  const auto page = parse_page(
      "<page><title>A</title><id>1</id><revision><id>2</id><text>a <b>b</b></text></revision>"
      "<revision><id>3</id><text>c</text></revision></page>");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->text, "c");
  EXPECT_FALSE(page->unescaped_markup);
}

TEST(DumpReader, ElementsInATitleAreMalformed) {
  const auto page =
      parse_page("<page><title>A <b>b</b></title><id>1</id><revision><id>2</id><text>a</text></revision></page>");
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error(), PageIssue::kMalformedXml);
}

TEST(DumpReader, ZeroBytesAreDamage) {
  std::string pages;
  for (unsigned i = 1; i <= 40; ++i) pages += simple_page(i, "Page " + std::to_string(i), std::string(500, 'x'));
  const std::string xml = dump_xml(pages);
  for (const std::size_t size : {std::size_t{1}, std::size_t{600}, std::size_t{4096}}) {
    for (const std::size_t piece : {64U, 1000U, 100'000U}) {
      std::string zeroed = xml;
      zeroed.replace(xml.size() / 2, size, size, '\0');
      const std::string failure = failure_of(zeroed, {piece});
      EXPECT_NE(failure.find("damaged at byte"), std::string::npos) << size << " " << piece << " " << failure;
      EXPECT_NE(failure.find("zero bytes"), std::string::npos) << failure;
    }
  }
  EXPECT_EQ(failure_of(xml + std::string(4096, '\0')), "");  // padding behind the end
}

TEST(DumpReader, OfAHistoryTheLastRevisionCounts) {
  std::string revisions;
  for (unsigned i = 1; i <= 50; ++i)
    revisions += revision_xml(i, "Text number " + std::to_string(i) + std::string(100, 'x'));
  const auto found = outcomes(dump_xml(page_xml(7, "A", revisions)));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].revision, 50U);
  EXPECT_TRUE(found[0].text.starts_with("Text number 50"));
}

TEST(DumpReader, AHistoryLargerThanTheLimitIsFineWhenItsLastRevisionIsNot) {
  std::string revisions;
  for (unsigned i = 1; i <= 50; ++i) revisions += revision_xml(i, std::string(900, 'x') + std::to_string(i));
  DumpReaderOptions options;
  options.max_page_bytes = 4000;
  for (const std::size_t piece : {64U, 1000U, 100'000U}) {
    const auto found = outcomes(dump_xml(page_xml(7, "A", revisions) + simple_page(8, "B", "b")), {piece}, options);
    ASSERT_EQ(found.size(), 2U) << piece;
    EXPECT_EQ(found[0].revision, 50U) << piece;
    EXPECT_EQ(found[1].title, "B") << piece;
  }
}

TEST(DumpReader, APageThatIsTooLargeIsLeftOutAndCounted) {
  DumpReaderOptions options;
  options.max_page_bytes = 4000;
  const auto xml =
      dump_xml(simple_page(1, "A", "a") + simple_page(2, "Large", std::string(50'000, 'x')) + simple_page(3, "C", "c"));
  for (const std::size_t piece : {1U, 100U, 7000U, 100'000U}) {
    const auto found = outcomes(xml, {piece}, options);
    ASSERT_EQ(found.size(), 3U) << piece;
    EXPECT_EQ(found[0].title, "A");
    EXPECT_EQ(found[1].error, "too large");
    EXPECT_EQ(found[1].offset, xml.find("<page>", xml.find("</page>"))) << piece;
    EXPECT_EQ(found[2].title, "C");
    EXPECT_EQ(found[2].offset, xml.rfind("<page>")) << piece;
  }
}

/// Too large or not, whatever the pieces in which the dump is read.
void expect_too_large_in_any_pieces(const std::string& xml) {
  DumpReaderOptions options;
  options.max_page_bytes = 2000;
  for (const std::size_t piece : {1U, 100U, 1900U, 100'000U}) {
    const auto found = outcomes(xml, {piece}, options);
    ASSERT_EQ(found.size(), 2U) << piece;
    EXPECT_EQ(found[0].error, "too large") << piece;
    EXPECT_EQ(found[1].title, "B") << piece;
  }
}

TEST(DumpReader, TextThatGrowsRightBeforeTheEndOfAPageCounts) {
  auto xml = dump_xml(simple_page(1, "A", "a") + simple_page(2, "B", "b"));
  xml.insert(xml.find("</page>"), std::string(3000, 'x'));
  expect_too_large_in_any_pieces(xml);
}

TEST(DumpReader, AHeadThatIsTooLargeIsNotMendedByALaterRevision) {
  auto xml = dump_xml(page_xml(1, "A", revision_xml(1, "a") + revision_xml(2, "b")) + simple_page(2, "B", "b"));
  xml.insert(xml.find("<revision>"), std::string(3000, 'x'));
  expect_too_large_in_any_pieces(xml);
}

TEST(DumpReader, ADamagedClosingTagSpoilsItsOwnPageOnly) {
  auto xml = dump_xml(simple_page(1, "A", "a") + simple_page(2, "B", "b") + simple_page(3, "C", "c"));
  const auto second = xml.find("</page>", xml.find("<title>B"));
  xml.replace(second, 7, "</pagX>");
  const auto found = outcomes(xml);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].error, "malformed XML");
  EXPECT_EQ(found[2].title, "C");
}

TEST(DumpReader, DamageWithinAPageIsCountedWithItsReason) {
  const auto with = [](const std::string& page) { return outcomes(dump_xml(page)).at(0).error; };
  EXPECT_EQ(with("<page><title>A</title><ns>0</ns><id>1</id></page>"), "missing title, id or revision");
  EXPECT_EQ(with("<page><title>A</title><ns>0</ns><revision><text>x</text></revision></page>"),
            "missing title, id or revision");
  EXPECT_EQ(with("<page><title>A</title><ns>0</ns><id>x1</id><revision><text>x</text></revision></page>"),
            "bad page or revision number");
  EXPECT_EQ(with("<page><title>A</title><ns>0</ns><id>0</id><revision><text>x</text></revision></page>"),
            "bad page or revision number");
  EXPECT_EQ(with("<page><title>A</title><id>99999999999</id><revision><text>x</text></revision></page>"),
            "bad page or revision number");
  EXPECT_EQ(with("<page><title>A</title><id>1</id><revision><text deleted=\"deleted\" /></revision></page>"),
            "text hidden from the public");
  EXPECT_EQ(with("<page><title>A</titel><id>1</id></page>"), "malformed XML");
  EXPECT_EQ(with("<page><title>A &undefined; B</title><id>1</id><revision><text>x</text></revision></page>"),
            "malformed XML");
}

TEST(DumpReader, ADocumentTypeAndItsEntitiesAreRefused) {
  const std::string page =
      "<page><title>A</title><id>1</id><revision><id>1</id><text>&e;&lol;</text></revision></page>";
  for (const std::string type : {"<!DOCTYPE page [<!ENTITY e SYSTEM \"file:///etc/hostname\"><!ENTITY lol \"ha\">]>",
                                 "<?xml version=\"1.0\"?>", " "}) {
    const auto read = parse_page(type + page);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), PageIssue::kMalformedXml);
  }
  EXPECT_FALSE(parse_page(page));
}

TEST(DumpReader, AnUploadsCommentsAndContributorsDoNotConfuseIt) {
  const auto page = parse_page(
      "<page><title>A</title><ns>6</ns><id>5</id><revision><id>50</id><contributor><username>U</username><id>9</id></"
      "contributor>"
      "<comment>c</comment><text>real</text></revision><upload><comment>text</comment><id>77</id></upload></page>");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->id.value, 5U);
  EXPECT_EQ(page->revision.value, 50U);
  EXPECT_EQ(page->text, "real");
}

TEST(DumpReader, ATruncatedDumpIsAnErrorWhereverItEnds) {
  const auto xml = dump_xml(simple_page(1, "A", "a") + simple_page(2, "B & C", "b"));
  const auto last = xml.rfind("</mediawiki>") + 11;
  for (std::size_t size = 1; size < last; ++size) {
    const auto message = failure_of(xml.substr(0, size));
    EXPECT_TRUE(message.starts_with("memory.xml: ")) << size << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_EQ(failure_of(xml), "");
}

TEST(DumpReader, ATruncatedDumpNamesTheLastPage) {
  const auto xml = dump_xml(simple_page(1, "Oolong", "a") + simple_page(2, "B", "b"));
  EXPECT_NE(failure_of(xml.substr(0, xml.rfind("<text"))).find("Oolong"), std::string::npos);
}

TEST(DumpReader, WhatIsNoDumpIsToldApart) {
  for (const auto* text : {"hello", "<html><body></body></html>", "{\"a\": 1}", "<?xml version=\"1.0\"?><feed></feed>",
                           " \n\n", "<", "<mediawikix>"}) {
    const auto message = failure_of(text);
    EXPECT_NE(message.find("not a MediaWiki XML dump"), std::string::npos) << text << ": " << message;
  }
}

TEST(DumpReader, CommentsAndDeclarationsBeforeTheDumpAreFine) {
  EXPECT_EQ(outcomes("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- made by hand -->\n" +
                     dump_xml(simple_page(1, "A", "a")))
                .size(),
            1U);
}

TEST(DumpReader, SeveralDumpsInOneFileAreRead) {
  const auto xml = dump_xml(simple_page(1, "A", "a")) + dump_xml(simple_page(2, "B", "b"));
  EXPECT_EQ(outcomes(xml).size(), 2U);
}

TEST(DumpReader, ADumpWithoutPagesHasNone) {
  EXPECT_TRUE(outcomes(dump_xml("")).empty());
}

TEST(DumpReader, GoingOnFromABatchsEndGivesTheRest) {
  std::string pages;
  for (unsigned i = 1; i <= 40; ++i) pages += simple_page(i, "Page " + std::to_string(i), std::string(i * 37, 'x'));
  const auto xml = dump_xml(pages);
  const auto all = outcomes(xml);
  DumpReaderOptions options;
  options.batch_bytes = 1000;
  auto first = reader_of(xml, {333}, options);
  std::size_t seen = 0;
  while (const auto batch = first.next()) {
    seen += batch->records.size();
    auto second = reader_of(xml, {100}, options);
    second.skip_to(batch->end_offset, PageId{0});
    const auto rest = outcomes(second);
    EXPECT_EQ(rest, std::vector<Outcome>(all.begin() + static_cast<std::ptrdiff_t>(seen), all.end()))
        << batch->end_offset;
  }
  EXPECT_EQ(seen, 40U);
}

TEST(DumpReader, GoingOnBehindAPageThatIsFoundElsewhereGivesTheSame) {
  std::string pages;
  std::vector<std::size_t> begins;  // of the pages
  for (unsigned i = 1; i <= 40; ++i) {
    begins.push_back(pages.size());
    pages += simple_page(i, "Page " + std::to_string(i), std::string(i * 37, 'x'));
  }
  const auto xml = dump_xml(pages);
  const auto head = xml.find(simple_page(1, "Page 1", std::string(37, 'x')));
  DumpReaderOptions options;
  options.batch_bytes = 1000;
  auto first = reader_of(xml, {333}, options);
  auto near = options;
  PageId asked;
  near.open_before = [&](PageId page) -> std::unique_ptr<ByteSource> {
    asked = page;
    if (page.value % 5 == 0) return nullptr;
    if (page.value % 5 == 1) return std::make_unique<MemorySource>("<page><id>999</id></page> and no more");
    return std::make_unique<MemorySource>(xml.substr(head + begins[page.value - std::min(page.value, 3U)]),
                                          std::vector<std::size_t>{77});
  };
  while (const auto batch = first.next()) {
    auto whole = reader_of(xml, {100}, options), second = reader_of(xml, {100}, near);
    whole.skip_to(batch->end_offset, PageId{0});
    second.skip_to(batch->end_offset, batch->last_page);
    EXPECT_EQ(asked, batch->last_page);
    EXPECT_EQ(second.site_info().db_name, "tinywiki");
    EXPECT_EQ(outcomes(second), outcomes(whole)) << batch->end_offset;
  }
  EXPECT_EQ(asked.value, 40U);
}

TEST(DumpReader, GoingOnInAShorterFileIsAnError) {
  auto reader = reader_of(dump_xml(simple_page(1, "A", "a")));
  EXPECT_THROW(reader.skip_to(1'000'000, PageId{0}), FormatError);
}

/// A dump with everything that makes reading hard; small page limit, so that some pages are too large.
std::string hard_dump(unsigned seed) {
  std::mt19937 random(seed);
  std::string pages;
  for (unsigned i = 1; i <= 30; ++i) {
    std::string revisions;
    for (unsigned r = 0; r < 1 + random() % 4; ++r) {
      std::string text = random() % 3 == 0 ? "</page> <page> &lt;revision&gt; " : "Ō日🚢 ";
      text += std::string(random() % 3000, "xyz \n"[random() % 5]);
      revisions += revision_xml(i * 10 + r, text);
    }
    auto page = page_xml(i, "Page " + std::to_string(i), revisions, random() % 5 == 0 ? "Target & Co" : "");
    if (random() % 10 == 0) page.replace(page.rfind("</page>"), 7, "</pags>");
    if (random() % 10 == 0) page += "<logitem><id>1</id></logitem>\n";
    pages += page;
  }
  return dump_xml(pages);
}

TEST(DumpReader, NeitherBatchSizeNorReadSizeChangesThePages) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto xml = hard_dump(seed);
    DumpReaderOptions options;
    options.max_page_bytes = 2500;
    const auto expected = outcomes(xml, {}, options);
    ASSERT_GE(expected.size(), 25U);
    std::mt19937 random(seed);
    for (int round = 0; round < 12; ++round) {
      options.batch_bytes = 1 + random() % 5000;
      std::vector<std::size_t> pieces;
      for (int i = 0; i < 5; ++i) pieces.push_back(1 + random() % (round % 2 == 0 ? 40 : 4000));
      EXPECT_EQ(outcomes(xml, pieces, options), expected) << "round " << round;
    }
  }
}

TEST(DumpReader, ADamagedDumpNeverCrashesAndSaysOneSentence) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    auto xml = hard_dump(1);
    std::mt19937 random(seed);
    for (int i = 0; i < 3; ++i) xml[random() % xml.size()] = static_cast<char>(random());
    const auto message = failure_of(xml);
    EXPECT_EQ(message.find('\n'), std::string::npos) << "seed " << seed << ": " << message;
  }
}

}  // namespace
}  // namespace touchstone::extractors::dump
