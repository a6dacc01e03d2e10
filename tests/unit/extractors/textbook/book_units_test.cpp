#include "extractors/textbook/book_units.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::textbook {
namespace {

using Texts = std::vector<std::string>;

BookPage page(std::string file, Texts chapters, std::string opens = "") {
  BookPage made;
  made.file = std::move(file);
  made.chapters = std::move(chapters);
  made.opens = std::move(opens);
  return made;
}

/// A book with a preface, two chapters, one of which has a part inside, and an index page.
Book sample_book() {
  Book book;
  book.pages = {page("preface", {}),        page("optics/index", {}, "Optics"),
                page("lens", {"Optics"}),   page("eye", {"Optics", "Sight"}),
                page("mirror", {"Optics"}), page("heat", {"Heat"})};
  return book;
}

/// A lead with one paragraph, and a section with another.
Document document(const std::string& name) {
  Document made;
  made.sections.resize(2);
  made.sections[1] = {1, 0, {name + " details", {}}, "d"};
  for (std::uint32_t section = 0; section < 2; ++section) {
    Block block;
    block.section = section;
    block.content.text = name + (section == 0 ? " lead" : " text");
    made.blocks.push_back(std::move(block));
  }
  made.tables.push_back({1, 1, 0, "", {}, {}});
  return made;
}

Document all_of(const Book& book, const Unit& unit) {
  UnitWriter writer(unit);
  for (const auto i : unit.pages) writer.add(book.pages[i], "Page " + book.pages[i].file, document(book.pages[i].file));
  return std::move(writer).take();
}

/// "level heading @anchor: texts", a line each section.
Texts shown(const Document& document) {
  Texts lines;
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    const auto& section = document.sections[i];
    std::string line = std::to_string(section.level) + " " + section.heading.text + " @" + section.anchor + ":";
    for (const auto& block : document.blocks) {
      if (block.section == i) line += " " + block.content.text + ";";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

TEST(BookUnits, AModuleIsAPageAlone) {
  const auto book = sample_book();
  const auto units = units_of(book, BookUnit::kModule, "Physics");
  ASSERT_EQ(units.size(), 6U);
  EXPECT_EQ(units[3].parts, (Texts{"Optics", "Sight"}));
  EXPECT_EQ(shown(all_of(book, units[3])), (Texts{"0  @eye: eye lead;", "1 eye details @eye#d: eye text;"}));
}

TEST(BookUnits, AChapterHoldsItsPagesButNotTheChaptersInside) {
  const auto book = sample_book();
  const auto units = units_of(book, BookUnit::kChapter, "Physics");
  ASSERT_EQ(units.size(), 4U);
  EXPECT_EQ(units[0].title, "") << "a preface is in no chapter";
  EXPECT_EQ(units[1].title, "Optics");
  EXPECT_EQ(units[2].title, "Sight");
  EXPECT_EQ(units[2].parts, (Texts{"Optics", "Sight"}));
  EXPECT_EQ(shown(all_of(book, units[1])),
            (Texts{"0  @optics/index: optics/index lead;", "1 optics/index details @optics/index#d: optics/index text;",
                   "1 Page lens @lens: lens lead;", "2 lens details @lens#d: lens text;",
                   "1 Page mirror @mirror: mirror lead;", "2 mirror details @mirror#d: mirror text;"}));
}

TEST(BookUnits, TheBookHasItsPartsAsSections) {
  const auto book = sample_book();
  const auto units = units_of(book, BookUnit::kBook, "Physics");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].title, "Physics");
  const auto whole = all_of(book, units[0]);
  EXPECT_EQ(
      shown(whole),
      (Texts{"0  @preface:", "1 Page preface @preface: preface lead;", "2 preface details @preface#d: preface text;",
             "1 Optics @optics/index: optics/index lead;", "2 optics/index details @optics/index#d: optics/index text;",
             "2 Page lens @lens: lens lead;", "3 lens details @lens#d: lens text;",
             "2 Sight @eye:", "3 Page eye @eye: eye lead;", "4 eye details @eye#d: eye text;",
             "2 Page mirror @mirror: mirror lead;", "3 mirror details @mirror#d: mirror text;",
             "1 Heat @heat:", "2 Page heat @heat: heat lead;", "3 heat details @heat#d: heat text;"}));
  EXPECT_EQ(whole.sections[5].parent, 3U);
  ASSERT_EQ(whole.tables.size(), 6U);
  EXPECT_EQ(whole.tables[1].section, 4U);
  EXPECT_EQ(whole.tables[1].block, 3U) << "behind two blocks of the preface and its own lead";
}

TEST(BookUnits, PartsAreNestedToABound) {
  Texts parts;
  for (int i = 0; i < 100; ++i) parts = with_part(std::move(parts), std::to_string(i));
  EXPECT_EQ(parts.size(), 16U);
  EXPECT_EQ(with_part({"A"}, ""), (Texts{"A"}));
}

}  // namespace
}  // namespace touchstone::extractors::textbook
