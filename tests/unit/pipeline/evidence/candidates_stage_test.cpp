#include "common/files.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

using testing::simple_page;

/// Two members, 1 and 2, a redirect to each, and pages that speak of them.
std::string pages() {
  return simple_page(1, "Amber", "Amber is a light near [[Basil]].\n\n== Later ==\nStill lit.") +
         simple_page(2, "Basil", "Basil is a light.") + simple_page(3, "Old Amber", "#REDIRECT [[Amber]]", "Amber") +
         simple_page(4, "Lamp of Basil", "#REDIRECT [[Basil#Lamp]]", "Basil#Lamp") +
         simple_page(
             5, "Coast",
             "On the coast are [[Old Amber|one]], [[Lamp of Basil]] and [[Amber]].\n\n== Trade ==\nNo light.\n\n"
             "== Ships ==\nÜber [[Basil|ihm]]: ships.") +
         simple_page(6, "Table", "{|\n| [[Amber]]\n|}") + simple_page(7, "Unlinked", "Nothing of it.");
}

class CandidatesStage : public testing::StageFixture {
 protected:
  flow::StageReport report;

  /// The candidates of topics with these members.
  std::vector<TopicCandidates> candidates(const std::vector<std::vector<std::uint32_t>>& topics,
                                          const std::string& wiki = pages()) {
    if (pairs(storage::Family::kPage).empty()) fill_from_dump(wiki);
    std::vector<Group> groups;
    for (const auto& ids : topics) {
      auto& group = groups.emplace_back();
      group.topic = "t" + std::to_string(groups.size());
      for (const auto id : ids) group.members.push_back({PageId{id}, "", ""});
    }
    auto& discarded = groups.emplace_back();
    discarded.discarded = DiscardReason::kNoMember;
    write_groups(paths.file(kGroupsFile), groups);
    report = run(candidates_stage());
    std::vector<TopicCandidates> found;
    for_each_line(paths.file(kCandidatesFile), [&](std::string_view line, std::uint64_t) {
      found.push_back(candidates_from_line(line, "here"));
      return true;
    });
    return found;
  }
};

/// `page-ordinal` and the spans, for each passage of a member.
std::vector<std::string> texts(const TopicCandidates::Member& member) {
  std::vector<std::string> all;
  for (const auto& passage : member.passages) {
    std::string text = std::to_string(passage.page.value) + "-" + std::to_string(passage.ordinal);
    for (const auto& [begin, end] : passage.mentions) text += " " + std::to_string(begin) + ":" + std::to_string(end);
    all.push_back(std::move(text));
  }
  return all;
}

TEST_F(CandidatesStage, PassagesThatLinkToAMemberOrToARedirectOfItAreItsCandidates) {
  assignments = {"passages.scope=all"};
  const auto found = candidates({{1, 2}});
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].members.size(), 2U);
  EXPECT_EQ(found[0].members[0].page, PageId{1});
  EXPECT_EQ(texts(found[0].members[0]), (std::vector<std::string>{"1-0", "1-1", "5-0 17:20 40:45"}));
  EXPECT_EQ(texts(found[0].members[1]), (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35", "5-2 5:8"}));
  EXPECT_EQ(report.counts.at("candidates"), 7U);
  EXPECT_EQ(report.counts.at("members"), 2U);
}

TEST_F(CandidatesStage, TheScopeDecidesWhichPassagesThereAre) {
  const auto found = candidates({{2}});
  EXPECT_EQ(texts(found.at(0).members.at(0)), (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35"}));
}

TEST_F(CandidatesStage, OwnArticlesCanBeLeftOut) {
  assignments = {"passages.scope=all", "candidates.own_article=false"};
  EXPECT_EQ(texts(candidates({{1}}).at(0).members.at(0)), std::vector<std::string>{"5-0 17:20 40:45"});
}

TEST_F(CandidatesStage, TheFirstCandidatesOfAMemberAreKept) {
  assignments = {"passages.scope=all", "candidates.max_per_member=2"};
  EXPECT_EQ(texts(candidates({{2}}).at(0).members.at(0)), (std::vector<std::string>{"1-0 22:27", "2-0"}));
}

TEST_F(CandidatesStage, AMemberOfSeveralTopicsHasItsCandidatesInEach) {
  const auto found = candidates({{2, 1}, {1}, {7, 1}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].topic, "t1");
  EXPECT_EQ(found[0].members[0].page, PageId{2});
  EXPECT_EQ(texts(found[0].members[1]), texts(found[1].members[0]));
  EXPECT_EQ(texts(found[1].members[0]), texts(found[2].members[1]));
  EXPECT_EQ(texts(found[2].members[0]), std::vector<std::string>{"7-0"});
}

TEST_F(CandidatesStage, AMemberWithoutAnyIsListedAndCounted) {
  assignments = {"candidates.own_article=false"};
  const auto found = candidates({{7}});
  EXPECT_TRUE(found.at(0).members.at(0).passages.empty());
  EXPECT_EQ(report.counts.at("members without candidate"), 1U);
}

TEST_F(CandidatesStage, SnippetsAndParagraphsHaveTheirOwnOrdinals) {
  assignments = {"passages.scope=all", "passages.granularity=paragraph"};
  EXPECT_EQ(texts(candidates({{2}}).at(0).members.at(0)),
            (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35", "5-2 5:8"}));
  assignments.back() = "passages.granularity=snippet";
  assignments.push_back("passages.max_words=10");
  EXPECT_EQ(texts(candidates({{2}}).at(0).members.at(0)),
            (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35", "5-2 5:8"}));
}

TEST_F(CandidatesStage, TheFileIsTheSameAtAnyNumberOfThreads) {
  std::string wiki;
  for (std::uint32_t i = 1; i <= 300; ++i) {
    std::string text;
    for (std::uint32_t k = 1; k <= 9; ++k) text += "[[Page " + std::to_string(i * k % 300 + 1) + "]] is near. ";
    wiki += simple_page(i, "Page " + std::to_string(i), text);
  }
  std::vector<std::vector<std::uint32_t>> topics;
  for (std::uint32_t t = 0; t < 20; ++t) topics.push_back({t + 1, t * 7 + 2, 200 - t});
  threads = 1;
  candidates(topics, wiki);
  const auto one = read_file(paths.file(kCandidatesFile));
  threads = 4;
  candidates(topics);
  EXPECT_EQ(read_file(paths.file(kCandidatesFile)), one);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
