#include "pipeline/evidence/wording/keyword_query.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

std::string keywords(const std::vector<std::string>& parts, const char* stemmer = "english",
                     const char* language = "en") {
  text::TermSplitter splitter(stemmer);
  return keyword_query(splitter, language, parts);
}

TEST(KeywordQuery, EachWordIsSaidOnce) {
  EXPECT_EQ(keywords({"Enchanted crossbow bolts", "Ranged (crossbow)"}), "enchanted crossbow bolts ranged");
  EXPECT_EQ(keywords({"Cooking", "Types of food"}), "cooking types of food");
  EXPECT_EQ(keywords({"Shrines in Ostrand", "Lights in Ostrand"}), "shrines in ostrand lights");
  EXPECT_EQ(keywords({"Light", "The lights"}), "light");
  EXPECT_EQ(keywords({"Poole Town F.C. players."}), "poole town F.C. players");
  EXPECT_EQ(keywords({"C++ and Mr. O'Hara's AC-4"}), "c++ and mr O'Hara's AC-4");
  EXPECT_EQ(keywords({"オストラの灯台", "島"}, ""), "オストラの灯台 島");
}

TEST(KeywordQuery, FormsOfOneWordAreSaidOnce) {
  EXPECT_EQ(keywords({"Player", "Players"}), "player");
  EXPECT_EQ(keywords({"Enchanted crossbow bolts", "Ranged", "Crossbow bolts"}), "enchanted crossbow bolts ranged");
  EXPECT_EQ(keywords({"Zamki Podgórza", "Zamek"}, "", "pl"), "zamki podgórza zamek")
      << "without a stemmer, short words that differ in their ends may be others";
  EXPECT_EQ(keywords({"Районъяс", "Районын"}, "", "kv"), "районъяс районын");
  EXPECT_EQ(keywords({"Карелия", "Карелии"}, "", "kv"), "карелия");
}

TEST(KeywordQuery, PrepositionsOfTheLanguageAreNoWords) {
  EXPECT_EQ(keywords({"Communes du canton de Valmer", "Rive de la Loue"}, "french", "fr"),
            "communes du canton de valmer rive de la loue");
  text::TermSplitter splitter("german");
  EXPECT_EQ(count_meaning_words(splitter, "de", "Burgen in der Rhön"), 2);
  EXPECT_EQ(count_meaning_words(splitter, "de", "der Rhön"), 1);
}

TEST(KeywordQuery, LanguagesInTitlesAreNoWords) {
  EXPECT_EQ(title_words("fr/Manual/Trains"), "Manual Trains");
  EXPECT_EQ(title_words("fr/Manual/Base Set/Goods trains"), "Goods trains");
  EXPECT_EQ(title_words("Neo_FreeRunner/de"), "Neo FreeRunner");
  EXPECT_EQ(title_words("de"), "de");
}

TEST(KeywordQuery, GlossesInAnotherScriptAreLeftOut) {
  EXPECT_EQ(without_other_script("Shikinaisha (式内社)", "en"), "Shikinaisha");
  EXPECT_EQ(without_other_script("Mercury (planet)", "en"), "Mercury (planet)");
  EXPECT_EQ(without_other_script("式内社 (Shikinaisha)", "ja"), "式内社 (Shikinaisha)");
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::wording
