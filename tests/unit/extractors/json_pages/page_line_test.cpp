#include "extractors/json_pages/json_pages_source.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::json_pages {
namespace {

Result<PageLine, PageLineError> read_page(std::string line) {
  const auto size = line.size();
  line.append(padding(), ' ');
  return PageLineReader().read(std::string_view(line).substr(0, size));
}

Document document_of(const std::string& line) {
  auto page = read_page(line);
  if (page) return std::move(page->document);
  ADD_FAILURE() << page.error().detail;
  return {};
}

/// A page with these sections, as JSON.
std::string page_with(const std::string& sections) {
  return R"({"title":"T","sections":[)" + sections + "]}";
}

/// What is wrong with a line: text of the issue and detail.
std::string wrong(const std::string& line) {
  const auto page = read_page(line);
  return page ? "nothing" : std::string(describe(page.error().issue).text) + ": " + page.error().detail;
}

TEST(PageLine, SectionsFormATreeByTheirLevels) {
  const auto document = document_of(page_with(
      R"({"heading":"","level":0,"paragraphs":["lead"]},{"heading":"A","level":2,"paragraphs":["a","b"]},
         {"heading":"B","level":4,"paragraphs":[]},{"heading":"C","level":3,"paragraphs":["c"]},
         {"heading":"D","level":1,"paragraphs":["d"]})"));
  ASSERT_EQ(document.sections.size(), 5U);
  std::vector<std::uint32_t> parents;
  for (const auto& section : document.sections) parents.push_back(section.parent);
  EXPECT_EQ(parents, (std::vector<std::uint32_t>{0, 0, 1, 1, 0}));
  EXPECT_EQ(document.sections[3].heading.text, "C");
  ASSERT_EQ(document.blocks.size(), 5U);
  EXPECT_EQ(document.blocks[2].section, 1U);
  EXPECT_EQ(document.blocks[4].content.text, "d");
}

TEST(PageLine, APageWithoutALeadGetsAnEmptyOne) {
  const auto document = document_of(page_with(R"({"heading":"A","level":2,"paragraphs":["a"]})"));
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[0].level, 0U);
  EXPECT_EQ(document.blocks.at(0).section, 1U);
  EXPECT_EQ(document_of(R"({"title":"T","sections":[]})").sections.size(), 1U);
}

TEST(PageLine, LinksKeepTheirCodePointsAndAreSorted) {
  const auto document = document_of(page_with(
      R"j({"paragraphs":[{"text":"🚢 Ōstra, Basil","links":[{"begin":9,"end":14,"target":"Basil"},
         {"begin":2,"end":7,"target":" Ōstra \n(island)"}]}]})j"));
  const auto& links = document.blocks.at(0).content.links;
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].begin, 2U);
  EXPECT_EQ(links[0].end, 7U);
  EXPECT_EQ(links[0].target, (Title{0, "Ōstra (island)"}));
  EXPECT_EQ(links[1].target.text, "Basil");
}

TEST(PageLine, TitlesAreComposedAndFolded) {
  const auto page = read_page("{\"title\":\" Cafe\u0301\\u00a0 _x#y:z \",\"sections\":[]}");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->title, (Title{0, "Café _x#y:z"}));
}

TEST(PageLine, ControlCharactersBecomeBlanksOneByOne) {
  const auto document = document_of(page_with("{\"paragraphs\":[\"a\\n\\u0000b\\tc\"]}"));
  EXPECT_EQ(document.blocks.at(0).content.text, "a  b c");
}

TEST(PageLine, AQidIsTakenAsItIs) {
  EXPECT_EQ(read_page(R"({"title":"T","qid":"Q42","sections":[]})")->qid, "Q42");
  EXPECT_EQ(read_page(R"({"title":"T","qid":null,"sections":[]})")->qid, "");
  EXPECT_EQ(read_page(R"({"title":"T","sections":[]})")->qid, "");
  for (const std::string bad :
       {R"("Q")", R"("Q0")", R"("42")", R"("q42")", R"("Q4 ")", "42", R"("Q12345678901234567890")"}) {
    EXPECT_EQ(wrong(R"({"title":"T","qid":)" + bad + R"(,"sections":[]})"),
              R"(bad QID: "qid" is not a Wikidata id such as "Q42")")
        << bad;
  }
}

TEST(PageLine, UnknownFieldsAreIgnored) {
  EXPECT_EQ(wrong(R"({"title":"T","url":7,"sections":[{"id":1,"paragraphs":[]}]})"), "nothing");
}

TEST(PageLine, WhatIsNoPageIsToldWithItsPlace) {
  EXPECT_TRUE(wrong("{").starts_with("malformed JSON: "));
  EXPECT_EQ(wrong("[]"), "malformed JSON: not an object");
  EXPECT_EQ(wrong(R"({"sections":[]})"), "bad title: \"title\" is missing or not a string");
  EXPECT_EQ(wrong(R"({"title":" ","sections":[]})"), "bad title: \"title\" is empty or longer than 1024 bytes");
  EXPECT_EQ(wrong(R"({"title":"T"})"), "bad section or paragraph: \"sections\" is missing or not a list");
  EXPECT_EQ(wrong(page_with("7")), "bad section or paragraph: section 1, not an object");
  EXPECT_EQ(wrong(page_with(R"({"level":1})")),
            "bad section or paragraph: section 1, \"paragraphs\" is missing or not a list");
  EXPECT_EQ(wrong(page_with(R"({"level":7,"paragraphs":[]})")),
            "bad section or paragraph: section 1, \"level\" is not a whole number from 0 to 6");
  EXPECT_EQ(wrong(page_with(R"({"heading":"H","paragraphs":[]})")),
            "bad section or paragraph: section 1, a section with a heading needs a level from 1 to 6");
  EXPECT_EQ(wrong(page_with(R"({"level":1,"paragraphs":[]},{"paragraphs":[]})")),
            "bad section or paragraph: section 2, only the first section, the lead, can have level 0");
  EXPECT_EQ(wrong(page_with(R"({"paragraphs":["a",7]})")),
            "bad section or paragraph: section 1, paragraph 2, neither a string nor an object");
}

TEST(PageLine, LinksMustLieWithinTheirTextAndNameAPage) {
  const auto link = [](const std::string& fields) {
    return wrong(page_with(R"({"paragraphs":[{"text":"Übe","links":[{)" + fields + "}]}]}"));
  };
  EXPECT_EQ(link(R"("begin":0,"end":3,"target":"X")"), "nothing");
  const std::string where = "bad link: section 1, paragraph 1, ";
  EXPECT_EQ(link(R"("begin":0,"end":4,"target":"X")"), where + "\"end\" is not a whole number from 0 to 3");
  EXPECT_EQ(link(R"("begin":-1,"end":1,"target":"X")"), where + "\"begin\" is not a whole number from 0 to 3");
  EXPECT_EQ(link(R"("begin":2,"end":1,"target":"X")"), where + "a link ends before it begins");
  EXPECT_EQ(link(R"("begin":0,"end":1)"), where + "\"target\" is missing or not a string");
  EXPECT_EQ(link(R"("begin":0,"end":1,"target":"")"), where + "\"target\" is empty or longer than 1024 bytes");
}

TEST(PageLine, BytesThatAreNoTextAreRefused) {
  EXPECT_TRUE(wrong("{\"title\":\"\xff\",\"sections\":[]}").starts_with("malformed JSON: "));
  EXPECT_TRUE(wrong(R"({"title":"\ud83d","sections":[]})").starts_with("malformed JSON: "));
}

}  // namespace
}  // namespace touchstone::extractors::json_pages
