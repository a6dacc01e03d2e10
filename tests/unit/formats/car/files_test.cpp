#include "common/files.hpp"

#include "formats/car/check.hpp"
#include "formats/car/convert.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/record_file.hpp"
#include "formats/car/view.hpp"
#include "formats/car/writer.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/formats/car/bytes.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::car {
namespace {

using testing::from_hex;
using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;

Paragraph paragraph(const std::string& text) {
  Paragraph result;
  result.bodies = {text, Link{"Sea", "w:Sea", std::nullopt, "the sea", ""}};
  result.id = paragraph_id(result.bodies);
  return result;
}

/// A page with every kind of element and all metadata.
Page full_page(const std::string& name = "Old Light") {
  Page page;
  page.name = name;
  page.id = page_id("w", name);
  Section section{"Keepers", "Keepers", {}};
  section.children.push_back({paragraph("It shone over ")});
  section.children.push_back({Section{"Later / on", heading_id("Later / on"), {{paragraph("Dark since ")}}}});
  page.skeleton.push_back({Infobox{"lighthouse", {{"height", {{paragraph("30 m above ")}}}}}});
  page.skeleton.push_back({paragraph("A lighthouse by ")});
  page.skeleton.push_back({Image{"File:Light.jpg", {{paragraph("The light and ")}}}});
  page.skeleton.push_back({std::move(section)});
  page.skeleton.push_back({ListItem{2, paragraph("one of ")}});
  page.metadata = {{"The Light"}, {"Light"},          {"w:Light"}, {"Lights"}, {"w:Category:Lights"},
                   {"w:Sea"},     {{"old light", 3}}, "Q17",       "w",        {"Good article"}};
  return page;
}

std::vector<Page> read_pages(const std::filesystem::path& path) {
  std::vector<Page> pages;
  for_each_page(path, [&](const Page& page) { pages.push_back(page); });
  return pages;
}

void write_pages(const std::filesystem::path& path, const std::vector<Page>& pages, FileType type = FileType::kPages) {
  CarWriter writer(path, type, {{}, "release 1", {}, {}});
  for (const auto& page : pages) writer.write(page);
  writer.finish();
}

std::vector<std::string> whats(const std::vector<Finding>& findings) {
  std::vector<std::string> texts;
  for (const auto& finding : findings) texts.push_back(finding.where + ": " + finding.what);
  return texts;
}

std::uint64_t count_of(const CheckReport& report, const std::string& name) {
  for (const auto& [counted, count] : report.counts) {
    if (counted == name) return count;
  }
  ADD_FAILURE() << "no count of " << name;
  return 0;
}

std::string shown(const std::filesystem::path& path, bool as_json = false, std::uint64_t limit = 0) {
  std::string text;
  view_file(path, {as_json, limit}, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(CarWriter, WhatIsWrittenIsReadAgainAndEqualRecordsGiveEqualBytes) {
  const TemporaryFolder folder;
  Page redirect;
  redirect.name = "The Light";
  redirect.id = "w:The%20Light";
  redirect.type = PageType::kRedirect;
  redirect.redirect = Link{"Old Light", "w:Old%20Light", "Keepers", "", "Q17"};
  const std::vector<Page> pages = {full_page(), redirect, Page{}};
  write_pages(folder / "a.cbor", pages);
  write_pages(folder / "b.cbor.gz", pages);
  write_pages(folder / "c.cbor", pages);
  EXPECT_EQ(read_pages(folder / "a.cbor"), pages);
  EXPECT_EQ(read_pages(folder / "b.cbor.gz"), pages);
  EXPECT_EQ(read_file(folder / "a.cbor"), read_file(folder / "c.cbor"));
}

TEST(CarWriter, OutlinesKeepSectionsOnly) {
  const TemporaryFolder folder;
  write_pages(folder / "o.cbor", {full_page()}, FileType::kOutlines);
  const auto outlines = read_pages(folder / "o.cbor");
  ASSERT_EQ(outlines.size(), 1U);
  EXPECT_EQ(outlines[0], outline_of(full_page()));
  ASSERT_EQ(outlines[0].skeleton.size(), 1U);
  const auto& section = std::get<Section>(outlines[0].skeleton[0].element);
  EXPECT_EQ(section.heading, "Keepers");
  EXPECT_EQ(section.children.size(), 1U);
  EXPECT_EQ(outlines[0].metadata, full_page().metadata);
}

TEST(CarWriter, AnEmptyFileHasItsHeader) {
  const TemporaryFolder folder;
  write_pages(folder / "a.cbor", {});
  EXPECT_EQ(read_file(folder / "a.cbor"),
            from_hex("83 63 434152 81 00 85 00 80 69") + "release 1" + from_hex("80 80 9f ff"));
}

TEST(CarWriter, APageThatTheReaderWouldRefuseIsRefusedAndTheNextIsWritten) {
  const TemporaryFolder folder;
  Page deep{.name = "Deep", .id = "", .skeleton = {}, .type = PageType::kArticle, .redirect = {}, .metadata = {}};
  auto* inside = &deep.skeleton;
  for (int i = 0; i < 70; ++i) {
    inside->push_back({Section{"x", "x", {}}});
    inside = &std::get<Section>(inside->back().element).children;
  }
  CarWriter writer(folder / "a.cbor", FileType::kPages, {});
  EXPECT_EQ(
      message_of<FormatError>([&] { writer.write(deep); }),
      "the page \"Deep\" is nested more than 128 arrays deep in CBOR; leave it out, because no reader would accept "
      "it");
  writer.write(full_page());
  writer.finish();
  EXPECT_EQ(read_pages(folder / "a.cbor"), std::vector<Page>{full_page()});
}

TEST(CarJsonLines, PagesAndParagraphsComeBack) {
  JsonLineReader lines;
  const auto line = page_json_line(full_page());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(std::get<Page>(*lines.record(line)), full_page());
  EXPECT_EQ(std::get<Paragraph>(*lines.record(paragraph_json_line(paragraph("A ")))), paragraph("A "));
  EXPECT_EQ(paragraph_json_line({"id", {std::string("a"), Link{"B", "w:B", "s", "b", "Q1"}}}),
            "{\"para_id\":\"id\",\"para_body\":[{\"text\":\"a\"},{\"text\":\"b\",\"target_page\":\"B\","
            "\"target_page_id\":\"w:B\",\"target_section\":\"s\",\"target_qid\":\"Q1\"}]}\n");
}

TEST(CarJsonLines, OldLinesMayLackMetadata) {
  JsonLineReader lines;
  const auto page = lines.record(
      R"({"page_name":"A","page_id":"w:A","page_type":"article","metadata":{"old_inlink_anchors":["x"],"other":1},"content":[]})");
  ASSERT_TRUE(page.has_value()) << page.error();
  EXPECT_EQ(std::get<Page>(*page).metadata.inlink_anchors, (std::vector<AnchorCount>{{"x", 1}}));
  EXPECT_TRUE(lines.record(R"({"page_name":"A","page_id":"w:A","page_type":"article","content":[]})").has_value());
}

TEST(CarJsonLines, WhatIsWrongIsNamed) {
  JsonLineReader lines;
  const auto expect = [&](const std::string& line, const char* what) {
    const auto record = lines.record(line);
    ASSERT_FALSE(record.has_value()) << line;
    EXPECT_NE(record.error().find(what), std::string::npos) << record.error();
  };
  expect("{", "is no JSON");
  expect("{}", "has no field \"page_name\"");
  expect(R"({"page_name":"A","page_id":"i","page_type":"list","content":[]})", "has the unknown page type \"list\"");
  expect(R"({"page_name":"A","page_id":"i","page_type":"article","content":[{"type":"table"}]})",
         "has an element of the unknown type \"table\"");
  expect(R"({"page_name":"A","page_id":"i","page_type":"redirect","content":[]})", "\"redirect_target\"");
  expect(R"({"para_id":"i","para_body":[{"text":1}]})", "\"para_body.text\" that is not a string");
  std::string deep = R"({"page_name":"A","page_id":"i","page_type":"article","content":)";
  for (int i = 0; i < 100000; ++i) deep += R"([{"type":"section","content":)";
  expect(deep, "is no JSON");
}

TEST(CarFileKind, FilesAreToldFromTheirContent) {
  const TemporaryFolder folder;
  const auto kind_of = [&](const std::string& name, const std::string& bytes) {
    TextWriter writer(folder / name);
    writer.write(bytes);
    writer.finish();
    return detect_file(folder / name);
  };
  write_pages(folder / "o", {full_page()}, FileType::kOutlines);
  EXPECT_EQ(detect_file(folder / "o").type, FileType::kOutlines);
  EXPECT_TRUE(detect_file(folder / "o").has_header);
  const auto bare = kind_of("bare", testing::bare_page("a"));
  EXPECT_EQ(bare.type, FileType::kPages);
  EXPECT_FALSE(bare.has_header);
  const auto outline = kind_of("outline.gz", from_hex("84 00 61 61 41 61 81 84 00 61 73 41 73 80"));
  EXPECT_EQ(outline.type, FileType::kOutlines);
  EXPECT_TRUE(outline.is_gzip);
  EXPECT_EQ(kind_of("p", from_hex("83 00 41 61 80")).type, FileType::kParagraphs);
  EXPECT_EQ(kind_of("j.gz", page_json_line(full_page())).form, FileForm::kJsonLines);
  EXPECT_EQ(kind_of("j2", "\n" + page_json_line(outline_of(full_page()))).type, FileType::kOutlines);
  EXPECT_EQ(kind_of("j3", paragraph_json_line(paragraph("x"))).type, FileType::kParagraphs);
  EXPECT_EQ(kind_of("q", "a 0 b 1\n").form, FileForm::kQrels);
  EXPECT_NE(message_of<FormatError>([&] { kind_of("t", "some text\n"); }).find("is no TREC CAR file"),
            std::string::npos);
  EXPECT_NE(message_of<FormatError>([&] { kind_of("e", ""); }).find("is empty"), std::string::npos);
  EXPECT_NE(message_of<FormatError>([&] { kind_of("e2", "\n\n"); }).find("no line with text"), std::string::npos);
}

TEST(CarCheck, AGoodFileIsCounted) {
  const TemporaryFolder folder;
  write_pages(folder / "a.cbor", {full_page(), full_page("Other")});
  const auto report = check_file(folder / "a.cbor");
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.remark_count, 0U);
  EXPECT_EQ(count_of(report, "pages"), 2U);
  EXPECT_EQ(count_of(report, "sections"), 4U);
  EXPECT_EQ(count_of(report, "paragraphs"), 10U);
  EXPECT_EQ(count_of(report, "list_items"), 2U);
  EXPECT_EQ(count_of(report, "images"), 2U);
  EXPECT_EQ(count_of(report, "infoboxes"), 2U);
  EXPECT_EQ(count_of(report, "links"), 12U);
}

TEST(CarCheck, IdsThatOccurTwiceAndTextsThatDoNotVerifyAreFound) {
  const TemporaryFolder folder;
  auto page = full_page();
  auto other = full_page();
  std::get<Paragraph>(other.skeleton[1].element).bodies[0] = "Another text by ";
  other.skeleton.push_back(other.skeleton[3]);
  write_pages(folder / "a.cbor", {page, other});
  const auto report = check_file(folder / "a.cbor");
  const auto id = std::get<Paragraph>(page.skeleton[1].element).id;
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(whats(report.problems),
            (std::vector<std::string>{"record 2: has the page id of record 1; ids must differ",
                                      "record 2: has the id of a paragraph of record 1 for another text; ids must tell "
                                      "paragraphs apart"}));
  ASSERT_EQ(report.remarks.size(), 3U);
  EXPECT_NE(report.remarks[0].what.find("the paragraph id \"" + id + "\" is not the SHA-1 of its text, "),
            std::string::npos);
  EXPECT_NE(report.remarks[1].what.find("the section \"w:Old%20Light/Keepers\" occurs twice"), std::string::npos);
  EXPECT_EQ(count_of(report, "ids_not_verified"), 1U);
}

TEST(CarCheck, ACorpusHasEachParagraphOnce) {
  const TemporaryFolder folder;
  CarWriter writer(folder / "p.cbor", FileType::kParagraphs, {});
  writer.write(paragraph("a"));
  writer.write(paragraph("b"));
  writer.write(paragraph("a"));
  writer.finish();
  EXPECT_EQ(whats(check_file(folder / "p.cbor").problems),
            std::vector<std::string>{"record 3: has the id of a paragraph of record 1 again; a file of paragraphs has "
                                     "each once"});
}

TEST(CarCheck, BadRecordsAndTruncationAreProblemsWithTheirPlace) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.cbor", testing::bare_page("a") + from_hex("84 00 61 62 01 80") + from_hex("84 00"));
  const auto path = (folder / "a.cbor").string();
  const auto report = check_file(path);
  EXPECT_EQ(count_of(report, "pages"), 1U);
  EXPECT_EQ(
      whats(report.problems),
      (std::vector<std::string>{
          "record 2 at byte 7: the id of the page is no text; fetch or write the file again (byte 11)",
          ": " + path +
              ": byte 15: the file ends within a record that begins at byte 13; it is truncated, so fetch or write "
              "it again"}));
  write_file_atomically(folder / "b.jsonl", page_json_line(full_page()) + "{\"page_name\":1}\n");
  EXPECT_EQ(whats(check_file(folder / "b.jsonl").problems),
            std::vector<std::string>{"line 2: the line has a field \"page_name\" that is not a string; correct it"});
}

TEST(CarCheck, OutlinesMustNotGiveAnswersAway) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "o.cbor",
                        testing::header(1) + from_hex("9f 86 00 61 61 41 61 81 82 01 83 00 41 70 80 81 00 80 ff"));
  const auto report = check_file(folder / "o.cbor");
  ASSERT_EQ(report.problem_count, 1U);
  EXPECT_EQ(report.problems[0].what, "the outline of \"a\" has more than sections, so it gives answers away");
}

TEST(CarCheck, QrelsAreCountedByTopicAndPage) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "q", "A/x 0 p1 1\nA/y 0 p1 1\nB 0 p1 1\nA/x 0 p1 1\nA/x 0 p2\n");
  const auto report = check_file(folder / "q");
  EXPECT_EQ(count_of(report, "judgments"), 4U);
  EXPECT_EQ(count_of(report, "topics"), 3U);
  EXPECT_EQ(count_of(report, "pages"), 2U);
  ASSERT_EQ(report.problem_count, 2U);
  EXPECT_EQ(report.problems[0].where + ": " + report.problems[0].what,
            "line 4: judges \"p1\" for \"A/x\" a second time");
  EXPECT_EQ(report.problems[1].where, "line 5");
}

TEST(CarConvert, PagesGiveEveryOtherForm) {
  const TemporaryFolder folder;
  write_pages(folder / "a.cbor", {full_page(), full_page("Other")});
  const auto converted = [&](ConvertTo to, const char* name) {
    return convert_file(folder / "a.cbor", to, folder / name).written;
  };
  EXPECT_EQ(converted(ConvertTo::kJsonLines, "a.jsonl"), 2U);
  EXPECT_EQ(read_pages(folder / "a.jsonl"), read_pages(folder / "a.cbor"));
  EXPECT_EQ(converted(ConvertTo::kOutlines, "o.cbor"), 2U);
  EXPECT_EQ(read_pages(folder / "o.cbor").at(0), outline_of(full_page()));
  EXPECT_EQ(converted(ConvertTo::kOutlineLines, "o.jsonl.gz"), 2U);
  EXPECT_EQ(read_pages(folder / "o.jsonl.gz").at(1), outline_of(full_page("Other")));
  // Both pages have the same paragraphs in the lead and in two sections. Those in infobox and caption do not count.
  EXPECT_EQ(converted(ConvertTo::kParagraphs, "p.cbor"), 3U);
  EXPECT_EQ(converted(ConvertTo::kParagraphLines, "p.jsonl"), 3U);
  std::vector<Paragraph> of_cbor, of_lines;
  for_each_paragraph(folder / "p.cbor", [&](const Paragraph& one) { of_cbor.push_back(one); });
  for_each_paragraph(folder / "p.jsonl", [&](const Paragraph& one) { of_lines.push_back(one); });
  EXPECT_EQ(of_cbor, of_lines);
  EXPECT_EQ(of_cbor.at(0), paragraph("A lighthouse by "));
  EXPECT_EQ(converted(ConvertTo::kTitles, "titles"), 2U);
  EXPECT_EQ(read_file(folder / "titles"), "Old Light\nOther\n");
  EXPECT_EQ(converted(ConvertTo::kTopics, "topics"), 6U);
  EXPECT_EQ(read_file(folder / "topics"),
            "w:Old%20Light\nw:Old%20Light/Keepers\nw:Old%20Light/Keepers/Later%20/%20on\n"
            "w:Other\nw:Other/Keepers\nw:Other/Keepers/Later%20/%20on\n");
}

TEST(CarConvert, WhatCannotBeConvertedIsRefusedAndLeavesNoFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "p", from_hex("83 00 41 61 80"));
  EXPECT_NE(message_of<FormatError>([&] {
              convert_file(folder / "p", ConvertTo::kTitles, folder / "t");
            }).find("tell neither titles nor sections"),
            std::string::npos);
  write_file_atomically(folder / "q", "a 0 b 1\n");
  EXPECT_NE(message_of<FormatError>([&] {
              convert_file(folder / "q", ConvertTo::kCbor, folder / "t");
            }).find("has qrels where pages or paragraphs are needed"),
            std::string::npos);
  write_file_atomically(folder / "n", testing::bare_page("a\nb"));
  EXPECT_NE(message_of<FormatError>([&] {
              convert_file(folder / "n", ConvertTo::kTitles, folder / "t");
            }).find("cannot be a line of text"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "t"));
  EXPECT_NE(message_of<FormatError>([&] {
              for_each_paragraph(folder / "n", [](const Paragraph&) {});
            }).find("has pages where paragraphs are needed"),
            std::string::npos);
}

TEST(CarView, APageIsATreeOfItsSections) {
  const TemporaryFolder folder;
  write_pages(folder / "a.cbor", {full_page(), full_page("Other")});
  const auto text = shown(folder / "a.cbor", false, 1);
  EXPECT_EQ(text,
            "pages in CBOR with header, release release 1\n\n"
            "Old Light\n"
            "  w:Old%20Light  article  Q17\n"
            "  lead  (1 paragraph, 1 list item, 1 image, 1 infobox, 2 links)\n"
            "  └─ Keepers  (1 paragraph, 1 link)\n"
            "     └─ Later / on  (1 paragraph, 1 link)\n\n"
            "... and more; --limit 0 shows all\n");
}

TEST(CarView, TextThatMovesTheCursorIsEscaped) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", testing::bare_page("a\x1b[2Jb"));
  EXPECT_EQ(shown(folder / "a").find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::car
