#include "common/judgment_state.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(JudgmentState, EveryNameLeadsBackToItsState) {
  std::size_t index = 0;
  for (const auto& [state, name] : kJudgmentStates) {
    EXPECT_EQ(static_cast<std::size_t>(state), index++) << "the table is in the order of the enum";
    EXPECT_EQ(to_string(state), name);
    EXPECT_EQ(judgment_state_of(name), state);
  }
  EXPECT_EQ(judgment_state_of("fine"), std::nullopt);
}

}  // namespace
}  // namespace touchstone
