#include "retrieval/feedback.hpp"

#include "tests/unit/retrieval/sample_index.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <xapian.h>

namespace touchstone::retrieval {
namespace {

using testing::passage;
using testing::SampleIndex;

TEST(Feedback, Bo1IsBoseEinsteinStatistics) {
  // p = 5 / 20: 3 log2(1.25 / .25) + log2(1.25)
  EXPECT_NEAR(bo1_weight(3, 5, 20), 3 * std::log2(5.0) + std::log2(1.25), 1e-12);
}

TEST(Feedback, ExpandsByTheWeightsWorkedOutByHand) {
  SampleIndex sample(passage("a", "apple cider cider") + passage("b", "apple tree") + passage("c", "tree stone") +
                     passage("d", "stone stone"));
  const auto index = sample.open();
  const std::pair<std::string, std::uint32_t> query[] = {{"apple", 1}};
  const std::pair<std::string, std::uint32_t> first[] = {{"apple", 1}, {"cider", 2}};
  const auto expanded = expand_query(index.open(Field::kAll), query, first, 2);
  // cider: 2 of 2 in the document, apple: 1 of 2; N = 4, so p is .5 for both.
  const double cider = 2 * std::log2(3.0) + std::log2(1.5), apple = std::log2(3.0) + std::log2(1.5);
  const std::map<std::string, double> found(expanded.begin(), expanded.end());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found.at("cider"), 1, 1e-12);
  EXPECT_NEAR(found.at("apple"), 1 + apple / cider, 1e-12);
}

TEST(Feedback, WithoutDocumentsTheQueryStays) {
  SampleIndex sample(passage("a", "apple"));
  const auto index = sample.open();
  const std::pair<std::string, std::uint32_t> query[] = {{"pear", 2}, {"plum", 1}};
  const auto expanded = expand_query(index.open(Field::kAll), query, {}, 10);
  EXPECT_EQ(expanded, (std::vector<WeightedTerm>{{"pear", 1}, {"plum", .5}}));
}

}  // namespace
}  // namespace touchstone::retrieval
