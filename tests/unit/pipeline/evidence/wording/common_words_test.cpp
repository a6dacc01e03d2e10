#include "pipeline/evidence/wording/common_words.hpp"

#include "tests/support/dump_text.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

using testing::simple_page;

class CommonWordsTest : public testing::StageFixture {
 protected:
  /// Whether the word is common in a wiki of so many pages; each names settings, and each twentieth one games.
  bool is_common(std::uint32_t pages, const std::string& word) {
    std::string dump;
    for (std::uint32_t i = 1; i <= pages; ++i)
      dump += simple_page(i, "Page " + std::to_string(i), i % 20 == 0 ? "Settings and games." : "A page of settings.");
    fill_from_dump(dump);
    text::TermSplitter splitter("english");
    const CommonWords words(*store, splitter);
    return words.contain(splitter.split(word).at(0).stem);
  }
};

TEST_F(CommonWordsTest, AreOnManyArticlesOfALargeWiki) {
  EXPECT_TRUE(is_common(500, "settings"));
}

TEST_F(CommonWordsTest, AreNotThoseOfAPartOfTheWiki) {
  EXPECT_FALSE(is_common(500, "games"));
}

TEST_F(CommonWordsTest, ASmallWikiHasNone) {
  EXPECT_FALSE(is_common(100, "settings"));
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::wording
