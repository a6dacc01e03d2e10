#include "analysis/votes/item_votes.hpp"

#include "formats/labeling/label_files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::votes {
namespace {

using formats::labeling::Annotation;
using formats::labeling::Span;
using formats::labeling::TaskKind;
using formats::trec::QrelRecord;
using touchstone::testing::message_of;

Annotation answer(const std::string& annotator, std::optional<int> grade, std::vector<Span> spans = {},
                  const std::string& docid = "D_0") {
  Annotation made;
  made.annotator = annotator;
  made.topic = "q";
  made.docid = docid;
  made.grade = grade;
  made.spans = std::move(spans);
  return made;
}

Annotation evidence(const std::string& annotator, const std::string& member, int grade) {
  auto made = answer(annotator, grade);
  made.kind = TaskKind::kEvidence;
  made.member = member;
  return made;
}

ItemVote vote(const std::vector<Annotation>& answers, const VoteRules& rules = {}) {
  const auto votes = vote_on_items(answers, rules);
  EXPECT_EQ(votes.items.size(), 1U);
  return votes.items.front();
}

TEST(ItemVotes, TellHowTheGradeWasFound) {
  EXPECT_EQ(vote({answer("a", 2), answer("b", 2)}).agreement, Agreement::kUnanimous);
  EXPECT_EQ(vote({answer("a", 2), answer("b", 2), answer("c", 0)}).agreement, Agreement::kMajority);
  const auto split = vote({answer("a", 2), answer("b", 1), answer("c", 0)});
  EXPECT_EQ(split.agreement, Agreement::kTieRule);
  EXPECT_EQ(split.grade, 2);
  EXPECT_EQ(vote({answer("a", 2), answer("b", 1)}, {.ties = TieRule::kLowest}).grade, 1);
}

TEST(ItemVotes, ATieOfEvidenceIsANoUnlessARuleSaysOtherwise) {
  auto yes = answer("a", 1), no = answer("b", 0);
  for (auto* const of : {&yes, &no}) {
    of->kind = formats::labeling::TaskKind::kEvidence;
    of->member = "m";
  }
  EXPECT_EQ(vote({yes, no}).grade, 0);
  EXPECT_EQ(vote({yes, no}).agreement, Agreement::kTieRule);
  EXPECT_EQ(vote({yes, no}, {.ties = TieRule::kHighest}).grade, 1);
}

TEST(ItemVotes, ATieWithoutARuleAndTooFewVotesLeaveAnItemOut) {
  EXPECT_EQ(vote({answer("a", 2), answer("b", 1)}, {.ties = TieRule::kNone}).left_out, LeftOut::kTied);
  const auto few = vote({answer("a", 2), answer("b", 2)}, {.at_least = 3});
  EXPECT_EQ(few.left_out, LeftOut::kTooFewVotes);
  EXPECT_FALSE(few.grade);
}

TEST(ItemVotes, SkippedAnswersDoNotVote) {
  auto skipped = answer("b", std::nullopt);
  skipped.skipped = true;
  const auto item = vote({answer("a", 1), skipped});
  EXPECT_EQ(item.voters, 1U);
  EXPECT_EQ(item.skipped, 1U);
  EXPECT_EQ(vote({skipped}).left_out, LeftOut::kTooFewVotes);
}

TEST(ItemVotes, TheLastAnswerOfAnAnnotatorCounts) {
  auto late = answer("a", 3), early = answer("a", 0);
  late.judged_at_ms = 9;
  early.judged_at_ms = 5;
  const auto votes = vote_on_items(std::vector{late, early, answer("b", 3)}, {});
  EXPECT_EQ(votes.items.front().agreement, Agreement::kUnanimous);
  EXPECT_EQ(votes.replaced, 1U);
  EXPECT_EQ(votes.annotators, 2U);
  EXPECT_EQ(vote({answer("a", 0), answer("a", 2)}).grade, 2) << "of equal times the last in the file";
}

TEST(ItemVotes, SpansAreThoseOfTheVotersOnTheWinnersSide) {
  const auto item =
      vote({answer("a", 3, {{0, 4}}), answer("b", 2, {{2, 6}}), answer("c", 2, {{2, 3}}), answer("d", 0)});
  EXPECT_EQ(item.span_voters, 3U);
  EXPECT_EQ(item.spans, (std::vector<Span>{{2, 4}}));
  EXPECT_TRUE(vote({answer("a", 3, {{0, 4}}), answer("b", 1), answer("c", 1)}).heat.empty())
      << "the winner has no spans";
  EXPECT_EQ(vote({answer("a", 1, {{0, 4}})}, {.span_grade = 1}).spans, (std::vector<Span>{{0, 4}}));
}

TEST(ItemVotes, SelectionsWithoutGradesAreVotedOnByAll) {
  auto a = answer("a", std::nullopt, {{0, 4}}), b = answer("b", std::nullopt), c = answer("c", std::nullopt, {{1, 3}});
  a.kind = b.kind = c.kind = TaskKind::kSpans;
  const auto item = vote({a, b, c});
  EXPECT_EQ(item.voters, 3U);
  EXPECT_EQ(item.spans, (std::vector<Span>{{1, 3}}));
}

TEST(ItemVotes, DoNotDependOnTheOrderOfAnswersOfDifferentAnnotators) {
  std::vector<Annotation> answers;
  for (int i = 0; i < 60; ++i) {
    std::string annotator = "a";
    annotator += std::to_string(i % 5);
    answers.push_back(
        answer(annotator, i * 7 % 4, {{0, 1 + static_cast<std::uint32_t>(i)}}, "D_" + std::to_string(i / 5)));
  }
  const auto expected = vote_on_items(answers, {});
  std::shuffle(answers.begin(), answers.end(), std::mt19937(3));
  const auto shuffled = vote_on_items(answers, {});
  ASSERT_EQ(shuffled.items.size(), expected.items.size());
  for (std::size_t i = 0; i < expected.items.size(); ++i) {
    EXPECT_EQ(shuffled.items[i].docid, expected.items[i].docid);
    EXPECT_EQ(shuffled.items[i].grade, expected.items[i].grade);
    EXPECT_EQ(shuffled.items[i].heat, expected.items[i].heat);
  }
}

TEST(PassageQrels, APassageIsEvidenceIfAnyMemberSaysYes) {
  const auto qrels = [](const std::vector<Annotation>& answers, const VoteRules& rules) {
    return passage_qrels(vote_on_items(answers, rules));
  };
  EXPECT_EQ(qrels({evidence("a", "M", 0), evidence("a", "N", 1)}, {}), (std::vector<QrelRecord>{{"q", "D_0", 1}}));
  EXPECT_EQ(qrels({evidence("a", "M", 0), evidence("a", "N", 0)}, {}), (std::vector<QrelRecord>{{"q", "D_0", 0}}));
  const std::vector<Annotation> open = {evidence("a", "M", 0), evidence("a", "N", 0), evidence("b", "M", 0)};
  EXPECT_TRUE(qrels(open, {.at_least = 2}).empty()) << "what the other vote would say is not known";
}

TEST(PassageQrels, TwoQuestionsAboutOnePassageAreRefused) {
  const auto votes = vote_on_items(std::vector{answer("a", 2), evidence("a", "M", 1)}, {});
  EXPECT_NE(message_of([&] { passage_qrels(votes); }).find("two questions"), std::string::npos);
}

/// Three raw judgments whose vote, with ties to the highest, gives `grade`: all alike, two of three, or a tie of three
/// grades. Seeded.
std::vector<int> votes_for(int grade, std::mt19937& random) {
  const auto other = [&] { return static_cast<int>((static_cast<unsigned>(grade) + 1 + random() % 3) % 4); };
  std::vector<int> grades = {grade, grade, grade};
  switch (random() % 3) {
    case 0:
      grades[2] = other();
      break;
    case 1:
      if (grade >= 2) grades = {grade, grade - 1, grade - 2};
      break;
    default:
      break;
  }
  std::shuffle(grades.begin(), grades.end(), random);
  return grades;
}

TEST(PublishedNumbers, FiraVotesOfRawJudgments) {
  const auto folder = touchstone::testing::shared_data() / "qrels" / "fira";
  TS_NEED_DATA(folder);
  auto snippets = formats::trec::read_qrels(folder / "fira-trec19-qrels-snippets.txt");
  std::sort(snippets.begin(), snippets.end());
  std::mt19937 random(2019);
  std::vector<Annotation> answers;
  for (const auto& snippet : snippets) {
    int user = static_cast<int>(random() % 84);
    for (const int grade : votes_for(snippet.grade, random)) {
      auto judgment = answer("user" + std::to_string(user++), grade, {}, snippet.docid);
      judgment.topic = snippet.topic;
      answers.push_back(std::move(judgment));
    }
  }
  std::shuffle(answers.begin(), answers.end(), random);
  const touchstone::testing::TemporaryFolder scratch;
  formats::labeling::write_labels(scratch / "raw.tsv", formats::labeling::LabelFormat::kFira, answers, {}, {});
  const auto raw = formats::labeling::read_labels(scratch / "raw.tsv", formats::labeling::LabelFormat::kFira, {});
  ASSERT_EQ(raw.answers.size(), 72'594U);
  const auto qrels = passage_qrels(vote_on_items(raw.answers, {.ties = TieRule::kHighest, .at_least = 3}));
  EXPECT_EQ(qrels, snippets);
}

}  // namespace
}  // namespace touchstone::analysis::votes
