#include "text/characters.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone::text {
namespace {

TEST(CharacterSet, HoldsWhatThePatternSays) {
  const CharacterSet set("[[:Nd:]\\u00E4a-c]");
  EXPECT_TRUE(set.contains(U'7') && set.contains(U'\u0663') && set.contains(U'ä') && set.contains(U'b'));
  EXPECT_FALSE(set.contains(U'd') || set.contains(U'\U00020BB7'));
  EXPECT_THROW(CharacterSet("[[:Klingon:]]"), Error);
}

TEST(Characters, ScriptsWithoutBlanksAreKnown) {
  for (const char32_t c : {U'山', U'の', U'ノ', U'ก', U'ລ', U'ខ', U'က', U'\U00020BB7'})
    EXPECT_TRUE(is_written_without_blanks(c)) << static_cast<unsigned>(c);
  for (const char32_t c : {U'a', U'7', U' ', U'é', U'я', U'한', U'。', U'ー', char32_t{0x110000}})
    EXPECT_FALSE(is_written_without_blanks(c)) << static_cast<unsigned>(c);
  EXPECT_TRUE(is_han_or_kana(U'ノ'));
  EXPECT_FALSE(is_han_or_kana(U'ก'));
}

TEST(Characters, ALanguageHasItsUsualScripts) {
  EXPECT_EQ(scripts_of_language("simple"), std::vector<UScriptCode>{USCRIPT_LATIN});
  EXPECT_EQ(scripts_of_language("ru"), std::vector<UScriptCode>{USCRIPT_CYRILLIC});
  EXPECT_EQ(scripts_of_language("ja").size(), 3U);
  EXPECT_TRUE(scripts_of_language("").empty());
}

}  // namespace
}  // namespace touchstone::text
