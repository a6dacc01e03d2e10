#include "pipeline/release/member_types.hpp"

#include "storage/bulk_loader.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"
#include "tests/support/stage_fixture.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::release {
namespace {

using storage::Family;

class MemberTypesTest : public testing::StageFixture {
 protected:
  /// Class -> its superclasses.
  const std::map<std::uint64_t, std::vector<std::uint64_t>> classes_ = {{10, {11}}, {11, {12}}, {12, {13}}, {20, {21}},
                                                                        {21, {13}}, {30, {11}}, {13, {40}}, {40, {13}}};

  /// Page i + 1 is of `types[i]`. Gives for each whether it is of another kind.
  std::vector<bool> other_kinds(const std::vector<std::vector<std::uint64_t>>& types) {
    fill_from_dump(testing::simple_page(1, "A", "text"));
    {
      storage::BulkLoader loader(*store);
      for (std::uint32_t i = 0; i < types.size(); ++i) {
        if (types[i].empty()) continue;
        loader.add(Family::kEntity, storage::page_key(PageId{i + 1}),
                   encode(storage::EntityRecord{100U + i, storage::ItemFacts{{}, {}, types[i]}}));
      }
      for (const auto& [item, superclasses] : classes_)
        loader.add(Family::kClass, storage::item_key(item), encode(storage::ClassRecord{"", superclasses}));
      loader.commit();
    }
    std::vector<evidence::GroupMember> members;
    for (std::uint32_t i = 0; i < types.size(); ++i) members.push_back({PageId{i + 1}, "", ""});
    const corpus::TitleIndex titles(*store);
    std::vector<bool> kinds;
    for (const auto& member : MemberTypes(*store, titles).of(members)) {
      kinds.push_back(member.other_kind);
      types_.push_back(member.types);
    }
    return kinds;
  }
  std::vector<std::vector<std::string>> types_;
};

using Kinds = std::vector<bool>;

TEST_F(MemberTypesTest, AMemberThatSharesFewClassesWithNearlyAllOthersIsOfAnotherKind) {
  EXPECT_EQ(other_kinds({{10}, {10}, {20}, {10}, {10}, {}}), (Kinds{false, false, true, false, false, false}));
  EXPECT_EQ(types_[2], (std::vector<std::string>{"Q20"}));
  EXPECT_TRUE(types_[5].empty());
}

TEST_F(MemberTypesTest, ASiblingClassIsNoOtherKind) {
  EXPECT_EQ(other_kinds({{10}, {10}, {30}, {10}, {10}}), (Kinds{false, false, false, false, false}));
}

TEST_F(MemberTypesTest, OneOfSeveralTypesIsEnough) {
  EXPECT_EQ(other_kinds({{10}, {10}, {10, 20}, {10}, {10}}), (Kinds{false, false, false, false, false}));
}

TEST_F(MemberTypesTest, NothingIsSaidOfFewMembersOrOfMixedLists) {
  EXPECT_EQ(other_kinds({{10}, {10}, {20}, {10}}), (Kinds{false, false, false, false}));
}

TEST_F(MemberTypesTest, ListsOfTwoKindsHaveNoOtherKind) {
  EXPECT_EQ(other_kinds({{10}, {10}, {20}, {20}, {10}, {20}}), (Kinds{false, false, false, false, false, false}));
}

}  // namespace
}  // namespace touchstone::pipeline::release
