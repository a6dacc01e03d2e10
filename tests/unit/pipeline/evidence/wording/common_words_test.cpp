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

TEST_F(CommonWordsTest, AreThoseOfABuildFromNothingWhereTheDumpBeforeHadOtherPages) {
  text::TermSplitter splitter("english");
  const auto stem = [&](const std::string& word) { return splitter.split(word).at(0).stem; };
  std::string before, now;
  for (std::uint32_t i = 1; i <= 600; ++i) {
    before += simple_page(i, "Page " + std::to_string(i), i % 8 == 0 ? "Settings and games." : "A page of settings.");
    if (i % 100 != 0)
      now += simple_page(i, "Page " + std::to_string(i), i % 3 == 0 ? "Pages about Cats." : "A page of settings.");
  }
  fill_from_dump(before);
  const corpus::ResultPlaces first{.before = {}, .now = folder / "first"};
  EXPECT_TRUE(CommonWords(*store, splitter, first).contain(stem("games")));
  open_store(folder / "next");
  fill_from_dump(now);
  const CommonWords words(*store, splitter, {.before = folder / "first", .now = folder / "next.words"});
  const CommonWords anew(*store, splitter, {.before = {}, .now = folder / "anew.words"});
  for (const auto* word : {"settings", "games", "cats", "about", "page"}) {
    EXPECT_EQ(words.contain(stem(word)), anew.contain(stem(word))) << word;
    EXPECT_EQ(words.is_plain_word(stem(word)), anew.is_plain_word(stem(word))) << word;
  }
  EXPECT_TRUE(words.contain(stem("cats")));
  EXPECT_FALSE(words.contain(stem("games")));
  EXPECT_EQ(read_file(folder / "next.words"), read_file(folder / "anew.words"));
}

TEST_F(CommonWordsTest, AreNotThoseOfAPartOfTheWiki) {
  EXPECT_FALSE(is_common(500, "games"));
}

TEST_F(CommonWordsTest, ASmallWikiHasNone) {
  EXPECT_FALSE(is_common(100, "settings"));
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::wording
