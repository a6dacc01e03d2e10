#include "pipeline/evidence/mentions/mention_search.hpp"

#include "text/characters.hpp"
#include "text/folded_text.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::mentions {
namespace {

/// Page 0 represents a longer title.
MentionSearch search_of(const std::vector<std::pair<std::string, std::uint32_t>>& names, std::string_view language) {
  MemberNames collected;
  for (const auto& [text, page] : names) {
    const text::FoldedText folded(text);
    collected.names.push_back({folded.folded, page == 0 ? std::u32string() : folded.letters, PageId{page}});
  }
  std::sort(collected.names.begin(), collected.names.end(),
            [](const Name& a, const Name& b) { return a.folded < b.folded; });
  return MentionSearch(std::move(collected), language);
}

std::vector<Mention> find(const std::vector<std::pair<std::string, std::uint32_t>>& names, std::string_view text,
                          const std::vector<MentionSearch::Range>& links = {}, std::string_view language = "en") {
  return search_of(names, language).find(text, links);
}

Mention mention(std::uint32_t page, std::uint32_t begin, std::uint32_t end) {
  return {PageId{page}, begin, end};
}

TEST(MentionSearch, FindsNamesAtTheBoundsOfWords) {
  EXPECT_EQ(find({{"Amber", 1}, {"Basil", 2}}, "Basil, Amber and Ambers; Amber."),
            (std::vector<Mention>{mention(1, 7, 12), mention(1, 25, 30), mention(2, 0, 5)}));
  EXPECT_TRUE(find({{"Amber", 1}}, "Chamber").empty());
  EXPECT_TRUE(find({}, "Amber").empty());
}

TEST(MentionSearch, CapitalsOfTheNameStandInTheText) {
  EXPECT_TRUE(find({{"Amber", 1}}, "a light of amber").empty());
  EXPECT_EQ(find({{"Amber", 1}}, "AMBER").size(), 1U);
  EXPECT_EQ(find({{"Green tea", 1}}, "some green tea, Green Tea").size(), 2U);
  EXPECT_TRUE(find({{"New Light", 1}}, "a new light").empty());
  EXPECT_TRUE(find({{"WHOI", 1}}, "Whoi").empty());
}

TEST(MentionSearch, TheLongestOfOverlappingNamesCounts) {
  const std::vector<std::pair<std::string, std::uint32_t>> names = {{"York", 1}, {"New York", 2}, {"York Castle", 3}};
  EXPECT_EQ(find(names, "New York and York"), (std::vector<Mention>{mention(1, 13, 17), mention(2, 0, 8)}));
  EXPECT_EQ(find(names, "New York Castle"), std::vector<Mention>{mention(2, 0, 8)});
}

TEST(MentionSearch, ANameWithinALongerTitleIsNoMention) {
  EXPECT_EQ(find({{"Izumo", 1}, {"Izumo Province", 0}}, "In Izumo Province, at Izumo"),
            std::vector<Mention>{mention(1, 22, 27)});
}

TEST(MentionSearch, ANameBehindACapitalisedWordIsPartOfALongerName) {
  EXPECT_TRUE(find({{"Mioya Shrine", 1}}, "enshrined at Kamo Mioya Shrine").empty());
  EXPECT_TRUE(find({{"Mioya Shrine", 1}}, "shrines, Kamo-no Mioya Shrine").empty());
  EXPECT_EQ(find({{"Mioya Shrine", 1}}, "Near. At Mioya Shrine, at Mioya Shrine, Kamo; Mioya Shrine").size(), 3U);
  EXPECT_EQ(find({{"Leuchtturm", 1}}, "der Bau Leuchtturm", {}, "de").size(), 1U);
  EXPECT_EQ(find({{"Leuchtturm", 1}}, "der Bau Leuchtturm", {}, "de-at").size(), 1U);
}

TEST(MentionSearch, ANameWithinALinkIsNoMention) {
  EXPECT_EQ(find({{"Amber", 1}}, "Keepers of Amber and Amber", {{0, 16}}), std::vector<Mention>{mention(1, 21, 26)});
}

TEST(MentionSearch, NamesAreFoundInTextWithoutBlanks) {
  EXPECT_EQ(find({{"京都", 1}, {"東京", 2}}, "東京都と京都"),
            (std::vector<Mention>{mention(1, 4, 6), mention(2, 0, 2)}));
}

/// Name by name and place by place, by the rules in words.
std::vector<Mention> naive(const std::vector<std::pair<std::string, std::uint32_t>>& names, std::string_view text) {
  const text::FoldedText letters(text);
  std::vector<Mention> all;
  for (const auto& [title, page] : names) {
    const text::FoldedText name(title);
    for (std::size_t at = 0; at + name.folded.size() <= letters.folded.size(); ++at) {
      text::WordBounds bounds(letters.letters);
      bool same = letters.folded.compare(at, name.folded.size(), name.folded) == 0;
      const std::size_t first = title.find(' ') == std::string::npos ? 0 : 1;
      for (std::size_t i = first; same && page != 0 && i < name.letters.size(); ++i)
        same = !text::is_capital(name.letters[i]) || text::is_capital(letters.letters[at + i]);
      const auto begin = static_cast<std::uint32_t>(at), end = static_cast<std::uint32_t>(at + name.folded.size());
      if (same && bounds.encloses(begin, end)) all.push_back(mention(page, begin, end));
    }
  }
  std::vector<Mention> kept;
  for (std::uint32_t at = 0; at < letters.letters.size();) {
    const Mention* longest = nullptr;
    for (const auto& one : all) {
      if (one.begin == at && (longest == nullptr || one.end > longest->end)) longest = &one;
    }
    if (longest != nullptr && longest->member.value != 0) kept.push_back(*longest);
    at = longest != nullptr ? longest->end : at + 1;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

TEST(MentionSearch, FindsWhatANaiveSearchFinds) {
  const std::vector<std::string> words = {"Ab", "ab", "B", "a", "東京", "都", "Ä", "ä-B", "c'"};
  std::mt19937 random(7);
  const auto text_of = [&](std::size_t longest) {
    std::string text = words[random() % words.size()];
    for (std::size_t i = random() % longest; i > 0; --i) {
      text += random() % 3 == 0 ? "" : " ";
      text += words[random() % words.size()];
    }
    return text;
  };
  std::size_t found = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<std::pair<std::string, std::uint32_t>> names;
    for (std::uint32_t i = 1 + random() % 8; i > 0; --i) {
      const auto name = text_of(3);
      const bool known = std::any_of(names.begin(), names.end(), [&](const auto& other) {
        return text::FoldedText(other.first).folded == text::FoldedText(name).folded;
      });
      if (!known) names.emplace_back(name, random() % 4 == 0 ? 0 : i);
    }
    const auto text = text_of(20);
    const auto expected = naive(names, text);
    found += expected.size();
    EXPECT_EQ(find(names, text, {}, "de"), expected) << "round " << round << ": " << text;
  }
  EXPECT_GT(found, 300U);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::mentions
