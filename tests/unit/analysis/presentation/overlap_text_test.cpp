#include "analysis/presentation/overlap_text.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation {
namespace {

agreement::RunOverlap sample() {
  agreement::RunOverlap overlap;
  overlap.names = {"a", "b", "c"};
  overlap.depth = 100;
  overlap.topics = 4;
  overlap.average_overlap = {1, .5, .25, .5, 1, .75, .25, .75, 1};
  overlap.top_ten = {1, .4, .2, .4, 1, .7, .2, .7, 1};
  return overlap;
}

TEST(OverlapText, TableNamesTheMostAndTheLeastAlike) {
  const auto text = overlap_table(sample());
  EXPECT_NE(text.find("Average overlap down to rank 100, mean of 4 topics; of all pairs 0.50."), std::string::npos)
      << text;
  EXPECT_NE(text.find("Most alike: b and c (0.75; 70.0 % of their first 10)."), std::string::npos) << text;
  EXPECT_NE(text.find("Least alike: a and c (0.25; 20.0 % of their first 10)."), std::string::npos) << text;
  EXPECT_EQ(overlap_table({}), "");
}

TEST(OverlapText, TsvAndJsonHaveEachPairOnce) {
  EXPECT_EQ(overlap_tsv(sample()),
            "first\tsecond\taverage_overlap\ttop_ten\na\tb\t0.5\t0.4\na\tc\t0.25\t0.2\nb\tc\t0.75\t0.7\n");
  JsonWriter json;
  json.begin_object();
  write_overlap(json, sample());
  const auto text = json.end_object().take();
  EXPECT_EQ(text.substr(0, 93),
            R"({"depth":100,"mean_average_overlap":0.5,"pairs":[{"first":"a","second":"b","average_overlap":)");
}

}  // namespace
}  // namespace touchstone::analysis::presentation
