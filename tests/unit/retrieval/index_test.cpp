#include "retrieval/index.hpp"

#include "retrieval/runs.hpp"
#include "tests/support/error_message.hpp"
#include "tests/unit/retrieval/sample_index.hpp"

#include <charconv>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xapian.h>

namespace touchstone::retrieval {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::passage;
using testing::SampleIndex;
using touchstone::testing::message_of;

std::vector<fs::path> folders_in(const fs::path& place) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(place)) {
    if (entry.is_directory()) found.push_back(entry.path());
  }
  return found;
}

TEST(Index, IsUsedAgainForTheSameCorpusOnly) {
  SampleIndex sample(passage("a", "apple"));
  EXPECT_TRUE(sample.open().was_built());
  EXPECT_FALSE(sample.open().was_built());
  touchstone::testing::write_text(sample.folder / "corpus.jsonl", passage("a", "apples"));
  EXPECT_TRUE(sample.open().was_built());
  sample.options.stemmer = "en";
  EXPECT_TRUE(sample.open().was_built());
  EXPECT_EQ(folders_in(sample.folder / "work").size(), 3U);
}

TEST(Index, WhatAKilledRunLeftIsNeverTakenAndRemoved) {
  SampleIndex sample(passage("a", "apple") + passage("b", "pear"));
  const auto built = sample.open();
  auto folders = folders_in(sample.folder / "work");
  ASSERT_EQ(folders.size(), 1U);
  const auto partial = folders[0].string() + ".partial-abcdef";
  fs::create_directories(partial);
  fs::remove(folders[0] / "index.json");  // as if the run had been killed before it was done
  fs::remove_all(folders[0] / "all");
  const auto again = sample.open();
  EXPECT_TRUE(again.was_built());
  EXPECT_EQ(again.size(), 2U);
  EXPECT_FALSE(fs::exists(partial));
}

TEST(Index, KnowsItsDocuments) {
  SampleIndex sample(passage("b", "x") + passage("a", "y"));
  const auto index = sample.open();
  EXPECT_EQ(index.find("a"), 1);
  EXPECT_EQ(index.find("b"), 0);
  EXPECT_EQ(index.find("c"), -1);
  EXPECT_EQ(index.order(1), 0U);
  EXPECT_FALSE(index.has(Field::kTitle));
  EXPECT_TRUE(index.has(Field::kText));
}

TEST(Index, HasOnlyTheFieldsThatAreWanted) {
  SampleIndex sample(passage("a", "apple"));
  sample.options.fields = FieldSet();
  sample.options.fields.set(static_cast<std::size_t>(Field::kAll));
  const auto some = sample.open();
  EXPECT_TRUE(some.was_built());
  EXPECT_TRUE(some.has(Field::kAll));
  EXPECT_FALSE(some.has(Field::kText));
  EXPECT_EQ(some.open(Field::kAll).get_doccount(), 1U);
  sample.options.fields.set();
  const auto whole = sample.open();
  EXPECT_TRUE(whole.was_built()) << "an index of some fields is not taken for one of all";
  EXPECT_TRUE(whole.has(Field::kText));
}

TEST(Index, BadCorporaAreRefused) {
  const auto failure = [](const std::string& corpus) {
    SampleIndex sample(corpus);
    auto message = message_of([&] { sample.open(); });
    EXPECT_TRUE(folders_in(sample.folder / "work").empty()) << "no index is left";
    return message;
  };
  EXPECT_THAT(failure(""), HasSubstr("has no passage"));
  EXPECT_THAT(failure(passage("a", "x") + passage("a", "y")), HasSubstr("docid \"a\" a second time, as document 2"));
  EXPECT_THAT(failure(passage("a b", "x")), HasSubstr("which no run can hold"));
  EXPECT_THAT(failure(passage("", "x")), HasSubstr("which no run can hold"));
  EXPECT_THAT(failure("{\"_id\":\"a\"}\n"), HasSubstr("corpus.jsonl line 1"));
  EXPECT_THAT(failure(passage("a", "x") + "no json\n"), HasSubstr("corpus.jsonl line 2"));
}

TEST(Index, CollectionsWithoutCorpusOrTopicsAreRefused) {
  const touchstone::testing::TemporaryFolder folder;
  const auto failure = [&] { return message_of([&] { open_collection(folder.path(), {})->topics(); }); };
  EXPECT_THAT(failure(), HasSubstr("has no corpus"));
  touchstone::testing::write_text(folder / "corpus.jsonl", passage("a", "x"));
  EXPECT_THAT(failure(), HasSubstr("name a file of topics with --topics"));
  touchstone::testing::write_text(folder / "queries.train.tsv", "q\tx\n");
  EXPECT_THAT(failure(), HasSubstr("name one with --topics: " + (folder / "queries.train.tsv").string()));
  touchstone::testing::write_text(folder / "queries.jsonl", "");
  EXPECT_THAT(failure(), HasSubstr("has no topic;"));
  touchstone::testing::write_text(folder / "queries.jsonl",
                                  "{\"_id\":\"q\",\"text\":\"x\"}\n{\"_id\":\"q\",\"text\":\"y\"}\n");
  EXPECT_THAT(failure(), HasSubstr("a second time"));
  EXPECT_THAT(message_of([&] { open_collection(folder / "absent", {}); }), HasSubstr("is not a directory"));
  SourceOptions entities;
  entities.unit = Unit::kEntities;
  EXPECT_THAT(message_of([&] { open_collection(folder.path(), entities); }),
              HasSubstr("is not an automatic collection"));
}

TEST(Index, LinksOfAFileMustHaveTwoColumns) {
  SampleIndex sample(passage("a", "x", "A"), "one column\n");
  EXPECT_THAT(message_of([&] { sample.open(); }), HasSubstr("links.tsv line 1 does not have two columns"));
}

TEST(Run, ScoresFallStrictlyAlsoInSinglePrecision) {
  SampleIndex sample(passage("a", "x") + passage("b", "x") + passage("c", "x") + passage("d", "x"));
  const auto index = sample.open();
  const auto text = run_lines(index, "t", {{2, 5.0}, {0, 5.0}, {1, 4.9999999999}, {3, 1e-9}}, "tag");
  EXPECT_EQ(text.substr(0, 16), "t Q0 c 1 5 tag\nt");
  std::vector<float> scores;
  for (const auto score : internal::strictly_descending({{2, 5.0}, {0, 5.0}, {1, 4.9999999999}, {3, 1e-9}}))
    scores.push_back(score);
  for (std::size_t i = 1; i < scores.size(); ++i) EXPECT_LT(scores[i], scores[i - 1]);
}

TEST(LinkGraph, InverseListsHoldEachPlace) {
  NumberLists lists;
  const std::uint32_t first[] = {0, 2}, third[] = {2};
  lists.add(first);
  lists.add({});
  lists.add(third);
  const auto inverse = lists.inverse(3);
  ASSERT_EQ(inverse.size(), 3U);
  EXPECT_EQ(inverse[0].size(), 1U);
  EXPECT_TRUE(inverse[1].empty());
  ASSERT_EQ(inverse[2].size(), 2U);
  EXPECT_EQ(inverse[2][1], 2U);
}

}  // namespace
}  // namespace touchstone::retrieval
