#include "pipeline/judging/lexical/corpus_statistics.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

TEST(CorpusStatistics, RareWordsWeighMoreAndUnwatchedOnesAreNotCounted) {
  CorpusStatistics statistics;
  statistics.watch("rare");
  statistics.watch("common");
  const auto term = [](const char* stem) { return text::Term{stem, 0, 0, 0}; };
  for (int i = 0; i < 100; ++i) statistics.add_passage({term("common"), term("common"), term("other")});
  statistics.add_passage({term("rare")});
  EXPECT_EQ(statistics.passages(), 101U);
  EXPECT_EQ(statistics.frequency("common"), 100U);
  EXPECT_EQ(statistics.frequency("rare"), 1U);
  EXPECT_EQ(statistics.frequency("other"), 0U);
  EXPECT_GT(statistics.idf("rare"), statistics.idf("common"));
  EXPECT_GE(statistics.idf("common"), 0);
}

TEST(CorpusStatistics, AWordThatIsMostlyInUpperCaseIsAName) {
  CorpusStatistics statistics;
  text::TermSplitter splitter("");
  for (const auto* word : {"asia", "group", "unseen"}) statistics.watch(word);
  for (const auto* text : {"Asia", "Asia and asia", "all of Asia", "a group", "Group"})
    statistics.add_passage(splitter.split(text));
  EXPECT_TRUE(statistics.is_name("asia"));
  EXPECT_FALSE(statistics.is_name("group"));
  EXPECT_TRUE(statistics.is_name("unseen"));
}

TEST(CorpusStatistics, PartsAddUpToTheWhole) {
  const auto term = [](const char* stem) { return text::Term{stem, 0, 0, 0}; };
  CorpusStatistics whole;
  whole.watch("a");
  CorpusStatistics part = whole;
  whole.add_passage({term("a")});
  part.add_passage({term("a"), term("b")});
  whole.merge(part);
  EXPECT_EQ(whole.passages(), 2U);
  EXPECT_EQ(whole.frequency("a"), 2U);
}

}  // namespace
}  // namespace touchstone::pipeline::judging::lexical
