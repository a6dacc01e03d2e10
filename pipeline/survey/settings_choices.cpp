#include "pipeline/survey/settings_choices.hpp"

#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/survey/group_census.hpp"

#include <algorithm>

namespace touchstone::pipeline::survey {
namespace {

using evidence::Group;
using evidence::MemberSource;

constexpr double kHalfWorth = 10;    ///< subjects
constexpr double kMostDamage = 0.2;  ///< of the passages: a collection of no worth

bool has_list_groups(const std::vector<Group>& groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [](const Group& group) { return group.kept() && is_from_list(group); });
}

/// The plans for one kind of pages.
void add_plans(const evidence::GroupsOptions& base, const std::vector<Group>& groups,
               const std::vector<std::string>& prefixes, const std::string& pages, double table_weight,
               double list_weight, std::vector<GroupsPlan>& plans) {
  auto options = base;
  options.list_prefixes = prefixes;
  options.header.clear();
  options.columns = evidence::ColumnChoice::kSubject;
  const bool lists = has_list_groups(groups);
  const bool tables = std::any_of(groups.begin(), groups.end(),
                                  [](const Group& group) { return group.kept() && !is_from_list(group); });
  if (tables) {
    options.sources = {MemberSource::kTable};
    plans.push_back({pages + ", tables", options, table_weight});
  }
  if (!lists) return;
  options.sources = {MemberSource::kListItem};
  if (tables) options.sources.insert(options.sources.begin(), MemberSource::kTable);
  plans.push_back({pages + (tables ? ", tables and list items" : ", list items"), options, list_weight});
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
    add_plans(base, on_lists, list_affixes, "list pages", 1, 1, plans);
  }
  if (all_pages) add_plans(base, explored, {"*"}, "all articles", 0.4, 0.3, plans);
  return plans;
}

double trial_worth(const TrialOutcome& outcome, double weight) noexcept {
  const auto subjects = static_cast<double>(outcome.subjects);
  const double whole = std::max(0.0, 1 - outcome.texts.damaged_share() / kMostDamage);
  return weight * subjects / (subjects + kHalfWorth) * (0.5 + 0.5 * outcome.outside_share()) * whole;
}

}  // namespace touchstone::pipeline::survey
