#include "collection/evidence/collection_lines.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::evidence {
namespace {

TEST(CollectionLines, AMissingNestedFieldIsNamedWithItsPath) {
  CollectionLineReader reader;
  const auto passage = reader.passage(R"({"_id":"d","title":"t","text":"x","metadata":{"page_id":1}})");
  ASSERT_FALSE(passage);
  EXPECT_EQ(passage.error(), "has no field \"metadata.ordinal\"; add it");
}

TEST(CollectionLines, NumbersThatDoNotFitAreRefused) {
  CollectionLineReader reader;
  EXPECT_FALSE(reader.passage(
      R"({"_id":"d","title":"t","text":"x","metadata":{"page_id":1,"ordinal":4294967296,"section":[],"copies":[]}})"));
  EXPECT_FALSE(
      reader.member(R"({"topic":"t","title":"m","page_id":-1,"qid":null,"aliases":[],"candidates":0,"evidence":0})"));
}

}  // namespace
}  // namespace touchstone::collection::evidence
