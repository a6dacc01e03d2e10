#include "pipeline/survey/settings_choices.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/list_titles.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::survey {
namespace {

using evidence::Group;
using evidence::MemberSource;

constexpr std::size_t kMaxHeaders = 30, kMaxHeaderBytes = 80;
constexpr double kNamingShare = 0.5;  ///< of a header's kept columns that must name what their tables are about
constexpr double kHalfWorth = 50;     ///< topics: as many as the evaluation campaigns of TREC have
constexpr double kOutsideShare =
    0.382;  ///< candidates outside the members' own articles; D-MERIT: evidence inside them

/// Headers whose columns name what their tables are about, most frequent first.
std::vector<std::string> best_headers(const std::vector<Group>& groups) {
  std::map<std::string, std::uint64_t> kept;
  for (const auto& group : groups) {
    if (!is_from_list(group) && group.kept()) ++kept[lower_case(group.column)];
  }
  std::vector<std::pair<std::string, std::uint64_t>> headers;
  for (const auto& [header, count] : naming_headers(groups)) {
    const bool names = static_cast<double>(count) >= kNamingShare * static_cast<double>(kept[header]);
    if (names && header.size() <= kMaxHeaderBytes) headers.emplace_back(header, count);
  }
  std::stable_sort(headers.begin(), headers.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (headers.size() > kMaxHeaders) headers.resize(kMaxHeaders);
  std::vector<std::string> texts;
  for (auto& [header, count] : headers) texts.push_back(std::move(header));
  return texts;
}

bool has_list_groups(const std::vector<Group>& groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [](const Group& group) { return group.kept() && is_from_list(group); });
}

/// The plans for one kind of pages.
void add_plans(const evidence::GroupsOptions& base, const std::vector<Group>& groups,
               const std::vector<std::string>& affixes, const std::string& pages, double table_weight,
               double list_weight, std::vector<GroupsPlan>& plans) {
  const auto headers = best_headers(groups);
  const bool lists = has_list_groups(groups);
  auto options = base;
  options.list_prefixes = affixes;
  if (!headers.empty()) {
    options.header = header_pattern(headers);
    options.sources = {MemberSource::kTable};
    plans.push_back({pages + ", columns of tables", options, table_weight});
    if (!lists) return;
    options.sources = {MemberSource::kTable, MemberSource::kListItem};
    plans.push_back({pages + ", columns of tables and list items", options, list_weight});
  } else if (lists) {
    options.sources = {MemberSource::kListItem};
    plans.push_back({pages + ", list items", options, list_weight});
  }
}

}  // namespace

std::vector<GroupsPlan> groups_plans(const evidence::GroupsOptions& base, const std::vector<Group>& explored,
                                     const std::vector<std::string>& list_affixes, bool all_pages) {
  std::vector<GroupsPlan> plans;
  if (!list_affixes.empty()) {
    std::vector<Group> on_lists;
    for (const auto& group : explored) {
      const bool listed = std::any_of(list_affixes.begin(), list_affixes.end(),
                                      [&](const auto& affix) { return evidence::is_list_title(group.page, affix); });
      if (listed) on_lists.push_back(group);
    }
    add_plans(base, on_lists, list_affixes, "list pages", 1, 0.9, plans);
  }
  if (all_pages) add_plans(base, explored, {"*"}, "all articles", 0.5, 0.1, plans);
  return plans;
}

double plan_worth(const GroupCounts& counts, double weight) noexcept {
  const auto topics = static_cast<double>(counts.topics);
  const auto groups = static_cast<double>(counts.groups);
  // Groups count a little, so that of settings without topics the one with more groups comes first.
  return weight * (topics / (topics + kHalfWorth) + 1e-6 * groups / (groups + kHalfWorth));
}

bool prefers_whole_articles(const GroupCounts& lead, const GroupCounts& all) noexcept {
  return lead.outside_share() < kOutsideShare && all.outside >= 2 * lead.outside && all.outside > 0 &&
         all.topics >= lead.topics;
}

}  // namespace touchstone::pipeline::survey
