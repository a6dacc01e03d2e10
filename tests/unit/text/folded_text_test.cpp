#include "text/folded_text.hpp"

#include "common/unicode.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace touchstone::text {
namespace {

std::string folded(std::string_view text) {
  std::string out;
  for (const auto letter : FoldedText(text).folded) append_utf8(out, letter);
  return out;
}

/// Whether `part`, where it first is in `text`, is whole words.
bool is_whole(std::string_view text, std::string_view part) {
  const FoldedText letters(text), name(part);
  const auto at = letters.letters.find(name.letters);
  EXPECT_NE(at, std::u32string::npos) << text;
  WordBounds bounds(letters.letters);
  return bounds.encloses(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + name.letters.size()));
}

TEST(FoldedText, HasOneLetterForEachCodePoint) {
  EXPECT_EQ(folded("Ōkuninushi ÄRGER Straße İ"), "ōkuninushi ärger straße İ");
  EXPECT_EQ(folded("Ｔｅａ’s\u00A0cup\u3000１"), "tea's cup 1");
  EXPECT_EQ(FoldedText("Straße\U00020BB7").folded.size(), 7U);
}

TEST(WordBounds, LettersDigitsAndMarksAreWithinWords) {
  EXPECT_TRUE(is_whole("On Amber, a light", "Amber"));
  EXPECT_TRUE(is_whole("Amber", "Amber"));
  EXPECT_TRUE(is_whole("Amber's keeper", "Amber"));
  EXPECT_TRUE(is_whole("(Amber)", "Amber"));
  EXPECT_FALSE(is_whole("Ambers burn", "Amber"));
  EXPECT_FALSE(is_whole("StAmber", "Amber"));
  EXPECT_FALSE(is_whole("Amber2", "Amber"));
  EXPECT_FALSE(is_whole("Cafe\u0301", "Cafe"));
}

TEST(WordBounds, AHyphenPartsWordsOnlyBeforeSmallLetters) {
  EXPECT_FALSE(is_whole("Jean-Paul wrote", "Paul"));
  EXPECT_FALSE(is_whole("Jean-Paul wrote", "Jean"));
  EXPECT_TRUE(is_whole("an Amber-lit street", "Amber"));
  EXPECT_TRUE(is_whole("near Amber - a light", "Amber"));
  EXPECT_TRUE(is_whole("near -Amber", "Amber"));
}

TEST(WordBounds, AColonBetweenLettersPartsNoWords) {
  EXPECT_FALSE(is_whole("\"shinto:Ida Shrine\"", "Ida Shrine"));
  EXPECT_TRUE(is_whole("shrines: Ida Shrine", "Ida Shrine"));
  EXPECT_TRUE(is_whole("社名:出雲大社", "出雲大社"));
}

TEST(WordBounds, DictionariesPartWordsOfScriptsWithoutBlanks) {
  EXPECT_TRUE(is_whole("私は東京に住んでいます。", "東京"));
  EXPECT_FALSE(is_whole("東京都に住む。", "京都"));
  EXPECT_TRUE(is_whole("京都に住む。", "京都"));
  EXPECT_FALSE(is_whole("コンピューターを使う", "ピュータ"));
  EXPECT_FALSE(is_whole("ノイケルン地区", "ケルン"));
  EXPECT_TRUE(is_whole("ミュンヘンとケルンなど", "ケルン"));
  EXPECT_TRUE(is_whole("我住在北京。", "北京"));
  EXPECT_TRUE(is_whole("ผมรักประเทศไทยมาก", "ประเทศไทย"));
  EXPECT_TRUE(is_whole("Amberは灯台です", "Amber"));
  EXPECT_TRUE(is_whole("\U00020BB7野と東京に住む", "東京"));
}

}  // namespace
}  // namespace touchstone::text
