#include "pipeline/release/member_types.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace touchstone::pipeline::release {
namespace {

constexpr std::size_t kLeastTyped = 5;        ///< members whose types are known; of fewer nothing is said
constexpr double kCommonShare = 0.8;          ///< of the other members: a common class
constexpr double kSharedPart = 0.5;           ///< of the common classes: a member with fewer is of another kind
constexpr std::size_t kMostClasses = 10'000;  ///< of a type; subclass-of has circles and loose ends

}  // namespace

const MemberTypes::Classes& MemberTypes::with_superclasses(std::uint64_t type) {
  const auto [found, fresh] = known_.try_emplace(type);
  if (!fresh) return found->second;
  std::set<std::uint64_t> seen{type};
  std::string bytes;
  for (std::vector<std::uint64_t> open{type}; !open.empty() && seen.size() < kMostClasses;) {
    const auto item = open.back();
    open.pop_back();
    if (!store_.get(storage::Family::kClass, storage::item_key(item), bytes)) continue;
    for (const auto superclass : storage::decode_class(bytes).superclasses) {
      if (seen.insert(superclass).second) open.push_back(superclass);
    }
  }
  found->second.assign(seen.begin(), seen.end());
  return found->second;
}

MemberTypes::Classes MemberTypes::classes_of(const Classes& types) {
  std::set<std::uint64_t> classes;
  for (const auto type : types) {
    const auto& all = with_superclasses(type);
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
