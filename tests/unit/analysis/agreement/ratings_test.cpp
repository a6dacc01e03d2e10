#include "analysis/agreement/coefficients.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/analysis/agreement/sample_ratings.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

using testing::ratings_of;

constexpr int kUnrated = Ratings::kMissing;

TEST(Ratings, TransitionsCountPairsOfGrades) {
  const auto transitions = grade_transitions(ratings_of({{0, 1}, {0, 1}, {3, 0}, {1, kUnrated}}), 0, 1);
  EXPECT_EQ(transitions.grades, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(transitions.counts, (std::vector<std::uint64_t>{0, 2, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(Ratings, FilesWithNothingInCommonAreRefused) {
  const touchstone::testing::TemporaryFolder folder;
  write_file_atomically(folder / "a", "1 0 d1 1\n");
  write_file_atomically(folder / "b", "1 0 d2 1\n");
  EXPECT_THROW(read_ratings(std::vector<std::filesystem::path>{folder / "a", folder / "b"}), FormatError);
}

TEST(Ratings, CompleteRatingsAreThoseOfEveryAssessor) {
  const auto ratings = ratings_of({{0, 1}, {2, kUnrated}, {3, 3}});
  EXPECT_EQ(complete_ratings(ratings).grades, (std::vector<int>{0, 1, 3, 3}));
  EXPECT_TRUE(complete_ratings(ratings, std::vector<std::string>{"t"}).items.empty());
  EXPECT_TRUE(without_topics(ratings, std::vector<std::string>{"t"}).items.empty());
  EXPECT_EQ(without_topics(ratings, {}).grades, ratings.grades);
}

TEST(Ratings, BinaryRatingsKeepMissingGradesMissing) {
  EXPECT_EQ(binary_ratings(ratings_of({{1, 2}, {3, kUnrated}}), 2).grades, (std::vector<int>{0, 1, 1, kUnrated}));
}

}  // namespace
}  // namespace touchstone::analysis::agreement
