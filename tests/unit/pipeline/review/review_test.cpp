#include "pipeline/review/review.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::review {
namespace {

using touchstone::testing::message_of;
using Decision = ReviewDecision;

const std::string kHead = "decision\tkind\tpage\theading\twording\tflags\tpassages\n";

Review read_rows(const std::string& rows) {
  return read_review_text(kHead + rows, "review.tsv");
}

std::string review_error(const std::string& rows) {
  return message_of<FormatError>([&] { (void)read_rows(rows); });
}

TEST(Review, RowsAreReadAndWritten) {
  const std::string rows =
      "keep\ttopic\tGreen sea turtle\t\t\t\t120\n"
      "reword\theading\tGreen sea turtle\tEcology/Diet\tWhat green sea turtles eat\tshort\t7\n"
      "drop\theading\tGreen sea turtle\tEcology%2FHabitat 100%25\t\t\t0\n";
  const auto review = read_rows(rows);
  EXPECT_EQ(review_text(review), kHead + rows);
  ASSERT_NE(review.find("Green sea turtle"), nullptr);
  EXPECT_EQ(review.find("Green sea turtle")->passages, 120U);
  const auto* diet = review.find("Green sea turtle", {"Ecology", "Diet"});
  ASSERT_NE(diet, nullptr);
  EXPECT_EQ(diet->decision, Decision::kReword);
  EXPECT_EQ(diet->wording, "What green sea turtles eat");
  ASSERT_NE(review.find("Green sea turtle", {"Ecology/Habitat 100%"}), nullptr);
  EXPECT_EQ(review.find("Green sea turtle", {"Ecology", "Habitat 100%"}), nullptr);
  EXPECT_EQ(review.find("Green sea turtle", {""}), nullptr) << "an empty heading is no topic";
  EXPECT_EQ(review.find("Turtle"), nullptr);
}

TEST(Review, FilesOfSpreadsheetsAreRead) {
  const touchstone::testing::TemporaryFolder folder;
  touchstone::testing::write_text(folder / "r.tsv", "\xEF\xBB\xBF" + kHead.substr(0, kHead.size() - 1) +
                                                        "\r\ndrop\ttopic\tCoffee\t\t\t\t0\r\n\r\n");
  const auto review = read_review(folder / "r.tsv");
  ASSERT_EQ(review.rows().size(), 1U);
  EXPECT_EQ(review.rows().front().decision, Decision::kDrop);
}

TEST(Review, TitlesThatDoNotFitIntoARowFitAfterwards) {
  Review review;
  EXPECT_TRUE(review.add({Decision::kKeep, "A\tB", {"C\nD", ""}, "", "", 0}));
  EXPECT_FALSE(review.add({Decision::kDrop, "A B", {"C D", ""}, "", "", 0})) << "the same row";
  const auto again = read_review_text(review_text(review), "again");
  EXPECT_NE(again.find("A\tB", {"C\nD", ""}), nullptr);
  EXPECT_EQ(again.rows(), review.rows());
}

TEST(Review, ErrorsNameLineAndColumn) {
  EXPECT_EQ(review_error("keep\ttopic\tA\t\t\t\t0\nkep\ttopic\tB\t\t\t\t0\n"),
            "review.tsv:3: column 1 (decision) is \"kep\"; it must be keep, drop or reword");
  EXPECT_EQ(review_error("keep\tpage\tA\t\t\t\t0\n"),
            "review.tsv:2: column 2 (kind) is \"page\"; it must be topic or heading");
  EXPECT_EQ(review_error("keep\ttopic\t \t\t\t\t0\n"),
            "review.tsv:2: column 3 (page) is empty; it must be the title of a page");
  EXPECT_EQ(review_error("keep\ttopic\tA\tB\t\t\t0\n"),
            "review.tsv:2: column 4 (heading) must be empty in the row of a topic");
  EXPECT_EQ(review_error("keep\theading\tA\t100%\t\t\t0\n"),
            "review.tsv:2: column 4 (heading) has a % that does not belong to %2F (a slash) or %25 (a percent sign)");
  EXPECT_EQ(review_error("reword\ttopic\tA\t\t \t\t0\n"),
            "review.tsv:2: column 5 (wording) is empty, but the decision is reword; write the new wording");
  EXPECT_EQ(review_error("keep\ttopic\tA\t\tB\t\t0\n"),
            "review.tsv:2: column 5 (wording) is \"B\", but the decision is keep; write reword as the decision, or "
            "empty the wording");
  EXPECT_EQ(review_error("keep\ttopic\tA\t\t\t\tmany\n"),
            "review.tsv:2: column 7 (passages) is \"many\", which is no count of passages");
  EXPECT_EQ(review_error("keep\ttopic\tA\n"),
            "review.tsv:2: the row has 3 columns instead of 7; columns are separated by one tab, and an empty one "
            "needs its tab too");
  EXPECT_NE(review_error("keep\ttopic\tA\t\t\t\t0\tx\n").find("has more than 7 columns"), std::string::npos);
  EXPECT_EQ(review_error("keep\ttopic\tA\t\t\t\t0\ndrop\ttopic\tA\t\t\t\t0\n"),
            "review.tsv:3: an earlier row has the same page and heading; remove one of them");
  EXPECT_EQ(review_error("keep\ttopic\t\xFF\t\t\t\t0\n"), "review.tsv:2: the row is not UTF-8; save the file as UTF-8");
  EXPECT_NE(review_error("keep\ttopic\t" + std::string(70'000, 'x') + "\t\t\t\t0\n")
                .find("review.tsv:2: the row is longer than 64 KiB"),
            std::string::npos);
}

TEST(Review, AFileWithoutHeaderIsNoReview) {
  EXPECT_NE(message_of<FormatError>([] {
              (void)read_review_text("keep\ttopic\tA\t\t\t\t0\n", "r");
            }).find("r:1: the header is"),
            std::string::npos);
  EXPECT_NE(message_of<FormatError>([] { (void)read_review_text("", "r"); }).find("r:1: the file is empty"),
            std::string::npos);
}

/// What a run with these rows writes.
std::pair<std::string, flow::StageReport> written(const Review& old, const std::vector<ReviewRow>& rows) {
  const testing::TemporaryFolder folder;
  flow::StageReport report;
  ReviewWriter writer(folder / "review.tsv", old);
  for (const auto& row : rows) writer.add(row);
  writer.finish(report);
  return {read_file(folder / "review.tsv"), report};
}

TEST(Review, DecisionsAreLaidOverAFreshList) {
  const auto old =
      read_rows("drop\ttopic\tA\t\t\tdate\t5\nreword\theading\tA\tB\tBetter\t\t1\ndrop\ttopic\tGone\t\t\t\t2\n");
  const auto [text, report] = written(old, {{Decision::kKeep, "New", {}, "", "", 9},
                                            {Decision::kKeep, "A", {}, "", "short", 6},
                                            {Decision::kKeep, "A", {"B"}, "", "", 2},
                                            {Decision::kKeep, "A", {}, "", "again", 7}});
  EXPECT_EQ(text, kHead +
                      "keep\ttopic\tNew\t\t\t\t9\n"
                      "drop\ttopic\tA\t\t\tshort\t6\n"
                      "reword\theading\tA\tB\tBetter\t\t2\n");
  EXPECT_EQ(report.counts.at("rows of the review that are new"), 1U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings.front().find("1 decisions of the review"), std::string::npos);
  EXPECT_NE(report.warnings.front().find("(first: Gone)"), std::string::npos);
}

TEST(Review, WritingTheSameListAgainChangesNothing) {
  const std::string rows = "drop\ttopic\tA\t\t\tdate\t5\nreword\theading\tA\tB\tBetter\t\t1\n";
  const auto review = read_rows(rows);
  const auto [text, report] = written(review, review.rows());
  EXPECT_EQ(text, kHead + rows);
  EXPECT_EQ(report.counts.at("rows of the review that are new"), 0U);
  EXPECT_TRUE(report.warnings.empty());
}

TEST(ReviewProperty, WrittenRowsAreReadAgain) {
  std::mt19937 random(20261122);
  const auto pick = [&](std::size_t count) { return random() % count; };
  const auto text = [&] {
    constexpr const char* kPieces[] = {"a", "/", "%", "%2F", "\t", "\n", "歴", " ", "\"", "\xFF", "\u2028", "%25"};
    std::string out;
    for (auto pieces = pick(6); pieces > 0; --pieces) out += kPieces[pick(std::size(kPieces))];
    return out;
  };
  for (int round = 0; round < 500; ++round) {
    Review review;
    for (auto rows = pick(10); rows > 0; --rows) {
      ReviewRow row;
      row.page = text() + "p";
      for (auto headings = pick(4); headings > 0; --headings) row.headings.push_back(text());
      row.decision = static_cast<Decision>(pick(3));
      if (row.decision == Decision::kReword) row.wording = "w" + std::to_string(pick(9));
      row.passages = pick(1000);
      review.add(row);
    }
    const auto again = read_review_text(review_text(review), "again");
    ASSERT_EQ(again.rows(), review.rows()) << round << "\n" << review_text(review);
  }
}

}  // namespace
}  // namespace touchstone::pipeline::review
