#include "extractors/file_format/file_format.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::file_format {
namespace {

using namespace std::string_literals;

std::string name_of(const std::string& file, const std::string& head) {
  const auto* format = format_of(file, head);
  return format == nullptr ? "" : std::string(format->name);
}

std::string utf16(const std::string& text, bool little) {
  std::string bytes;
  for (const char c : text) bytes += little ? std::string{c, '\0'} : std::string{'\0', c};
  return bytes;
}

TEST(FileFormat, SignaturesWinOverNames) {
  EXPECT_EQ(name_of("a.md", "%PDF-1.7\n"), "a PDF");
  EXPECT_EQ(name_of("a.html", "{\\rtf1"), "rich text (RTF)");
  EXPECT_EQ(name_of("a", std::string(60, 'x') + "BOOKMOBI"), "a Mobipocket or Kindle book");
  EXPECT_EQ(name_of("a", "ZIM\x04"s), "a ZIM file");
  EXPECT_EQ(name_of("a", "AT&TFORM"), "a DjVu file");
}

TEST(FileFormat, NamesWinOverTheLookOfText) {
  EXPECT_EQ(name_of("README.md", "<p align=center>x"), "Markdown");
  EXPECT_EQ(name_of("a.rst.gz", "Title\n====="), "reStructuredText");
  EXPECT_EQ(name_of("a.HTM", "Only text"), "HTML");
  EXPECT_EQ(name_of("a.jsonl", "no page\n"), "JSON lines");
}

TEST(FileFormat, HtmlIsToldFromItsElements) {
  EXPECT_EQ(name_of("a", "<!-- " + std::string(1500, 'c') + " -->\n<html>"), "HTML");
  EXPECT_EQ(name_of("a", "<!-- " + std::string(70'000, 'c')).substr(0, 4), "HTML");
  EXPECT_EQ(name_of("a", "<p>one</p><h2>Two</h2>"), "HTML");
  EXPECT_EQ(name_of("a", "\xEF\xBB\xBF \n<?xml version='1.0'?><!DOCTYPE html>"), "HTML");
  EXPECT_EQ(name_of("a", "\xFF\xFE" + utf16("<html>", true)), "HTML");
  EXPECT_EQ(name_of("a", utf16("<html><body><p>x</p>", true)), "HTML");
  EXPECT_EQ(name_of("a", utf16("<html><body><p>x</p>", false)), "HTML");
  EXPECT_EQ(name_of("a", "<h1"), "HTML");
  EXPECT_EQ(name_of("a", "<3 books"), "");
}

TEST(FileFormat, OtherXmlIsNamed) {
  EXPECT_EQ(name_of("d.html", "<mediawiki><body>"), "a MediaWiki dump");
  EXPECT_EQ(name_of("a", "<document xmlns=\"http://cnx.rice.edu/cnxml\">"), "one module of CNXML");
  EXPECT_EQ(name_of("a", "<?xml version='1.0'?><TEI>"), "XML");
}

TEST(FileFormat, AnArrayWithoutLessonsIsNamed) {
  for (const char* text : {"[]", " [ ]\n", "[{\"title\": 1}]", "[\n  {\"a\": 1}"}) {
    EXPECT_EQ(name_of("a.json", text), "a JSON array without lessons of TQA") << text;
  }
  EXPECT_EQ(name_of("a", "[]\n{\"title\": \"A\"}\n"), "JSON lines");
}

TEST(FileFormat, KindsOfJsonAreTold) {
  EXPECT_EQ(name_of("a", "\n{\"title\": \"<h1>\"}\n"), "JSON lines");
  EXPECT_EQ(name_of("a", "no page\n{\"title\": \"A\"}\n"), "JSON lines");
  EXPECT_EQ(name_of("a", "[{\"adjunctTopics\": {"), "lessons of TQA");
  EXPECT_EQ(name_of("a.ndjson", "{\"name\": \"A\", \"article_body\": {"), "a dump of Wikimedia Enterprise");
  EXPECT_EQ(name_of("a.json", "{\"date_modified\": \"\", \"is_part_of\": {"), "a dump of Wikimedia Enterprise");
  EXPECT_EQ(name_of("a", ""), "");
}

TEST(FileFormat, DokuWikiIsToldFromItsHeadings) {
  EXPECT_EQ(name_of("a.txt", "Some text\n===== Part =====\nMore"), "a page of DokuWiki");
  EXPECT_EQ(name_of("a.txt", "Title\n=====\n"), "") << "an underline is none";
}

TEST(FileFormat, ArchivesOfOneDocumentAreTold) {
  const auto named = [](std::vector<std::string> entries) {
    const auto* format = format_of_archive(entries);
    return format == nullptr ? "" : std::string(format->name);
  };
  EXPECT_EQ(named({"[Content_Types].xml", "word/document.xml"}), "a Word document");
  EXPECT_EQ(named({"META-INF/manifest.xml", "content.xml"}), "an OpenDocument text");
  EXPECT_EQ(named({"META-INF/container.xml", "META-INF/manifest.xml", "content.xml"}), "");
  EXPECT_EQ(named({"a.html"}), "");
}

TEST(FileFormat, ARefusalSaysWhatToDo) {
  EXPECT_EQ(refusal("b.pdf", *format_of_name("b.pdf")),
            "b.pdf: is a PDF, which is not read; convert it to HTML, for example with pdftohtml, or take an EPUB of "
            "the same book");
  EXPECT_EQ(refusal("b.rst", *format_of_name("b.rst")),
            "b.rst: is reStructuredText, which is read with pandoc, which is not installed; apt-get install pandoc");
}

}  // namespace
}  // namespace touchstone::extractors::file_format
