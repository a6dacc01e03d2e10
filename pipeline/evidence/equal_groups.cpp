#include "pipeline/evidence/equal_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using GroupsOfMember = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;

/// Kept groups in the order in which they are preferred.
std::vector<std::size_t> by_preference(const std::vector<Group>& groups) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].kept() && !groups[i].members.empty()) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto& left = groups[a];
    const auto& right = groups[b];
    if (left.members.size() != right.members.size()) return left.members.size() > right.members.size();
    return std::tie(left.page, left.structured, left.topic) < std::tie(right.page, right.structured, right.topic);
  });
  return order;
}

/// The member pages, those of the fewest groups first. Two groups that overlap enough share one of their first members,
/// so that only those need be in the index (prefix filtering).
std::vector<std::uint32_t> rarest_first(const Group& group,
                                        const std::unordered_map<std::uint32_t, std::size_t>& uses) {
  std::vector<std::uint32_t> pages;
  for (const auto& member : group.members) pages.push_back(member.page.value);
  std::sort(pages.begin(), pages.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::make_pair(uses.at(a), a) < std::make_pair(uses.at(b), b);
  });
  return pages;
}

/// How many first members two groups with this overlap cannot both miss.
std::size_t prefix_size(std::size_t members, double overlap) {
  const auto common = static_cast<std::size_t>(std::ceil(overlap * static_cast<double>(members) - 1e-9));
  return members - std::min(members, common) + 1;
}

std::size_t common_members(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

}  // namespace

void discard_equal_groups(std::vector<Group>& groups, double overlap) {
  if (overlap <= 0) return;
  const auto order = by_preference(groups);
  std::unordered_map<std::uint32_t, std::size_t> uses;
  for (const auto i : order) {
    for (const auto& member : groups[i].members) ++uses[member.page.value];
  }
  GroupsOfMember index;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> stays;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    auto& group = groups[order[rank]];
    auto pages = rarest_first(group, uses);
    const auto prefix = std::min(pages.size(), prefix_size(pages.size(), overlap));
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < prefix; ++i) {
      const auto found = index.find(pages[i]);
      if (found != index.end()) others.insert(others.end(), found->second.begin(), found->second.end());
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const auto other : others) {
      const auto& there = stays.at(other);
      if (static_cast<double>(pages.size()) < overlap * static_cast<double>(there.size()) - 1e-9) continue;
      const auto common = common_members(pages, there);
      const auto all = pages.size() + there.size() - common;
      if (static_cast<double>(common) < overlap * static_cast<double>(all) - 1e-9) continue;
      group.discarded = DiscardReason::kSameMembers;
      const auto& equal = groups[order[other]];
      group.detail = fmt::format("{} of {} in topic {}: {}", common, all, equal.topic, equal.structured);
      break;
    }
    if (!group.kept()) continue;
    for (std::size_t i = 0; i < prefix; ++i) index[pages[i]].push_back(rank);
    stays.emplace(rank, std::move(pages));
  }
}

}  // namespace touchstone::pipeline::evidence
