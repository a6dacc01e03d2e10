#include "pipeline/evidence/mentions/name_automaton.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::mentions {
namespace {

using Match = NameAutomaton::Match;

std::vector<Match> matches(const std::set<std::u32string>& names, std::u32string_view text) {
  std::vector<Match> found;
  NameAutomaton({names.begin(), names.end()}).find(text, [&](const Match& match) { found.push_back(match); });
  return found;
}

/// By end, then longest first: the order that the automaton promises.
std::vector<Match> naive_matches(const std::set<std::u32string>& names, std::u32string_view text) {
  std::vector<Match> found;
  std::uint32_t number = 0;
  for (const auto& name : names) {
    for (auto at = text.find(name); at != std::u32string_view::npos; at = text.find(name, at + 1)) {
      const auto begin = static_cast<std::uint32_t>(at);
      found.push_back({number, begin, begin + static_cast<std::uint32_t>(name.size())});
    }
    ++number;
  }
  std::sort(found.begin(), found.end(),
            [](const Match& a, const Match& b) { return std::tie(a.end, a.begin) < std::tie(b.end, b.begin); });
  return found;
}

TEST(NameAutomaton, FindsEveryNameAlsoWhereTheyOverlap) {
  // In ascending order: he, her, hers, she.
  EXPECT_EQ(matches({U"he", U"she", U"her", U"hers"}, U"ushers"),
            (std::vector<Match>{{3, 1, 4}, {0, 2, 4}, {1, 2, 5}, {2, 2, 6}}));
  EXPECT_EQ(matches({U"aa", U"aaa"}, U"aaaa").size(), 5U);
}

TEST(NameAutomaton, WithoutNamesNothingIsFound) {
  EXPECT_TRUE(matches({}, U"text").empty());
  EXPECT_TRUE(matches({U"text"}, U"").empty());
}

TEST(NameAutomaton, LettersBeyondTheFirstPlaneAreFound) {
  EXPECT_EQ(matches({U"\U00020BB7\u91CE", U"\u91CE"}, U"\u5C71\U00020BB7\u91CE"),
            (std::vector<Match>{{1, 1, 3}, {0, 2, 3}}));
}

TEST(NameAutomaton, NamesWithCommonBeginningsShareStates) {
  EXPECT_EQ(NameAutomaton({U"amber", U"ambit"}).states(), 8U);
}

TEST(NameAutomaton, FindsWhatANaiveSearchFinds) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 400; ++round) {
    const std::u32string letters = round % 2 == 0 ? U"ab" : U"ab \u6771\u4EAC\U00020BB7";
    const auto text_of = [&](std::size_t longest) {
      std::u32string text(1 + random() % longest, U' ');
      for (auto& letter : text) letter = letters[random() % letters.size()];
      return text;
    };
    std::set<std::u32string> names;
    for (std::size_t i = random() % 20; i > 0; --i) names.insert(text_of(6));
    const auto text = text_of(60);
    EXPECT_EQ(matches(names, text), naive_matches(names, text)) << "round " << round;
  }
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::mentions
