#include "pipeline/passages/near_duplicates/finder.hpp"

#include "common/error.hpp"
#include "pipeline/passages/near_duplicates/overlap.hpp"
#include "pipeline/passages/near_duplicates/word_bigrams.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

using Texts = std::vector<std::string>;

Groups groups_of(const Texts& texts, const NearDuplicatesOptions& options = {}, int threads = 1,
                 const std::filesystem::path& folder = std::filesystem::temp_directory_path()) {
  Finder finder(options, folder);
  for (std::size_t i = 0; i < texts.size(); ++i) finder.add("p" + std::to_string(i), texts[i]);
  return finder.finish(threads, StopFlag());
}

std::vector<std::size_t> representatives(const Groups& groups) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < groups.size(); ++i) all.push_back(groups.representative(i));
  return all;
}

using Numbers = std::vector<std::size_t>;

/// Sentences that repeat each other with some words changed; the same ones for a seed.
Texts varied_texts(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto word = [&](unsigned bound) { return "w" + std::to_string(random() % bound); };
  Texts texts;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || random() % 3 == 0) {
      std::string text;
      for (auto length = 1 + random() % 30; length > 0; --length) text += word(2000) + " ";
      texts.push_back(text);
      continue;
    }
    std::string copy;
    const auto percent = random() % 50;
    std::istringstream words(texts[random() % texts.size()]);
    for (std::string old; words >> old;) copy += (random() % 100 < percent ? word(2000) : old) + " ";
    texts.push_back(copy);
  }
  return texts;
}

TEST(NearDuplicates, TheFirstParagraphStandsForTextsThatShareHalfOfTheirBigrams) {
  // 6 and 6 bigrams, 4 of them shared: 4 of 8.
  const auto groups =
      groups_of({"the old light stands on a rock", "the old light stands on the hill", "nothing shared at all"});
  EXPECT_EQ(representatives(groups), (Numbers{0, 0, 2}));
}

TEST(NearDuplicates, JustBelowTheThresholdIsNoDuplicate) {
  // 5 and 5 bigrams, 3 of them shared: 3 of 7.
  EXPECT_EQ(representatives(groups_of({"the old light stands on rock", "the old light stands in town"})),
            (Numbers{0, 1}));
  NearDuplicatesOptions options;
  options.threshold = 3.0 / 7;
  EXPECT_EQ(representatives(groups_of({"the old light stands on rock", "the old light stands in town"}, options)),
            (Numbers{0, 0}));
}

TEST(NearDuplicates, MeasuresDiffer) {
  const Texts texts{"a b c d e f g h i", "x a b c d y"};  // 8 and 5 bigrams, 3 shared
  NearDuplicatesOptions options;
  EXPECT_EQ(representatives(groups_of(texts, options)), (Numbers{0, 1}));  // 3 of 10
  options.measure = OverlapMeasure::kContainment;
  EXPECT_EQ(representatives(groups_of(texts, options)), (Numbers{0, 0}));  // 3 of 5
  options.measure = OverlapMeasure::kDice;
  EXPECT_EQ(representatives(groups_of(texts, options)), (Numbers{0, 1}));  // 6 of 13
  options.threshold = 6.0 / 13;
  EXPECT_EQ(representatives(groups_of(texts, options)), (Numbers{0, 0}));
}

TEST(NearDuplicates, CaseAndPunctuationDoNotMatter) {
  const auto groups = groups_of({"Shrine of Ise", "shrine, of ISE!", "Shrine of Ise"});
  EXPECT_EQ(representatives(groups), (Numbers{0, 0, 0}));
  EXPECT_EQ(groups.statistics().exact_duplicates, 1U);
  EXPECT_EQ(groups.statistics().same_bigrams, 1U);
}

TEST(NearDuplicates, TextsWithFewerThanTwoWordsMatchOnlyTheSameWord) {
  const auto groups = groups_of({"Time", "time.", "Time flies", "Space", "...", "—", "...", "", ""});
  EXPECT_EQ(representatives(groups), (Numbers{0, 0, 2, 3, 4, 5, 4, 7, 7}));
  EXPECT_EQ(groups.statistics().without_words, 3U);
}

TEST(NearDuplicates, JapaneseTextWithoutBlanksIsCompared) {
  const auto groups = groups_of({"応神天皇を主祭神とし、仁徳天皇をあわせ祀る。",
                                 "応神天皇を主祭神とし、仁徳天皇をもあわせ祀る。", "岐阜市指定文化財"});
  EXPECT_EQ(representatives(groups), (Numbers{0, 0, 2}));
}

TEST(NearDuplicates, AChainOfPairsIsNoGroup) {
  // Each text shares half with its neighbours, the first and the last share nothing.
  const Texts texts{"a b c d e", "c d e", "c d e f g", "e f g", "e f g h i"};
  const auto groups = groups_of(texts);
  EXPECT_EQ(groups.representative(1), 0U);
  EXPECT_NE(groups.representative(4), 0U);
}

TEST(NearDuplicates, IdsComeWithTheirRepresentatives) {
  Finder finder(NearDuplicatesOptions{}, std::filesystem::temp_directory_path());
  finder.add("z", "one two three");
  finder.add("m", "something else");
  finder.add("b", "something else!");
  finder.add("a", "one two three.");
  finder.add("a", "one two three.");
  auto groups = finder.finish(1, StopFlag());
  std::vector<std::pair<std::string, std::string>> found;
  groups.for_each_replaced([&](std::string_view id, std::string_view by) { found.emplace_back(id, by); });
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::string>>{{"a", "z"}, {"a", "z"}, {"b", "m"}}));
}

TEST(NearDuplicates, AnIdWithTwoTextsIsRefused) {
  Finder finder(NearDuplicatesOptions{}, std::filesystem::temp_directory_path());
  finder.add("a", "one two");
  finder.add("a", "three four");
  EXPECT_THROW(finder.finish(1, StopFlag()), Error);
}

TEST(NearDuplicates, NothingIsFound) {
  EXPECT_EQ(groups_of({}).size(), 0U);
  EXPECT_EQ(groups_of({}).statistics().groups, 0U);
}

TEST(NearDuplicates, SwitchedOffEachParagraphStandsForItself) {
  NearDuplicatesOptions options;
  options.enabled = false;
  const auto groups = groups_of({"one two", "one two"}, options);
  EXPECT_EQ(representatives(groups), (Numbers{0, 1}));
  EXPECT_EQ(groups.statistics().representatives, 2U);
}

TEST(NearDuplicates, AStopEndsTheSearch) {
  Finder finder(NearDuplicatesOptions{}, std::filesystem::temp_directory_path());
  finder.add("a", "one two");
  StopFlag stop;
  stop.request();
  EXPECT_THROW(finder.finish(1, stop), Interrupted);
}

TEST(NearDuplicates, NeitherThreadsNorMemoryChangeWhatIsFound) {
  const testing::TemporaryFolder folder;
  const Texts texts = varied_texts(20000, 7);
  const auto expected = groups_of(texts);
  NearDuplicatesOptions little;
  little.memory_bytes = 1 << 20;
  for (const int threads : {1, 4}) {
    const auto groups = groups_of(texts, little, threads, folder.path());
    EXPECT_EQ(representatives(groups), representatives(expected));
    EXPECT_EQ(groups.statistics().same_bigrams, expected.statistics().same_bigrams);
    EXPECT_EQ(groups.statistics().largest_group, expected.statistics().largest_group);
    EXPECT_EQ(groups.statistics().compared_pairs, expected.statistics().compared_pairs);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// The sets of bigrams of the texts, computed apart from the finder.
std::vector<std::vector<std::uint64_t>> bigrams_of(const Texts& texts) {
  std::vector<std::vector<std::uint64_t>> all;
  WordHasher hasher;
  for (const auto& text : texts) word_bigrams(hasher.words(text), all.emplace_back());
  return all;
}

TEST(NearDuplicates, GroupsKeepTheirPromises) {
  const OverlapCriterion criterion(OverlapMeasure::kJaccard, 0.5);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Texts texts = varied_texts(1500, seed);
    const auto groups = groups_of(texts);
    const auto bigrams = bigrams_of(texts);
    std::uint64_t own = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t first = groups.representative(i);
      ASSERT_LE(first, i);
      EXPECT_EQ(groups.representative(first), first);
      if (first != i) {
        EXPECT_TRUE(texts[i] == texts[first] || criterion.holds(bigrams[i], bigrams[first])) << texts[i] << "\n"
                                                                                             << texts[first];
      }
      own += first == i ? 1 : 0;
    }
    const auto& found = groups.statistics();
    EXPECT_EQ(found.representatives, own);
    EXPECT_EQ(found.paragraphs, own + found.exact_duplicates + found.same_bigrams + found.near_duplicates);
    EXPECT_GT(found.near_duplicates, 50U);
  }
}

/// Long texts, pieces of them, and pieces with other words around, in random order.
Texts texts_and_pieces(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Texts texts = varied_texts(count / 2, seed);
  while (texts.size() < count) {
    std::istringstream words(texts[random() % (count / 2)]);
    const auto skipped = random() % 20, kept = 1 + random() % 8;
    std::string piece = random() % 2 == 0 ? "" : "other" + std::to_string(random() % 50) + " ", word;
    for (std::size_t i = 0; words >> word && i < skipped + kept; ++i) piece += i < skipped ? "" : word + " ";
    texts.push_back(piece);
  }
  std::shuffle(texts.begin(), texts.end(), random);
  return texts;
}

TEST(NearDuplicates, ContainmentFindsWhatComparingAllFinds) {
  for (const double threshold : {0.3, 0.5, 0.8, 1.0}) {
    SCOPED_TRACE(threshold);
    NearDuplicatesOptions options;
    options.measure = OverlapMeasure::kContainment;
    options.threshold = threshold;
    const OverlapCriterion criterion(options.measure, options.threshold);
    const Texts texts = texts_and_pieces(2500, 21);
    const auto bigrams = bigrams_of(texts);
    const auto groups = groups_of(texts, options, 2);
    EXPECT_EQ(representatives(groups_of(texts, options, 1)), representatives(groups));
    EXPECT_EQ(groups.statistics().uncertain, 0U);
    std::vector<std::size_t> exact;
    std::size_t longer = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::size_t j = 0;
      const auto is_same = [&] { return texts[i] == texts[j] || bigrams[i] == bigrams[j]; };
      while (j < i && !(exact[j] == j && (is_same() || criterion.holds(bigrams[i], bigrams[j])))) ++j;
      exact.push_back(j);
      longer += bigrams[j].size() > 3 * bigrams[i].size() ? 1 : 0;
      EXPECT_EQ(groups.representative(i), j) << texts[i] << "\n" << texts[j];
    }
    EXPECT_GT(longer, 50U);
  }
}

TEST(NearDuplicates, NearlyAllPairsAreFound) {
  const OverlapCriterion criterion(OverlapMeasure::kJaccard, 0.5);
  const Texts texts = varied_texts(3000, 11);
  const auto bigrams = bigrams_of(texts);
  const auto groups = groups_of(texts);
  std::vector<std::size_t> exact;
  std::size_t same = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::size_t j = 0;
    while (j < i && !(exact[j] == j && criterion.holds(bigrams[i], bigrams[j]))) ++j;
    exact.push_back(j);
    same += groups.representative(i) == j ? 1 : 0;
  }
  EXPECT_GE(static_cast<double>(same), 0.98 * static_cast<double>(texts.size()));
}

TEST(NearDuplicates, TheSameTextsInAnyOrderAreOneGroup) {
  Texts texts;
  for (int i = 0; i < 50; ++i)
    texts.push_back("the village of " + std::to_string(i) + " lies in the north of the old province near the lake");
  EXPECT_EQ(groups_of(texts).statistics().groups, 1U);
  std::reverse(texts.begin(), texts.end());
  const auto groups = groups_of(texts);
  EXPECT_EQ(groups.statistics().groups, 1U);
  EXPECT_EQ(groups.statistics().largest_group, 50U);
}

TEST(NearDuplicates, ManyStubsThatShareLessThanHalfAreBoundedAndCounted) {
  // All share 8 of 21 bigrams; the rest is their own. No two are near-duplicates, all are candidates of all.
  Texts texts;
  for (int i = 0; i < 6000; ++i) {
    std::string text = "a shrine in the old province near the lake";
    for (int k = 0; k < 6; ++k) text += " own" + std::to_string(10 * i + k);
    texts.push_back(text);
  }
  const auto groups = groups_of(texts, {}, 2);
  EXPECT_EQ(groups.statistics().groups, 0U);
  EXPECT_GT(groups.statistics().uncertain, 0U);
  EXPECT_LE(groups.statistics().compared_pairs, 2 * 512 * texts.size());
  EXPECT_EQ(representatives(groups), representatives(groups_of(texts)));
}

TEST(NearDuplicates, WordVectorsProposeTheCandidates) {
  const testing::TemporaryFolder folder;
  NearDuplicatesOptions options;
  options.vectors = (folder / "vectors.txt").string();
  {
    std::ofstream file(options.vectors);
    std::mt19937 random(3);
    for (int word = 0; word < 2000; ++word) {
      file << 'w' << word;
      for (int d = 0; d < 50; ++d) file << ' ' << static_cast<double>(random() % 2001) / 1000.0 - 1.0;
      file << '\n';
    }
  }
  Texts texts = varied_texts(1000, 5);
  texts.push_back("no word of this has a vector");
  texts.push_back("no word of this has a vector here");
  const auto by_vectors = groups_of(texts, options);
  EXPECT_EQ(by_vectors.statistics().without_vector, 2U);
  EXPECT_EQ(by_vectors.representative(1001), 1000U);
  EXPECT_EQ(representatives(by_vectors), representatives(groups_of(texts, options, 2)));
  const auto by_min_hash = groups_of(texts);
  EXPECT_GT(by_vectors.statistics().near_duplicates, by_min_hash.statistics().near_duplicates * 8 / 10);
}

}  // namespace
}  // namespace touchstone::pipeline::passages::near_duplicates
