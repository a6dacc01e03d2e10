#include "retrieval/searcher.hpp"

#include "tests/unit/retrieval/sample_index.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::retrieval {
namespace {

using testing::passage;
using testing::SampleIndex;

// Lengths 3, 4, 5 and 2; apple: 3 of 14 words, in 2 of 4 documents.
const std::string kCorpus = passage("a", "apple pie apple") + passage("b", "apple juice fresh orange") +
                            passage("c", "orange tree garden garden garden") + passage("d", "stone wall");
constexpr double kDocuments = 4, kWords = 14, kMeanLength = kWords / kDocuments, kInCorpus = 3, kInDocuments = 2;

std::map<std::string, double> scores(const Index& index, const Ranking& ranking) {
  std::map<std::string, double> found;
  for (const auto& hit : ranking) found[index.docid(hit.document)] = hit.score;
  return found;
}

class ScoresByHand : public ::testing::Test {
 protected:
  ScoresByHand() : sample_(kCorpus), index_(sample_.open()), searcher_(index_, "") {}

  /// Of apple in the documents a (2 of 3 words) and b (1 of 4 words).
  template <class Formula>
  void expect(WeightKind weight, const Formula& formula) {
    const auto found = scores(index_, searcher_.search({"t", Method::kWords, Field::kAll, weight}, {"q", "apple"}, 10));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found.at("a"), formula(2.0, 3.0), 1e-9);
    EXPECT_NEAR(found.at("b"), formula(1.0, 4.0), 1e-9);
  }

  SampleIndex sample_;
  Index index_;
  Searcher searcher_;
};

TEST_F(ScoresByHand, Bm25) {
  // Xapian keeps the weight of words in many documents above 0: below 2, the odds are halved and 1 is added.
  const double odds = (kDocuments - kInDocuments + .5) / (kInDocuments + .5);
  const double idf = std::log(odds < 2 ? odds / 2 + 1 : odds);
  expect(WeightKind::kBm25, [&](double tf, double length) {
    return idf * (.9 + 1) * tf / (tf + .9 * (1 - .4 + .4 * length / kMeanLength));
  });
}

TEST_F(ScoresByHand, Dph) {
  expect(WeightKind::kDph, [](double tf, double length) {
    const double f = tf / length;
    const double gain =
        tf * std::log2(tf * kMeanLength / length * kDocuments / kInCorpus) + .5 * std::log2(2 * M_PI * tf * (1 - f));
    return (1 - f) * (1 - f) / (tf + 1) * gain;
  });
}

TEST_F(ScoresByHand, Dirichlet) {
  expect(WeightKind::kDirichlet,
         [](double tf, double length) { return std::log(1e5 * (tf + 100 * kInCorpus / kWords) / (length + 100)); });
}

TEST_F(ScoresByHand, JelinekMercer) {
  expect(WeightKind::kJelinekMercer,
         [](double tf, double length) { return std::log(1e5 * (.3 * kInCorpus / kWords + .7 * tf / length)); });
}

TEST(Searcher, EqualScoresAreOrderedByDocidEvenWhereTheListEnds) {
  SampleIndex sample(passage("z", "red apple") + passage("m", "red apple") + passage("b", "red apple") +
                     passage("x", "stone"));
  const auto index = sample.open();
  Searcher searcher(index, "");
  const auto found = searcher.search(systems()[0], {"q", "apple"}, 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(index.docid(found[0].document), "b");
  EXPECT_EQ(index.docid(found[1].document), "m");
}

TEST(Searcher, EverySystemFindsTheDocumentThatHasTheWords) {
  std::string corpus;
  for (int i = 0; i < 20; ++i) {
    const auto number = std::to_string(i);
    corpus += passage("f" + number, "other words about nothing number" + number, "Thing " + number);
  }
  corpus += passage("lamp", "the lamp of the lighthouse burned oil", "Lighthouse lamp");
  SampleIndex sample(corpus, "A\tLighthouse lamp\nB\tLighthouse lamp\n", "en");
  const auto index = sample.open();
  Searcher searcher(index, "en");
  for (const auto& system : systems()) {
    if (!why_left_out(system, index).empty()) continue;
    const auto found = searcher.search(system, {"q", "lighthouse lamp"}, 5);
    ASSERT_FALSE(found.empty()) << system.tag;
    EXPECT_EQ(index.docid(found[0].document), "lamp") << system.tag;
  }
  EXPECT_GE(systems().size(), 14U);
}

TEST(Searcher, AnIndexOfTheWordsOfTheTopicsGivesTheSameScores) {
  std::mt19937_64 random(3);
  const auto word = [&] { return "w" + std::to_string(std::min(random() % 90, random() % 90)); };
  std::string corpus;
  for (int i = 0; i < 300; ++i) {
    std::string text, title = word() + " " + word();
    for (auto left = 1 + random() % 60; left > 0; --left) text += word() + " ";
    corpus += passage("p" + std::to_string(i * 37 % 300), text, title);
  }
  SampleIndex sample(corpus, "", "en");
  const auto whole = sample.open();
  const TermSet words{"w1", "w5", "w30", "w89"};
  sample.options.words = &words;
  const auto some = sample.open();
  EXPECT_TRUE(some.was_built()) << "an index of some words is not taken for one of all";
  EXPECT_EQ(some.open(Field::kAll).get_collection_freq("w2"), 0U);
  Searcher of_whole(whole, "en"), of_some(some, "en");
  for (const auto& system : systems()) {
    if (system.method != Method::kWords) continue;
    for (const char* query : {"w1", "w5 w30", "w1 w5 w30 w89 w89"}) {
      const auto expected = of_whole.search(system, {"q", query}, 50), found = of_some.search(system, {"q", query}, 50);
      ASSERT_EQ(found.size(), expected.size()) << system.tag;
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].document, expected[i].document) << system.tag << " " << query << " " << i;
        EXPECT_EQ(found[i].score, expected[i].score) << system.tag << " " << query << " " << i;
      }
    }
  }
}

TEST(Searcher, CocitationFindsPagesThatAreLinkedWithTheFirstDocuments) {
  SampleIndex sample(passage("1", "apple", "One") + passage("2", "second page", "Two") +
                         passage("3", "third page", "Three") + passage("4", "fourth page", "Four"),
                     "Hub\tOne\nHub\tTwo\nOther\tThree\nOther\tFour\n");
  const auto index = sample.open();
  Searcher searcher(index, "");
  const auto& cocitation = systems().back();
  ASSERT_EQ(cocitation.method, Method::kCocitation);
  const auto found = scores(index, searcher.search(cocitation, {"q", "apple"}, 10));
  EXPECT_EQ(found.size(), 2U);
  EXPECT_TRUE(found.contains("1") && found.contains("2"));
  EXPECT_TRUE(searcher.search(cocitation, {"q", "nothing"}, 10).empty()) << "it sees the query alone";
}

TEST(Searcher, LinksOfThePagesThatTopicsWereMadeFromAreHidden) {
  SampleIndex sample(passage("1", "apple", "One") + passage("2", "second page", "Two"),
                     "List of apples\tOne\nList of apples\tTwo\n");
  touchstone::testing::write_text(sample.folder / "queries.jsonl",
                                  "{\"_id\":\"q\",\"text\":\"apple\",\"metadata\":{\"page\":\"List of apples\"}}\n");
  EXPECT_FALSE(sample.open().links().has_links());
}

TEST(Searcher, InlinksMoveTheLinkedPageUp) {
  SampleIndex sample(passage("1", "apple", "One") + passage("2", "apple", "Two"), "A\tTwo\nB\tTwo\nC\tOne\n");
  const auto index = sample.open();
  Searcher searcher(index, "");
  const auto found = searcher.search({"t", Method::kInlinks, Field::kAll, WeightKind::kBm25}, {"q", "apple"}, 10);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(index.docid(found[0].document), "2");
  EXPECT_NEAR(found[0].score, 1 + 1, 1e-9);
  EXPECT_NEAR(found[1].score, 1 + std::log(2.0) / std::log(3.0), 1e-9);
}

TEST(Searcher, JapaneseQueriesFindJapaneseTexts) {
  SampleIndex sample(passage("ja-1", "出雲大社は島根県出雲市にある神社である。") +
                         passage("ja-2", "東京タワーは港区にある塔である。") +
                         passage("th", "วัดพระแก้วเป็นวัดในกรุงเทพมหานคร"),
                     "", "");
  const auto index = sample.open();
  Searcher searcher(index, "");
  const auto found = searcher.search(systems()[0], {"q", "出雲の神社"}, 10);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(index.docid(found[0].document), "ja-1");
  const auto thai = searcher.search(systems()[0], {"q", "กรุงเทพ"}, 10);
  ASSERT_EQ(thai.size(), 1U);
  EXPECT_EQ(index.docid(thai[0].document), "th");
}

}  // namespace
}  // namespace touchstone::retrieval
