#include "pipeline/corpus/title_index.hpp"

#include "common/error.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using testing::page_xml;
using testing::revision_xml;
using testing::simple_page;

class TitleIndexTest : public testing::StageFixture {
 protected:
  void fill() {
    fill_from_dump(simple_page(1, "Amber Light", "text") +
                   simple_page(2, "Amber", "#REDIRECT [[Amber Light]]", "Amber Light") +
                   simple_page(3, "Old Amber", "#REDIRECT [[Amber]]", "Amber") +
                   simple_page(4, "Amber's lamp", "#REDIRECT [[Amber Light#Lamp]]", "Amber Light#Lamp") +
                   simple_page(5, "Round", "#REDIRECT [[Round]]", "Round") +
                   page_xml(6, "Template:Amber", revision_xml(1, "x"), {}, 10));
  }
};

TEST_F(TitleIndexTest, AStoreWithoutAWikiSaysSo) {
  EXPECT_THROW(TitleIndex{*store}, StorageError);
}

TEST_F(TitleIndexTest, TitlesAreFoundToTheLetterAndAsMediaWikiReadsThem) {
  fill();
  const TitleIndex titles(*store);
  EXPECT_EQ(titles.find({0, "Amber Light"}), PageId{1});
  EXPECT_EQ(titles.find({0, "amber Light"}), std::nullopt);
  EXPECT_EQ(titles.find_text("amber_Light"), PageId{1});
  EXPECT_EQ(titles.find_text(" template:amber "), PageId{6});
  EXPECT_EQ(titles.find_text("Amber"), PageId{2}) << "redirects are not followed";
  EXPECT_EQ(titles.find_text("Nowhere"), std::nullopt);
  EXPECT_EQ(titles.find_text("["), std::nullopt);
}

TEST_F(TitleIndexTest, ChainsOfRedirectsAreFollowedAndCirclesLeadNowhere) {
  fill();
  const TitleIndex titles(*store);
  const auto end = titles.resolve({0, "Old Amber"});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->id, PageId{1});
  EXPECT_EQ(end->page.title.text, "Amber Light");
  EXPECT_FALSE(titles.resolve({0, "Round"}));
  EXPECT_FALSE(titles.resolve({0, "Nowhere"}));
}

TEST_F(TitleIndexTest, RedirectsToAPageAreSortedAndSectionsAreLeftOutOnRequest) {
  fill();
  const TitleIndex titles(*store);
  const Title amber{0, "Amber"}, lamp{0, "Amber's lamp"}, old{0, "Old Amber"};
  EXPECT_EQ(titles.redirects_to(PageId{1}, false), (std::vector<Title>{amber, old}));
  EXPECT_EQ(titles.redirects_to(PageId{1}, true), (std::vector<Title>{amber, lamp, old}));
  EXPECT_TRUE(titles.redirects_to(PageId{2}, true).empty());
}

TEST_F(TitleIndexTest, PagesWithoutNamespacesAreFoundByAnyTitle) {
  fill_from_json(
      "{\"title\":\"C#\",\"sections\":[]}\n{\"title\":\"Talk: a novel\",\"sections\":[]}\n"
      "{\"title\":\"amber\",\"sections\":[]}\n");
  const TitleIndex titles(*store);
  EXPECT_EQ(titles.find_text("C#"), PageId{1});
  EXPECT_EQ(titles.find_text("Talk: a novel"), PageId{2});
  EXPECT_EQ(titles.find_text("amber"), PageId{3});
  EXPECT_EQ(titles.find_text("Amber"), std::nullopt);
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
