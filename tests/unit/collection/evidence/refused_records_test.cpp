#include "collection/evidence/collection_writer.hpp"
#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::collection::evidence {
namespace {

using testing::sample_info;
using testing::sample_judgment;
using testing::sample_passage;
using testing::sample_topic;
using testing::TemporaryFolder;

/// What the writer says to the last of the records that `add` adds.
template <class Add>
std::string complaint(const Add& add) {
  const TemporaryFolder folder;
  CollectionWriter writer(folder / "c", sample_info());
  return touchstone::testing::message_of<FormatError>([&] { add(writer); });
}

// The records are read from files of stages, so nothing in them may end the program as a programmer's mistake.

TEST(CollectionWriterRefuses, TopicsOutOfOrderOrTwice) {
  for (const char* second : {"a", "b"}) {
    const auto said = complaint([&](CollectionWriter& writer) {
      writer.add(sample_topic("b"));
      writer.add(sample_topic(second));
    });
    EXPECT_NE(said.find("is there a second time or out of order"), std::string::npos) << said;
  }
}

TEST(CollectionWriterRefuses, MembersOutOfOrderTwiceOrWithoutATopic) {
  for (const char* second : {"X", "Y"}) {
    const auto said = complaint([&](CollectionWriter& writer) {
      writer.add(sample_topic("a"));
      writer.add(MemberRecord{"a", "Y", 1, "", {}, 0, 0});
      writer.add(MemberRecord{"a", second, 2, "", {}, 0, 0});
    });
    EXPECT_NE(said.find("is there a second time or out of order"), std::string::npos) << said;
  }
  const auto said = complaint([](CollectionWriter& writer) { writer.add(MemberRecord{"a", "Y", 1, "", {}, 0, 0}); });
  EXPECT_NE(said.find("comes before its topic"), std::string::npos) << said;
}

TEST(CollectionWriterRefuses, PassagesOutOfOrder) {
  const auto said = complaint([](CollectionWriter& writer) {
    writer.add(sample_passage(10, "x"));
    writer.add(sample_passage(9, "x"));
  });
  EXPECT_NE(said.find("is there a second time or out of order"), std::string::npos) << said;
}

TEST(CollectionWriterRefuses, JudgmentsOutOfOrderTwiceOrOfAnUnknownTopic) {
  for (const std::uint64_t second : {1, 2}) {
    const auto said = complaint([&](CollectionWriter& writer) {
      writer.add(sample_topic("a"));
      writer.add(sample_judgment("a", 2, "w-1-0"));
      writer.add(sample_judgment("a", second, "w-1-0"));
    });
    EXPECT_NE(said.find("is there a second time or out of order"), std::string::npos) << said;
  }
  const auto said = complaint([](CollectionWriter& writer) { writer.add(sample_judgment("a", 2, "w-1-0")); });
  EXPECT_NE(said.find("comes before its topic"), std::string::npos) << said;
}

TEST(CollectionWriterRefuses, GradesStatesAndProbabilitiesThatCannotBe) {
  using Change = void (*)(JudgmentRecord&);
  const Change changes[] = {
      [](JudgmentRecord& judgment) { judgment.state = JudgmentState::kRefused; },
      [](JudgmentRecord& judgment) { judgment.grade.reset(); },
      [](JudgmentRecord& judgment) { judgment.grade = 128; },
      [](JudgmentRecord& judgment) { judgment.probability = -5; },
      [](JudgmentRecord& judgment) { judgment.probability = 1.5; },
      [](JudgmentRecord& judgment) { judgment.probability = std::numeric_limits<double>::quiet_NaN(); },
      [](JudgmentRecord& judgment) { judgment.probability = std::numeric_limits<double>::infinity(); },
      [](JudgmentRecord& judgment) {
        judgment.votes = {{"j", 1, -1.0, JudgmentState::kJudged, "d"}};
      },
      [](JudgmentRecord& judgment) {
        judgment.votes = {{"j", 1, {}, JudgmentState::kFailed, "d"}};
      },
  };
  for (const auto change : changes) {
    const auto said = complaint([&](CollectionWriter& writer) {
      writer.add(sample_topic("a"));
      auto judgment = sample_judgment("a", 2, "w-1-0");
      change(judgment);
      writer.add(judgment);
    });
    EXPECT_NE(said.find("edited or damaged"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace touchstone::collection::evidence
