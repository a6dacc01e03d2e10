#include "pipeline/difference/label_changes.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::difference {
namespace {

ComparedPassage passage(const std::string& docid, std::uint64_t page, const std::string& text,
                        const std::string& title = "") {
  return {docid, page, 1, title.empty() ? "Page " + std::to_string(page) : title, "Lead", xxh3_128(text)};
}

ComparedTopic topic(const std::string& id, std::vector<ComparedMember> members, const std::string& query = "names") {
  return {id, query, 7, "List", "Section of " + id, std::move(members)};
}

/// Two topics, three pages with a passage each, three labels.
ComparedCollection base() {
  ComparedCollection collection;
  collection.topics = {topic("a", {{1, "One"}, {2, "Two"}}), topic("b", {{3, "Three"}})};
  collection.passages = {passage("w-1-0", 1, "first"), passage("w-2-0", 2, "second"), passage("w-3-0", 3, "third")};
  collection.labels = {{0, 0, 1, {{1, 1}}}, {0, 1, 1, {{2, 1}}}, {1, 2, 0, {{3, 0}}}};
  return collection;
}

std::vector<std::pair<std::string_view, LabelReason>> reasons(const Comparison& comparison) {
  std::vector<std::pair<std::string_view, LabelReason>> reasons;
  for (const auto& change : comparison.labels) {
    const auto& name = change.old_passage != kNoPart ? comparison.before.passages[change.old_passage].docid
                                                     : comparison.after.passages[change.new_passage].docid;
    reasons.emplace_back(name, change.reason);
  }
  return reasons;
}

using Reasons = std::vector<std::pair<std::string_view, LabelReason>>;

TEST(LabelChanges, OneCollectionTwiceHasNoChange) {
  const auto comparison = compare_collections(base(), base());
  EXPECT_EQ(comparison.labels_kept, 3U);
  EXPECT_TRUE(comparison.labels.empty());
  EXPECT_TRUE(comparison.members.empty());
  for (const auto& pair : comparison.topics.pairs) EXPECT_EQ(pair.change, TopicChange::kSame);
  for (const auto& pair : comparison.passages.pairs) EXPECT_EQ(pair.change, PassageChange::kSame);
}

TEST(LabelChanges, AnEditedPageAndAPageThatIsGoneAreTheReasons) {
  auto after = base();
  after.passages = {passage("w-1-0", 1, "first, edited"), passage("w-3-0", 3, "third")};
  after.passages[0].revision = 2;
  after.labels = {{0, 0, 0, {{1, 0}}}, {1, 1, 0, {{3, 0}}}};
  const auto comparison = compare_collections(base(), after);
  EXPECT_EQ(reasons(comparison), (Reasons{{"w-1-0", LabelReason::kPageEdited}, {"w-2-0", LabelReason::kPageDeleted}}));
  EXPECT_EQ(comparison.labels_kept, 1U);
}

TEST(LabelChanges, AMemberThatLeftIsTheReason) {
  auto after = base();
  after.topics[0].members = {{1, "One"}};
  after.labels = {{0, 0, 1, {{1, 1}}}, {1, 2, 0, {{3, 0}}}};
  const auto comparison = compare_collections(base(), after);
  ASSERT_EQ(comparison.members.size(), 1U);
  EXPECT_EQ(comparison.members[0].title, "Two");
  EXPECT_FALSE(comparison.members[0].added);
  EXPECT_EQ(reasons(comparison), (Reasons{{"w-2-0", LabelReason::kListEdited}}));
}

TEST(LabelChanges, TheSameQuestionWithAnotherGradeIsTheJudge) {
  auto after = base();
  after.labels[2].grade = 1;
  after.labels[2].members = {{3, 1}};
  const auto comparison = compare_collections(base(), after);
  EXPECT_EQ(reasons(comparison), (Reasons{{"w-3-0", LabelReason::kJudgeChanged}}));
  EXPECT_EQ(comparison.labels[0].old_grade, 0);
  EXPECT_EQ(comparison.labels[0].new_grade, 1);
}

TEST(LabelChanges, ARewordedQueryAMovedPageAndALinkAreToldApart) {
  auto after = base();
  after.topics[1].query = "other names";
  after.passages[0].page = "One, renamed";
  after.labels = {{0, 0, 0, {{1, 0}}}, {1, 2, 1, {{3, 1}}}};
  const auto comparison = compare_collections(base(), after);
  EXPECT_EQ(reasons(comparison), (Reasons{{"w-1-0", LabelReason::kPageMoved},
                                          {"w-2-0", LabelReason::kRedirectChanged},
                                          {"w-3-0", LabelReason::kQueryReworded}}));
  EXPECT_EQ(comparison.topics.pairs[1].change, TopicChange::kReworded);
}

TEST(LabelChanges, TopicsAreFoundAgainByTheirListOrTheirMembers) {
  auto after = base();
  after.topics = {topic("c", {{3, "Three"}}), topic("d", {{9, "Nine"}})};
  after.topics[0].page_id = 8;
  after.labels = {{0, 2, 0, {{3, 0}}}, {1, 0, 1, {{9, 1}}}};
  const auto comparison = compare_collections(base(), after);
  EXPECT_EQ(comparison.topics.new_of_old, (std::vector<std::uint32_t>{kNoPart, 0}));
  EXPECT_EQ(comparison.topics.pairs[0].change, TopicChange::kGone);
  EXPECT_EQ(comparison.topics.pairs[1].change, TopicChange::kRenamed);
  EXPECT_EQ(reasons(comparison), (Reasons{{"w-1-0", LabelReason::kTopicGone},
                                          {"w-2-0", LabelReason::kTopicGone},
                                          {"w-1-0", LabelReason::kTopicAdded}}));
  EXPECT_EQ(comparison.labels_kept, 1U);

  auto renamed = base();  // the list page has another title, and so the topics have other ids
  renamed.topics[0].id = "y";
  renamed.topics[1].id = "z";
  const auto moved = compare_collections(base(), renamed);
  EXPECT_EQ(moved.topics.new_of_old, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(moved.labels.empty());

  renamed.labels[2].grade = 1;
  renamed.topics[1].page = "Another title";
  EXPECT_EQ(reasons(compare_collections(base(), renamed)), (Reasons{{"w-3-0", LabelReason::kListMoved}}));
}

TEST(LabelChanges, AliasesRevisionsAndJudgesAreToldApart) {
  auto after = base();
  after.topics[0].members[0].aliases = "First";
  after.labels[0] = {0, 0, 0, {{1, 0}}};
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kAliasesChanged}}));
  after = base();
  after.topics[0].members[0].title = "The first";
  after.labels[0] = {0, 0, 0, {{1, 0}}};
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kMemberMoved}}));
  after = base();  // of two members, the one that decided is no longer judged
  after.labels[0] = {0, 0, 0, {{2, 0}}};
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kRedirectChanged}}));
  after.passages[0].revision = 2;
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kLinkGone}}));
  after.passages[0].copies = 1;
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kRepeat}}));
  after = base();
  after.only_baselines = true;
  after.labels[0] = {0, 0, 0, {{1, 0}}};
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kWordsCounted}}));
  after.judging = "another model";
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kJudgeChanged}}));
  after.passages[0].text = xxh3_128("of a template");
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kTemplateChanged}}));
  after.settings = "paragraphs";
  EXPECT_EQ(reasons(compare_collections(base(), after)), (Reasons{{"w-1-0", LabelReason::kSettingsChanged}}));
}

TEST(LabelChanges, TheHistoryOfTheNewCollectionDecidesIfItFollowsTheOldOne) {
  auto before = base(), after = base();
  before.manifest = after.history.manifest = "0123";
  after.passages = {passage("w-1-0", 1, "first"), passage("w-2-0", 2, "new"), passage("w-3-0", 3, "third"),
                    passage("w-5-0", 5, "second, edited")};
  after.labels = {{0, 0, 0, {{1, 0, LabelReason::kQueryReworded}}}, {0, 3, 1, {{2, 1}}}};
  after.history.moved[{"a", "w-5-0"}] = "w-2-0";
  after.history.gone[{"b", "w-3-0"}] = {{3, 0, LabelReason::kMemberKind}};
  const auto comparison = compare_collections(before, after);
  EXPECT_EQ(reasons(comparison),
            (Reasons{{"w-1-0", LabelReason::kQueryReworded}, {"w-3-0", LabelReason::kMemberKind}}));
  EXPECT_EQ(comparison.labels_kept, 1U) << "a label that was carried over to another page";
}

TEST(PassageMatching, TextThatMovedKeepsItsLabels) {
  auto after = base();
  after.passages = {passage("w-1-0", 1, "a new beginning"), passage("w-1-1", 1, "first"), passage("w-4-0", 4, "second"),
                    passage("w-3-0", 3, "third")};
  after.labels = {{0, 1, 1, {{1, 1}}}, {0, 2, 1, {{2, 1}}}, {1, 3, 0, {{3, 0}}}};
  const auto comparison = compare_collections(base(), after);
  EXPECT_EQ(comparison.passages.new_of_old, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(comparison.passages.pairs[0].change, PassageChange::kMoved);
  EXPECT_EQ(comparison.passages.pairs[1].change, PassageChange::kMoved);
  EXPECT_EQ(comparison.passages.pairs.back().change, PassageChange::kNew);
  EXPECT_TRUE(comparison.labels.empty());
}

}  // namespace
}  // namespace touchstone::pipeline::difference
