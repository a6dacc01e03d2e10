#include "pipeline/survey/group_census.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/list_titles.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::survey {
namespace {

using evidence::Group;

constexpr std::size_t kSamples = 3, kMembersOfSample = 3;
constexpr double kLeastDistinct = 0.75;  ///< share of a naming column's cells that lead to different articles

std::string sample_of(const Group& group) {
  std::string text = group.structured + ": ";
  for (std::size_t i = 0; i < group.members.size() && i < kMembersOfSample; ++i)
    text += (i > 0 ? ", " : "") + group.members[i].title;
  return text + (group.members.size() > kMembersOfSample ? ", ..." : "");
}

/// The first kept groups of different pages; of few pages, further ones.
std::vector<std::string> samples_of(std::span<const Group* const> groups) {
  std::vector<std::string> samples;
  std::set<PageId> shown;
  std::vector<const Group*> others;
  for (const auto* group : groups) {
    if (samples.size() == kSamples) return samples;
    if (!group->kept()) continue;
    if (shown.insert(group->page_id).second) {
      samples.push_back(sample_of(*group));
    } else if (others.size() < kSamples) {
      others.push_back(group);
    }
  }
  for (const auto* group : others) {
    if (samples.size() < kSamples) samples.push_back(sample_of(*group));
  }
  return samples;
}

bool names_different_articles(const Group& group) {
  const auto resolved = group.cells - group.empty_cells - group.unresolved_cells;
  return group.kept() && static_cast<double>(group.members.size()) >= kLeastDistinct * static_cast<double>(resolved);
}

void sort_rows(std::vector<GroupRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const GroupRow& a, const GroupRow& b) {
    return std::tie(b.counts.topics, b.counts.groups, b.counts.members, a.name) <
           std::tie(a.counts.topics, a.counts.groups, a.counts.members, b.name);
  });
}

}  // namespace

double GroupCounts::outside_share() const noexcept {
  return candidates == 0 ? 0 : static_cast<double>(outside) / static_cast<double>(candidates);
}

bool is_from_list(const Group& group) noexcept {
  return group.tables.empty();
}

bool names_lists(const Group& group, std::span<const std::string> list_affixes) {
  const auto lists = std::count_if(group.members.begin(), group.members.end(), [&](const auto& member) {
    return std::any_of(list_affixes.begin(), list_affixes.end(),
                       [&](const auto& affix) { return evidence::is_list_title(member.title, affix); });
  });
  return !group.members.empty() && 2 * static_cast<std::size_t>(lists) >= group.members.size();
}

std::map<std::string, std::uint64_t> naming_headers(const std::vector<Group>& groups) {
  std::map<std::string, std::uint64_t> headers;
  std::set<std::pair<PageId, std::uint32_t>> named;
  for (const auto& group : groups) {
    if (is_from_list(group) || !names_different_articles(group)) continue;
    for (const auto table : group.tables) {
      if (named.emplace(group.page_id, table).second) ++headers[lower_case(group.column)];
    }
  }
  return headers;
}

GroupCensus::GroupCensus(const storage::Store& store, const std::vector<Group>& groups,
                         const std::map<std::string, CandidateCount>& candidates, std::uint64_t min_evidence)
    : graph_(store), groups_(groups), candidates_(candidates), min_evidence_(min_evidence) {}

bool GroupCensus::is_linked(PageId member) const {
  // The list itself is one of the pages that link to it.
  return graph_.count(member) > 1;
}

GroupCounts GroupCensus::sum(std::span<const Group* const> groups) const {
  GroupCounts counts;
  std::set<PageId> pages, members;
  for (const auto* group : groups) {
    pages.insert(group->page_id);
    ++counts.columns;
    if (!group->kept()) continue;
    ++counts.groups;
    for (const auto& member : group->members) members.insert(member.page);
    const auto found = candidates_.find(group->topic);
    if (found == candidates_.end() || found->second.passages < min_evidence_) continue;
    ++counts.topics;
    counts.candidates += found->second.passages;
    counts.outside += found->second.outside;
  }
  counts.samples = samples_of(groups);
  counts.pages = pages.size();
  counts.members = members.size();
  counts.linked = static_cast<std::uint64_t>(
      std::count_if(members.begin(), members.end(), [&](PageId member) { return is_linked(member); }));
  return counts;
}

GroupCounts GroupCensus::count(const std::function<bool(const Group&)>& wanted) const {
  std::vector<const Group*> chosen;
  for (const auto& group : groups_) {
    if (wanted(group)) chosen.push_back(&group);
  }
  return sum(chosen);
}

GroupCounts GroupCensus::count_all() const {
  return count([](const Group&) { return true; });
}

std::vector<GroupRow> GroupCensus::by_title(std::span<const std::string> affixes) const {
  std::vector<GroupRow> rows;
  for (const auto& affix : affixes) {
    rows.push_back({affix, count([&](const Group& group) { return evidence::is_list_title(group.page, affix); })});
  }
  sort_rows(rows);
  return rows;
}

std::vector<GroupRow> GroupCensus::by_name(const std::function<std::string(const Group&)>& name) const {
  std::map<std::string, std::vector<const Group*>> parts;
  for (const auto& group : groups_) {
    auto key = name(group);
    if (!key.empty()) parts[std::move(key)].push_back(&group);
  }
  std::vector<GroupRow> rows;
  for (const auto& [key, groups] : parts) {
    if (std::any_of(groups.begin(), groups.end(), [](const auto* group) { return group->kept(); }))
      rows.push_back({key, sum(groups)});
  }
  sort_rows(rows);
  return rows;
}

std::vector<GroupRow> GroupCensus::by_header() const {
  auto rows = by_name([](const Group& group) { return is_from_list(group) ? "" : lower_case(group.column); });
  const auto naming = naming_headers(groups_);
  for (auto& row : rows) {
    const auto found = naming.find(row.name);
    if (found != naming.end()) row.first = found->second;
  }
  return rows;
}

std::vector<GroupRow> GroupCensus::by_heading() const {
  return by_name([](const Group& group) -> std::string {
    if (!is_from_list(group)) return "";
    return group.section_path.empty() ? "(lead)" : group.section_path.back();
  });
}

}  // namespace touchstone::pipeline::survey
