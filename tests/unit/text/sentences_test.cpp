#include "text/sentences.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::text {
namespace {

TEST(Sentences, AbbreviationsDoNotEndThem) {
  std::vector<std::string> found;
  for_each_sentence("It is near Mt. Fuji today. Go there! Take it. Go by ca. 3 roads. 山。田",
                    [&](std::string_view text) { found.emplace_back(text); });
  EXPECT_EQ(found, (std::vector<std::string>{"It is near Mt. Fuji today. ", "Go there! ", "Take it. ",
                                             "Go by ca. 3 roads. ", "山。", "田"}));
}

TEST(Sentences, TheLastOneCanBeTakenOff) {
  EXPECT_EQ(size_without_last_sentence("Light one. Light two:"), 10U);
  EXPECT_EQ(size_without_last_sentence("Light"), 0U);
}

TEST(Sentences, EndsByUnicodeAreBytes) {
  EXPECT_EQ(sentence_ends("Über 3.5 m. 山。Go"), (std::vector<std::size_t>{13, 19, 21}));
  EXPECT_TRUE(sentence_ends("").empty());
}

}  // namespace
}  // namespace touchstone::text
