#include "common/files.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/passages/passage_repeats.hpp"
#include "pipeline/passages/stages.hpp"
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
  flow::StageReport report, composed;  ///< of the candidates, and of the passages
  std::vector<PageId> list_pages;      ///< by topic; may be shorter

  CandidatesStage() { assignments = kEveryText; }
  /// The rules about texts that are not passages have tests of their own.
  static inline const std::vector<std::string> kEveryText = {"passages.min_words=0", "passages.max_link_share=1"};

  /// The candidates of topics with these members.
  std::vector<TopicCandidates> candidates(const std::vector<std::vector<std::uint32_t>>& topics,
                                          const std::string& wiki = pages()) {
    if (pairs(storage::Family::kPage).empty()) fill_from_dump(wiki);
    std::vector<Group> groups;
    for (const auto& ids : topics) {
      auto& group = groups.emplace_back();
      group.topic = "t" + std::to_string(groups.size());
      if (groups.size() <= list_pages.size()) group.page_id = list_pages[groups.size() - 1];
      for (const auto id : ids) group.members.push_back({PageId{id}, "", ""});
    }
    auto& discarded = groups.emplace_back();
    discarded.discarded = DiscardReason::kNoMember;
    GroupFile::write(paths.file(kGroupsFile), groups);
    run(passages::boilerplate_stage());
    composed = run(passages::passages_stage());
    report = run(candidates_stage());
    return CandidateFile::read(paths.file(kCandidatesFile));
  }
};

/// The repeats that the stage passages found, as "page-ordinal is page-ordinal".
std::vector<std::string> listed_repeats(const flow::WorkPaths& paths) {
  const auto name = [](const passages::PassagePlace& place) {
    return std::to_string(place.page.value) + "-" + std::to_string(place.ordinal);
  };
  std::vector<std::string> all;
  for (const auto& repeat : records::RecordFile<passages::PassageRepeat>::read(paths.file(kRepeatsFile)))
    all.push_back(name(repeat.place) + (repeat.exact ? " is " : " is nearly ") + name(repeat.representative));
  return all;
}

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
  assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.scope=all"};
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
  assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.scope=all",
                 "candidates.own_article=false"};
  EXPECT_EQ(texts(candidates({{1}}).at(0).members.at(0)), std::vector<std::string>{"5-0 17:20 40:45"});
}

TEST_F(CandidatesStage, TheFirstCandidatesOfAMemberAreKept) {
  assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.scope=all",
                 "candidates.max_per_member=2"};
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
  assignments = {"passages.min_words=0", "candidates.own_article=false"};
  const auto found = candidates({{7}});
  EXPECT_TRUE(found.at(0).members.at(0).passages.empty());
  EXPECT_EQ(report.counts.at("members without candidate"), 1U);
}

TEST_F(CandidatesStage, SnippetsAndParagraphsHaveTheirOwnOrdinals) {
  assignments = {"passages.min_words=0", "passages.max_link_share=1", "passages.scope=all",
                 "passages.granularity=paragraph"};
  EXPECT_EQ(texts(candidates({{2}}).at(0).members.at(0)),
            (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35", "5-2 5:8"}));
  assignments.back() = "passages.granularity=snippet";
  assignments.push_back("passages.max_words=10");
  EXPECT_EQ(texts(candidates({{2}}).at(0).members.at(0)),
            (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35", "5-2 5:8"}));
}

TEST_F(CandidatesStage, AListPageIsNoCandidateOfItsOwnTopic) {
  list_pages = {PageId{5}};
  const auto found = candidates({{2}, {2}});
  EXPECT_EQ(texts(found.at(0).members.at(0)), (std::vector<std::string>{"1-0 22:27", "2-0"}));
  EXPECT_EQ(texts(found.at(1).members.at(0)), (std::vector<std::string>{"1-0 22:27", "2-0", "5-0 22:35"}));
  EXPECT_EQ(report.counts.at("candidates left out on their list page"), 1U);
  assignments.push_back("candidates.list_page=true");
  EXPECT_EQ(texts(candidates({{2}, {2}}).at(0).members.at(0)).size(), 3U);
}

/// Three pages with one text, of which the second links to the member, and two that differ in a link or a number.
std::string repeats() {
  const std::string text =
      "lights of the outer islands were lit by keepers who came from the harbour each evening and went home";
  return simple_page(1, "Amber", "Amber is a light.") + simple_page(2, "Basil", "The " + text + " to Amber.") +
         simple_page(3, "Coast", "The " + text + " to [[Amber]].") +
         simple_page(4, "Dune", "The " + text + " to Amber!") +
         simple_page(5, "Elder", "In 1901 the " + text + " to Amber.") +
         simple_page(6, "Fern", "In 1902 the " + text + " to Amber.");
}

TEST_F(CandidatesStage, RepeatsAreOneCandidateWithTheMentionsOfAll) {
  const auto found = candidates({{1}}, repeats());
  EXPECT_EQ(texts(found.at(0).members.at(0)), (std::vector<std::string>{"1-0", "2-0 108:113"}));
  EXPECT_EQ(listed_repeats(paths), (std::vector<std::string>{"3-0 is 2-0", "4-0 is nearly 2-0"}));
  EXPECT_EQ(composed.rejected.at("passage that repeats another one exactly"), 1U);
  EXPECT_EQ(composed.rejected.at("passage that is nearly the same as another one"), 1U);
}

TEST_F(CandidatesStage, RepeatsCanBeKept) {
  assignments.push_back("passages.repeats=keep");
  EXPECT_EQ(texts(candidates({{1}}, repeats()).at(0).members.at(0)), (std::vector<std::string>{"1-0", "3-0 108:113"}));
  EXPECT_TRUE(listed_repeats(paths).empty());
  assignments.back() = "passages.repeats=exact";
  candidates({{1}});
  EXPECT_EQ(listed_repeats(paths), std::vector<std::string>{"3-0 is 2-0"});
}

TEST_F(CandidatesStage, SentencesOnManyPagesAreLeftOutAndLinksMoveUp) {
  assignments.push_back("passages.boilerplate_pages=3");
  std::string wiki = simple_page(1, "Amber", "Amber is a light.");
  for (std::uint32_t i = 2; i <= 5; ++i) {
    const auto name = std::to_string(i);
    wiki += simple_page(i, "Page " + name, "This page is about lights. Light " + name + " is near [[Amber]] today.");
  }
  const auto found = candidates({{1}}, wiki);
  EXPECT_EQ(texts(found.at(0).members.at(0)),
            (std::vector<std::string>{"1-0", "2-0 16:21", "3-0 16:21", "4-0 16:21", "5-0 16:21"}));
  EXPECT_EQ(composed.rejected.at("sentence that recurs on many pages"), 4U);
  const auto listed = read_file(paths.file(kBoilerplateFile));
  EXPECT_NE(listed.find("\t4\tThis page is about lights.\n"), std::string::npos) << listed;
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
  const auto repeats = read_file(paths.file(kRepeatsFile));
  threads = 4;
  candidates(topics);
  EXPECT_EQ(read_file(paths.file(kCandidatesFile)), one);
  EXPECT_EQ(read_file(paths.file(kRepeatsFile)), repeats);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
