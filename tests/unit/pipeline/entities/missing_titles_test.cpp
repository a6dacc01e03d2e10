#include "pipeline/entities/missing_titles.hpp"

#include "tests/support/temporary_folder.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::entities {
namespace {

/// A page that links a text to a title.
LinkedPage page_with(const std::string& title, const std::string& anchor = "x1") {
  LinkedPage page;
  page.texts.push_back(anchor);
  page.links.push_back({0, 0, static_cast<std::uint32_t>(anchor.size()), {}, {kNamespaceMain, title}});
  page.missing.push_back({kNamespaceMain, title});
  return page;
}

class MissingTitlesTest : public ::testing::Test {
 protected:
  MissingTitles titles(const std::vector<std::pair<std::string, std::string>>& links,
                       const std::string& stemmer = "english", const std::string& language = "en") {
    MissingTitleCounter counter(stemmer);
    for (const auto& [title, anchor] : links) counter.add(page_with(title, anchor));
    records::Sorter<MissingTitle> sorter(folder_.path(), std::size_t{1} << 20);
    counter.for_each([&](MissingTitle title) { sorter.add(std::move(title)); });
    return MissingTitles(sorter, language);
  }

  touchstone::testing::TemporaryFolder folder_;
};

TEST_F(MissingTitlesTest, SingularAndPluralAreOneEntityWithTheMoreFrequentTitle) {
  const auto found =
      titles({{"Lens", "lens"}, {"Lenses", "lenses"}, {"Lenses", "lenses"}, {"Roof tile", "x"}, {"Roof tiles", "x"}});
  EXPECT_EQ(found.entity("Lens"), "Lenses");
  EXPECT_EQ(found.entity("Lenses"), "Lenses");
  EXPECT_EQ(found.entity("Roof tiles"), "Roof tile");
  EXPECT_EQ(found.size(), 2U);
}

TEST_F(MissingTitlesTest, NamesStayApart) {
  const auto found = titles({{"William", "William"},
                             {"Williams", "Williams"},
                             {"Okinawa Island", "x"},
                             {"Okinawa Islands", "x"},
                             {"1970", "1970"},
                             {"1970s", "1970s"},
                             {"AIDS", "AIDS"},
                             {"Aids", "aids"}});
  EXPECT_EQ(found.size(), 0U);
}

TEST_F(MissingTitlesTest, OneStemIsNotEnough) {
  EXPECT_EQ(
      titles(
          {{"Universe", "universe"}, {"University", "university"}, {"General", "general"}, {"Generally", "generally"}})
          .size(),
      0U);
}

TEST_F(MissingTitlesTest, CaseIsFoldedInEveryLanguage) {
  EXPECT_EQ(titles({{"Роч империя", "x"}, {"Роч Империя", "x"}, {"Роч империя", "x"}}, "", "kv").entity("Роч Империя"),
            "Роч империя");
  EXPECT_EQ(titles({{"lente", "lente"}, {"lentes", "lentes"}}, "spanish", "es").size(), 1U);
}

TEST_F(MissingTitlesTest, WhatIsWrittenIsRead) {
  const auto found = titles({{"Lens", "lens"}, {"Lenses", "lenses"}});
  found.write(folder_.path() / "titles");
  const MissingTitles read(folder_.path() / "titles");
  EXPECT_EQ(read.entity("Lenses"), "Lens");
  EXPECT_EQ(read.entity("Prism"), "Prism");
}

}  // namespace
}  // namespace touchstone::pipeline::entities
