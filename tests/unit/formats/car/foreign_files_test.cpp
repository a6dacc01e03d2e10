#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/car/check.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/record_file.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/formats/car/bytes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::formats::car {
namespace {

Paragraph one_paragraph(const std::string& text) {
  Paragraph paragraph{"", {text}};
  paragraph.id = paragraph_id(paragraph.bodies);
  return paragraph;
}

std::string paragraph_line() {
  return paragraph_json_line(one_paragraph("x"));
}

std::string page_line() {
  Page page;
  page.name = "A page with many words";
  page.id = "w:A%20page%20with%20many%20words";
  page.skeleton.push_back({one_paragraph("y")});
  return page_json_line(page);
}

/// "place: what" of each problem.
std::vector<std::string> problems_in(const std::filesystem::path& path) {
  std::vector<std::string> problems;
  for (const auto& problem : check_file(path).problems) problems.push_back(problem.where + ": " + problem.what);
  return problems;
}

TEST(CarFileKind, ByteOrderMarksAndBadGradesAreNamed) {
  const touchstone::testing::TemporaryFolder folder;
  const auto error_of = [&](const std::string& bytes) {
    write_file_atomically(folder / "x", bytes);
    return touchstone::testing::message_of<FormatError>([&] { detect_file(folder / "x"); });
  };
  for (const auto& text : {std::string("a 0 b 1\n"), page_line()})
    EXPECT_NE(error_of("\xEF\xBB\xBF" + text).find("x:1: starts with a byte-order mark"), std::string::npos);
  EXPECT_NE(error_of("a 0 b 128\n").find("x:1: has the grade \"128\", which is no integer from -127 to 127"),
            std::string::npos);
  EXPECT_NE(error_of("a 0 b 99999999999999999999\n").find("x:1: has the grade"), std::string::npos);
  for (const char* text : {"a 0 b\n", "a 0 b 1 c\n", "This is no judgment\n", "\x01\x02\n", "a 0 b 1\r a 0 c 1\r"})
    EXPECT_NE(error_of(text).find("is no TREC CAR file"), std::string::npos) << text;
}

TEST(CarCheck, AFileThatMixesPagesAndParagraphsIsAProblem) {
  const touchstone::testing::TemporaryFolder folder;
  write_file_atomically(folder / "a", page_line() + paragraph_line());
  EXPECT_EQ(problems_in(folder / "a"), std::vector<std::string>{"line 2: there is a paragraph among pages"});
  write_file_atomically(folder / "b", paragraph_line() + page_line());
  EXPECT_EQ(problems_in(folder / "b"), std::vector<std::string>{"line 2: there is a page among paragraphs"});
  write_file_atomically(folder / "c", testing::bare_page("a") + testing::from_hex("83 00 41 61 80"));
  EXPECT_EQ(problems_in(folder / "c"),
            std::vector<std::string>{"record 2 at byte 7: there is a paragraph among pages"});
}

TEST(CarCheck, QrelsThatReadersWouldMisreadAreProblems) {
  const touchstone::testing::TemporaryFolder folder;
  using namespace std::string_literals;
  const auto problems_of = [&](const std::string& text) {
    write_file_atomically(folder / "q", text);
    return problems_in(folder / "q");
  };
  EXPECT_EQ(problems_of("a 0 b 1\r\na 0 c 1\r\n"), std::vector<std::string>{});
  EXPECT_EQ(problems_of("a 0 b 1\na\0 0 c 1\na 0 d\x7F 1\n"s),
            (std::vector<std::string>{"line 2: has a control character in an id; readers may cut the id there",
                                      "line 3: has a control character in an id; readers may cut the id there"}));
  const auto huge = problems_of("a 0 b 1\na 0 c 99999999999999999999\n");
  ASSERT_EQ(huge.size(), 1U);
  EXPECT_TRUE(huge[0].starts_with("line 2: has the grade \"99999999999999999999\"")) << huge[0];
  const auto line_of_json = problems_of("a 0 b 1\n" + page_line());
  ASSERT_EQ(line_of_json.size(), 1U);
  EXPECT_TRUE(line_of_json[0].starts_with("line 2: has more than 4 fields")) << line_of_json[0];
  const auto too_long = problems_of("a 0 b 1\n" + std::string(2 << 20, 'x') + " 0 c 1\n");
  ASSERT_EQ(too_long.size(), 1U);
  EXPECT_NE(too_long[0].find("line 2 is longer than 1048576 bytes"), std::string::npos) << too_long[0];
}

}  // namespace
}  // namespace touchstone::formats::car
