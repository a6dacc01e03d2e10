#include "pipeline/release/member_types.hpp"

#include "storage/records.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace touchstone::pipeline::release {
namespace {

constexpr std::size_t kLeastTyped = 5;  ///< members whose types are known; of fewer nothing is said
constexpr double kCommonShare = 0.8;    ///< of the other members: a common class
constexpr double kSharedPart = 0.5;     ///< of the common classes: a member with fewer is of another kind

}  // namespace

MemberTypes::Classes MemberTypes::classes_of(const Classes& types) {
  std::set<std::uint64_t> classes;
  for (const auto type : types) {
    const auto& all = classes_.with_superclasses(type);
    classes.insert(all.begin(), all.end());
  }
  return {classes.begin(), classes.end()};
}

std::vector<MemberTypes::OfMember> MemberTypes::of(const std::vector<evidence::GroupMember>& members) {
  std::vector<OfMember> out(members.size());
  std::vector<Classes> classes(members.size());
  std::map<std::uint64_t, std::size_t> members_of;  // by class
  std::size_t typed = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto item = titles_.item(members[i].page);
    if (!item || !item->facts || item->facts->types.empty()) continue;
    for (const auto type : item->facts->types) out[i].types.push_back(storage::EntityRecord{type, {}}.qid());
    classes[i] = classes_of(item->facts->types);
    ++typed;
    for (const auto of_class : classes[i]) ++members_of[of_class];
  }
  if (typed < kLeastTyped) return out;
  const double least = kCommonShare * static_cast<double>(typed - 1);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (classes[i].empty()) continue;
    std::size_t common = 0, shared = 0;
    for (const auto& [of_class, count] : members_of) {
      const bool has = std::binary_search(classes[i].begin(), classes[i].end(), of_class);
      if (static_cast<double>(count - (has ? 1 : 0)) < least) continue;
      ++common;
      shared += has ? 1 : 0;
    }
    out[i].other_kind = static_cast<double>(shared) < kSharedPart * static_cast<double>(common);
  }
  return out;
}

}  // namespace touchstone::pipeline::release
