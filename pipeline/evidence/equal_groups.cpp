#include "pipeline/evidence/equal_groups.hpp"

#include "common/error.hpp"
#include "pipeline/evidence/list_page_rules.hpp"
#include "pipeline/evidence/list_titles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::evidence {
namespace {

using GroupsOfMember = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;

/// Where a group is called a list, the best first.
enum class ListName : std::uint8_t { kTitle, kHeading, kNone };

/// A kept group in the order in which groups are preferred.
struct Ranked {
  std::size_t group = 0;
  bool copy = false;
  ListName name = ListName::kNone;
  std::vector<std::uint32_t> sorted;  ///< member pages, ascending
};

/// How plainly title and headings of a group say that it is a list.
ListName list_name(const Group& group, const std::vector<std::string>& list_words) {
  const bool by_title = !without_list_words(group.page, list_words).empty();
  if (by_title && group.section_path.empty()) return ListName::kTitle;
  return by_title || names_a_list(group.section_path, list_words) ? ListName::kHeading : ListName::kNone;
}

std::vector<Ranked> by_preference(const std::vector<Group>& groups, const headings::PhraseSet& drafts,
                                  const std::vector<std::string>& list_words) {
  std::vector<Ranked> order;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!groups[i].kept() || groups[i].members.empty()) continue;
    Ranked ranked{i, drafts.matches(groups[i].page), list_name(groups[i], list_words), {}};
    for (const auto& member : groups[i].members) ranked.sorted.push_back(member.page.value);
    std::sort(ranked.sorted.begin(), ranked.sorted.end());
    order.push_back(std::move(ranked));
  }
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    const auto& left = groups[a.group];
    const auto& right = groups[b.group];
    if (a.copy != b.copy) return b.copy;
    if (a.name != b.name) return a.name < b.name;
    if (a.sorted.size() != b.sorted.size()) return a.sorted.size() > b.sorted.size();
    const auto rest = [](const Group& group) {
      return std::tuple(group.unresolved_cells, !group.subject, std::count(group.page.begin(), group.page.end(), '/'),
                        group.section_path.size(), group.page.size(), std::tie(group.page), std::tie(group.structured),
                        std::tie(group.topic));
    };
    return rest(left) < rest(right);
  });
  return order;
}

/// The member pages, those of the fewest groups first. Two groups that overlap enough share one of their first members,
/// so that only those need be in the index (prefix filtering).
std::vector<std::uint32_t> rarest_first(const std::vector<std::uint32_t>& pages,
                                        const std::unordered_map<std::uint32_t, std::size_t>& uses) {
  std::vector<std::pair<std::size_t, std::uint32_t>> by_uses;
  for (const auto page : pages) by_uses.emplace_back(uses.at(page), page);
  std::sort(by_uses.begin(), by_uses.end());
  std::vector<std::uint32_t> first;
  for (const auto& [count, page] : by_uses) first.push_back(page);
  return first;
}

/// How many first members two groups with this overlap cannot both miss.
std::size_t prefix_size(std::size_t members, double overlap) {
  const auto common = static_cast<std::size_t>(std::ceil(overlap * static_cast<double>(members) - 1e-9));
  return members - std::min(members, common) + 1;
}

/// \pre both are ascending
std::size_t common_members(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t both = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    both += a[i] == b[j];
    const bool advance_b = b[j] <= a[i];
    if (a[i] <= b[j]) ++i;
    if (advance_b) ++j;
  }
  return both;
}

/// Whether so few members on one side exclude the overlap.
bool sizes_differ(std::size_t a, std::size_t b, double overlap) {
  return static_cast<double>(std::min(a, b)) < overlap * static_cast<double>(std::max(a, b)) - 1e-9;
}

}  // namespace

void discard_equal_groups(std::vector<Group>& groups, double overlap, const headings::PhraseSet& drafts,
                          const std::vector<std::string>& list_words) {
  if (overlap <= 0) return;
  const auto order = by_preference(groups, drafts, list_words);
  std::unordered_map<std::uint32_t, std::size_t> uses;
  for (const auto& ranked : order) {
    for (const auto page : ranked.sorted) ++uses[page];
  }
  GroupsOfMember index;  // of the groups that stay, by their rank
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto& pages = order[rank].sorted;
    auto& group = groups[order[rank].group];
    auto first_pages = rarest_first(pages, uses);
    first_pages.resize(std::min(pages.size(), prefix_size(pages.size(), overlap)));
    std::vector<std::size_t> others;
    for (const auto page : first_pages) {
      const auto found = index.find(page);
      if (found == index.end()) continue;
      std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(others),
                   [&](std::size_t other) { return !sizes_differ(pages.size(), order[other].sorted.size(), overlap); });
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const auto other : others) {
      const auto& there = order[other].sorted;
      const auto common = common_members(pages, there);
      const auto all = pages.size() + there.size() - common;
      if (static_cast<double>(common) < overlap * static_cast<double>(all) - 1e-9) continue;
      group.discarded = DiscardReason::kSameMembers;
      const auto& equal = groups[order[other].group];
      group.detail = fmt::format("{} of {} in topic {}: {}", common, all, equal.topic, equal.structured);
      break;
    }
    if (!group.kept()) continue;
    for (const auto page : first_pages) index[page].push_back(rank);
  }
}

void merge_equal_groups(std::vector<Group>& groups) {
  std::map<std::string, std::size_t> first_kept;
  std::vector<Group> merged;
  for (auto& group : groups) {
    const auto found = first_kept.find(group.topic);
    if (!group.kept() || found == first_kept.end()) {
      if (group.kept()) first_kept[group.topic] = merged.size();
      merged.push_back(std::move(group));
      continue;
    }
    Group& into = merged[found->second];
    if (into.structured != group.structured) {
      throw Error("two topics have the same id " + group.topic + ": \"" + into.structured + "\" and \"" +
                  group.structured + "\"; please report it");
    }
    into.tables.insert(into.tables.end(), group.tables.begin(), group.tables.end());
    into.cells += group.cells;
    into.empty_cells += group.empty_cells;
    into.unresolved_cells += group.unresolved_cells;
    for (auto& member : group.members) {
      const bool known = std::any_of(into.members.begin(), into.members.end(),
                                     [&](const auto& other) { return other.page == member.page; });
      if (!known) into.members.push_back(std::move(member));
    }
  }
  groups = std::move(merged);
}

}  // namespace touchstone::pipeline::evidence
