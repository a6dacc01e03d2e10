#include "extractors/data/data_table.hpp"

#include "common/error.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/moment_words.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::data {
using scan::find_entity;
using site::LanguageWord;
using site::markup_words;
using site::namespace_names;
using site::internal::calendar_name;
using site::internal::CalendarName;
namespace {

constexpr DataTable kTea{"tea", "# A comment.\n#\nassam\tblack\ncey\tgreen\ncey\tblack\ncey-lon\tblack\noolong\t\n"};

template <std::size_t kFields>
std::vector<DataRow<kFields>> all_rows(const DataTable& table) {
  std::vector<DataRow<kFields>> rows;
  for_each_row<kFields>(table, [&](const DataRow<kFields>& row) { rows.push_back(row); });
  return rows;
}

std::vector<std::string_view> kinds_of(std::string_view key) {
  std::vector<std::string_view> kinds;
  for_each_row_of<2>(kTea, key, [&](const DataRow<2>& row) { kinds.push_back(row[1]); });
  return kinds;
}

TEST(DataTable, RowsAreFoundByTheirFirstFieldAndKeepTheirOrder) {
  using Kinds = std::vector<std::string_view>;
  EXPECT_EQ(kinds_of("assam"), Kinds{"black"});
  EXPECT_EQ(kinds_of("cey"), (Kinds{"green", "black"}));
  EXPECT_EQ(kinds_of("cey-lon"), Kinds{"black"});
  EXPECT_EQ(kinds_of("oolong"), Kinds{""});
  for (const std::string_view absent : {"", "a", "ce", "ceylon", "zen"})
    EXPECT_TRUE(kinds_of(absent).empty()) << absent;
}

TEST(DataTable, CommentsInFrontAreNoRows) {
  EXPECT_EQ(all_rows<2>(kTea).size(), 5U);
  EXPECT_TRUE(all_rows<2>({"empty", "# Only a comment."}).empty());
}

TEST(DataTable, AWrongNumberOfFieldsIsToldWithItsTableAndLine) {
  for (const std::string_view line : {"b", "b\tc\td", ""}) {
    const std::string text = "# Comment.\na\tb\n" + std::string(line) + "\n";
    try {
      all_rows<2>({"tea", text});
      ADD_FAILURE() << "no error for \"" << line << '"';
    } catch (const FormatError& error) {
      EXPECT_STREQ(error.what(), "extractors/data/tea.tsv, line 3: expected 2 fields with tabs between them");
    }
  }
}

template <std::size_t kFields>
void expect_sorted(std::string_view name) {
  const std::vector<DataRow<kFields>> rows = all_rows<kFields>(data_table(name));
  EXPECT_FALSE(rows.empty()) << name;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_FALSE(rows[i][0].empty()) << name;
    if (i > 0) {
      EXPECT_LE(rows[i - 1][0], rows[i][0]) << name;
    }
  }
}

TEST(DataTable, TheTablesOfTheProgramAreSortedAndWellFormed) {
  for (const std::string_view name : {"english_sounds", "entities", "interwiki"}) expect_sorted<2>(name);
  for (const std::string_view name : {"calendar_names", "languages", "magic_words", "markup_words", "namespaces"})
    expect_sorted<3>(name);
  for (const std::string_view name : {"number_styles", "variants"}) expect_sorted<5>(name);
  expect_sorted<7>("variant_languages");
  expect_sorted<12>("units");
}

TEST(DataTable, EveryLineOfTheProgramsTablesHasAMeaning) {
  const std::vector<std::string_view> known = {
      "alt",  "border", "center", "class", "frame", "frameless", "lang",   "left",   "link",    "manualthumb",
      "none", "page",   "right",  "thumb", "width", "upright",   "valign", "switch", "redirect"};
  for (const auto& [language, number, name] : all_rows<3>(data_table("namespaces"))) EXPECT_FALSE(name.empty());
  std::size_t names = 0;
  for (const auto& [language, fallbacks, trail] : all_rows<3>(data_table("languages"))) {
    names += namespace_names(language).size();
    for (const LanguageWord& word : markup_words(language)) {
      EXPECT_NE(std::find(known.begin(), known.end(), word.meaning), known.end()) << word.meaning;
      EXPECT_FALSE(word.word.empty()) << language;
    }
  }
  EXPECT_EQ(names, all_rows<3>(data_table("namespaces")).size()) << "a language that languages.tsv does not have";
  for (const auto& [language, meaning, word] : all_rows<3>(data_table("magic_words")))
    EXPECT_FALSE(meaning.empty() || word.empty()) << language;
}

TEST(DataTable, FirstMiddleAndLastLinesAreFound) {
  EXPECT_EQ(find_entity("AElig"), "\u00C6");
  EXPECT_EQ(find_entity("nvlt"), "<\u20D2");
  EXPECT_EQ(find_entity("zwnj"), "\u200C");
  EXPECT_EQ(find_entity("\u0631\u0644\u0645"), "\u200F");
  EXPECT_EQ(find_entity("Aelig"), "");
  EXPECT_EQ(calendar_name("ab", CalendarName::kDayShort, 0), "\u0410\u043C\u04BD");
  EXPECT_EQ(calendar_name("de", CalendarName::kMonth, 11), "Dezember");
  EXPECT_EQ(calendar_name("de-at", CalendarName::kMonth, 0), "J\u00E4nner");
  EXPECT_EQ(calendar_name("simple", CalendarName::kDay, 6), "Saturday");
}

}  // namespace
}  // namespace touchstone::extractors::data
