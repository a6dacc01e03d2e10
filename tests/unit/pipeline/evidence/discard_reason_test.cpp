#include "pipeline/evidence/discard_reason.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

TEST(DiscardReasons, EveryTextIsReadBackAndNoOtherIs) {
  for (const auto reason :
       {DiscardReason::kEmptyCell, DiscardReason::kCellWithoutArticle, DiscardReason::kTooManyBacklinks,
        DiscardReason::kNoMember, DiscardReason::kTooFewMembers, DiscardReason::kTooFewArticles,
        DiscardReason::kTooLittleEvidence, DiscardReason::kSameMembers, DiscardReason::kForbiddenHeading,
        DiscardReason::kOtherKind, DiscardReason::kMixedKinds, DiscardReason::kContents, DiscardReason::kUnworded}) {
    EXPECT_FALSE(to_string(reason).empty());
    EXPECT_EQ(discard_reason(to_string(reason)), reason);
  }
  EXPECT_EQ(discard_reason(""), std::nullopt);
  EXPECT_EQ(discard_reason("kept"), std::nullopt);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
