#include "pipeline/answers/answer_names.hpp"

#include "text/folded_text.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::answers {
namespace {

class NamesInAnAnswer : public ::testing::Test {
 protected:
  NameBeginnings beginnings;

  AnswerNames names_for(const std::string& text) {
    beginnings.add(text::FoldedText(text).folded);
    return {beginnings, "en"};
  }

  static std::vector<std::uint64_t> pages(const AnswerNames& names, const std::string& text) {
    std::vector<std::uint64_t> found;
    for (const auto& mention : names.search("en").find(text, {})) found.push_back(mention.member.value);
    return found;
  }
};

TEST_F(NamesInAnAnswer, AreTitlesAndAliasesWithAndWithoutQualifier) {
  const std::string text = "Amber, the Hook Light and Dune (isle).";
  auto names = names_for(text);
  names.add_member(PageId{1}, "Amber (light)");
  names.add_member(PageId{2}, "Hook Lighthouse");
  names.add_member(PageId{2}, "Hook Light");
  EXPECT_TRUE(names.add_page(PageId{3}, "Dune (isle)"));
  EXPECT_EQ(pages(names, text), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(NamesInAnAnswer, OfSeveralPagesTellNothingAndHideShorterNames) {
  const std::string text = "Amber and Kamo Shrine";
  auto names = names_for(text);
  names.add_member(PageId{1}, "Amber (light)");
  names.add_member(PageId{2}, "Kamo");
  names.add_page(PageId{3}, "AMBER");
  names.add_page(PageId{4}, "Kamo Shrine (north)");
  names.add_page(PageId{5}, "Kamo Shrine (south)");
  EXPECT_EQ(pages(names, text), std::vector<std::uint64_t>{});
  const auto named = names.named_pages();
  EXPECT_TRUE(named.contains(PageId{1})) << "the title with its qualifier is its own";
  EXPECT_TRUE(named.contains(PageId{2}));
}

TEST_F(NamesInAnAnswer, MayFollowACapitalisedWord) {
  const std::string text = "They were built by President Abel Thorne.";
  auto names = names_for(text);
  names.add_member(PageId{1}, "Abel Thorne");
  EXPECT_EQ(pages(names, text), std::vector<std::uint64_t>{1});
}

TEST_F(NamesInAnAnswer, OfPagesThatNoAnswerHoldsTakeNoMemory) {
  auto names = names_for("Amber");
  EXPECT_FALSE(names.add_page(PageId{1}, "Basil"));
  names.add_member(PageId{2}, "Coast");
  EXPECT_EQ(names.named_pages(), std::unordered_set<PageId>{PageId{2}});
}

TEST_F(NamesInAnAnswer, ThatAreTooShortOrCommonTellNothing) {
  const std::string text = "Ur and The List, 京都";
  auto names = names_for(text);
  names.add_member(PageId{1}, "Ur");
  names.add_member(PageId{2}, "The List");
  names.add_member(PageId{3}, "京都");
  EXPECT_EQ(pages(names, text), std::vector<std::uint64_t>{3});
}

}  // namespace
}  // namespace touchstone::pipeline::answers
