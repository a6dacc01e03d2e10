#include "extractors/dump/page_scanner.hpp"

#include "extractors/dump/dump_reader.hpp"
#include "extractors/dump/sax_reader.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::dump::internal {
namespace {

/// Writes down what it receives; pieces of one text are joined.
class Recorder : public SaxHandler {
 public:
  std::string seen;

  void start(std::string_view name, Attributes attributes) override {
    seen.append("\n<").append(name);
    for (const auto& [key, value] : attributes) seen.append(" ").append(key).append("=").append(value);
    seen.append(">");
  }
  void text(std::string_view piece) override { seen.append(piece); }
  void end(std::string_view name) override { seen.append("\n/").append(name); }
  void other() override { seen.append("\n?"); }
};

const std::string kPage = R"(<page>
    <title>Tolmouth &amp; Ostrand</title>
    <ns>0</ns>
    <id>17</id>
    <redirect title="Old Tolmouth Light" />
    <revision>
      <id>4</id>
      <parentid>3</parentid>
      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <contributor><username>L&#039;Ami</username><id>9</id></contributor>
      <minor />
      <comment>/* See */ a &lt;b&gt; &#x2014; c</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="40" sha1="abc" xml:space="preserve">'''Light''' &quot;&lt;ref&gt;x&lt;/ref&gt;&quot; größe 灯台
[[a|b]]	&amp;nbsp;</text>
      <sha1>abc</sha1>
    </revision>
  </page>)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(PageScanner, APageOfTheExporterGivesWhatLibxmlGives) {
  Recorder scanned, read;
  ASSERT_TRUE(scan_page(kPage, scanned));
  ASSERT_TRUE(read_xml(kPage, read));
  EXPECT_EQ(scanned.seen, read.seen);
  EXPECT_NE(scanned.seen.find("L'Ami"), std::string::npos);
  EXPECT_NE(scanned.seen.find("\"<ref>x</ref>\" größe 灯台\n[[a|b]]\t&nbsp;"), std::string::npos);
}

TEST(PageScanner, WhatAnExporterDoesNotWriteIsLeftToLibxml) {
  const std::vector<std::string> unusual = {
      replaced(kPage, "'''Light'''", "<!-- comment -->"),
      replaced(kPage, "'''Light'''", "<![CDATA[x]]>"),
      replaced(kPage, "'''Light'''", "<?php ?>"),
      replaced(kPage, "'''Light'''", "a ]]> b"),
      replaced(kPage, "'''Light'''", "&unknown;"),
      replaced(kPage, "'''Light'''", "&#0;"),
      replaced(kPage, "'''Light'''", "&#xD800;"),
      replaced(kPage, "'''Light'''", "&#13;"),
      replaced(kPage, "'''Light'''", "&#xFFFE;"),
      replaced(kPage, "'''Light'''", "\r\n"),
      replaced(kPage, "'''Light'''", "\x01"),
      replaced(kPage, "'''Light'''", "\xC3"),
      replaced(kPage, "'''Light'''", "\xED\xA0\x80"),
      replaced(kPage, "'''Light'''", "\xEF\xBF\xBF"),
      replaced(kPage, "'''Light'''", std::string_view("\0", 1)),
      replaced(kPage, "'''Light'''", "a & b"),
      replaced(kPage, "Old Tolmouth Light", "A &amp; B"),
      replaced(kPage, "Old Tolmouth Light", "A\nB"),
      replaced(kPage, "\"Old Tolmouth Light\"", "'A'"),
      replaced(kPage, "</title>", "</titel>"),
      replaced(kPage, "<minor />", "<minor minor=\"1\" minor=\"1\"/>"),
      replaced(kPage, "<minor />", "<p:minor />"),
      replaced(kPage, "  </page>", ""),
      kPage + "<page/>",
      kPage + "x",
      "<page><title>",
      "<page",
      "",
  };
  for (const std::string& xml : unusual) {
    Recorder scanned;
    EXPECT_FALSE(scan_page(xml, scanned)) << xml;
  }
}

/// Whatever the scanner accepts, libxml2 accepts as well and gives the same. Mutations of a page, from a seed.
TEST(PageScanner, WhatItAcceptsIsWhatLibxmlReads) {
  const std::string_view pieces[] = {"<",  ">",    "&",      "&lt;", "\"", "]]>",      "/",    "<b>",   "</b>", "=",
                                     "\n", "\r",   "&#65;",  "&#",   ";",  "<minor/>", "xml:", "ä",     "\xFF", "\xC3",
                                     "'",  "<!--", "&#x1F;", "\t",   " ",  "</text>",  "\x7F", "\uFFFD"};
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string xml = kPage;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int change = 0; change < changes; ++change) {
      const std::size_t at = random() % xml.size();
      if (random() % 2 == 0) {
        xml.insert(at, pieces[random() % std::size(pieces)]);
      } else {
        xml.erase(at, 1 + random() % 4);
      }
    }
    Recorder scanned, read;
    if (!scan_page(xml, scanned)) continue;
    ++accepted;
    ASSERT_TRUE(read_xml(xml, read)) << xml;
    ASSERT_EQ(scanned.seen, read.seen) << xml;
  }
  EXPECT_GT(accepted, 2'000);
}

}  // namespace
}  // namespace touchstone::extractors::dump::internal
