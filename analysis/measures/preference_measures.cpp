#include "analysis/measures/preference_measures.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace touchstone::analysis::measures::internal {
namespace {

using enum PreferenceScope;

double share(const Fulfilment& counts) noexcept {
  return counts.possible == 0 ? 0 : static_cast<double>(counts.fulfilled) / static_cast<double>(counts.possible);
}

Fulfilment within(const GroupCounts& counts, PreferenceScope scope) noexcept {
  Fulfilment sum = counts.both;
  if (scope != kRetrieved) sum += counts.one;
  if (scope == kAll) sum.possible += counts.neither;
  return sum;
}

/// Counts a preference for the docid at one place over that at another.
void count_pair(std::uint32_t better, std::uint32_t worse, const Places& places, GroupCounts& counts) noexcept {
  const int retrieved = places.is_retrieved(better) + places.is_retrieved(worse);
  if (retrieved == 0) {
    ++counts.neither;
    return;
  }
  auto& fulfilment = retrieved == 2 ? counts.both : counts.one;
  ++fulfilment.possible;
  fulfilment.fulfilled += better < worse;
}

GroupCounts count_group(const PreferenceGroup& group, const Places& places) {
  GroupCounts counts;
  for (std::size_t a = 0; a < group.size(); ++a) {
    const auto place = places.of[group.docid(a)];
    const bool retrieved = places.is_retrieved(place);
    ++(group.is_relevant(a) ? counts.relevant : counts.nonrelevant);
    if (retrieved) ++(group.is_relevant(a) ? counts.relevant_retrieved : counts.nonrelevant_retrieved);
    for (std::size_t b = 0; b < group.size(); ++b) {
      if (group.prefers(a, b)) count_pair(place, places.of[group.docid(b)], places, counts);
    }
  }
  return counts;
}

/// The non-relevant docids of a group that a balanced count leaves out: all but the first `kept` by place.
/// \param end  places from here on are not looked at, and nothing there is left out
std::vector<bool> left_out(const PreferenceGroup& group, const Places& places, std::uint64_t kept, std::uint32_t end) {
  std::vector<std::pair<std::uint32_t, std::size_t>> nonrelevant;  // place, index
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!group.is_relevant(i) && places.of[group.docid(i)] < end)
      nonrelevant.emplace_back(places.of[group.docid(i)], i);
  }
  std::sort(nonrelevant.begin(), nonrelevant.end());
  std::vector<bool> result(group.size());
  for (auto i = static_cast<std::size_t>(kept); i < nonrelevant.size(); ++i) result[nonrelevant[i].second] = true;
  return result;
}

/// Preferences among the docids that are not left out.
/// \param counts_pair  whether to count the preference for one docid over another, by index
template <class CountsPair>
Fulfilment count_where(const PreferenceGroup& group, const Places& places, PreferenceScope scope,
                       const CountsPair& counts_pair) {
  GroupCounts counts;
  for (std::size_t a = 0; a < group.size(); ++a) {
    for (std::size_t b = 0; b < group.size(); ++b) {
      if (counts_pair(a, b)) count_pair(places.of[group.docid(a)], places.of[group.docid(b)], places, counts);
    }
  }
  return within(counts, scope);
}

}  // namespace

Fulfilment& Fulfilment::operator+=(const Fulfilment& other) noexcept {
  fulfilled += other.fulfilled;
  possible += other.possible;
  return *this;
}

PreferenceCounts::PreferenceCounts(std::span<const PreferenceGroup> groups, const Places& places)
    : groups_(groups), places_(places) {
  for (const auto& group : groups) counts_.push_back(count_group(group, places));
}

Fulfilment PreferenceCounts::sum(PreferenceScope scope) const {
  Fulfilment sum;
  for (const auto& counts : counts_) sum += within(counts, scope);
  return sum;
}

double PreferenceCounts::mean_of_groups(PreferenceScope scope) const {
  double total = 0;
  for (const auto& counts : counts_) total += share(within(counts, scope));
  return total / static_cast<double>(counts_.size());
}

double PreferenceCounts::mean_of_pairs(PreferenceScope scope) const {
  if (groups_.size() == 1) return share(sum(scope));  // each pair has one preference
  const auto docids = places_.of.size();
  std::vector<std::uint32_t> forward(docids),
      backward(docids);  // groups that prefer the docid of the row, of the column
  double total = 0;
  std::uint64_t pairs = 0;
  for (std::uint32_t row = 0; row < docids; ++row) {
    std::fill(forward.begin(), forward.end(), 0U);
    std::fill(backward.begin(), backward.end(), 0U);
    for (const auto& group : groups_) {
      const auto own = group.find(row);
      if (own == PreferenceGroup::kAbsent) continue;
      for (std::size_t other = 0; other < group.size(); ++other) {
        forward[group.docid(other)] += group.prefers(own, other);
        backward[group.docid(other)] += group.prefers(other, own);
      }
    }
    for (std::uint32_t column = 0; column < docids; ++column) {
      const auto place = places_.of[row], other = places_.of[column];
      const double preferences = forward[column] + backward[column];
      if (place >= other || preferences == 0) continue;
      const int retrieved = places_.is_retrieved(place) + places_.is_retrieved(other);
      if ((retrieved < 2 && scope == kRetrieved) || (retrieved == 0 && scope != kAll)) continue;
      ++pairs;
      if (retrieved > 0) total += forward[column] / preferences;
    }
  }
  return pairs == 0 ? 0 : total / static_cast<double>(pairs);
}

Fulfilment PreferenceCounts::balanced(std::size_t index, PreferenceScope scope) const {
  const auto& group = groups_[index];
  const auto& counts = counts_[index];
  const bool only_retrieved = scope == kRetrieved;
  const auto relevant = only_retrieved ? counts.relevant_retrieved : counts.relevant;
  const auto nonrelevant = only_retrieved ? counts.nonrelevant_retrieved : counts.nonrelevant;
  if (relevant >= nonrelevant) {
    const auto missing = relevant - nonrelevant;
    auto sum = within(counts, scope);
    sum += {counts.relevant_retrieved * missing, counts.relevant * missing};
    return sum;
  }
  const auto end = only_retrieved ? places_.retrieved : static_cast<std::uint32_t>(places_.of.size());
  if (!group.is_ranking()) {
    const auto out = left_out(group, places_, counts.relevant, end);
    return count_where(group, places_, scope,
                       [&](std::size_t a, std::size_t b) { return !out[a] && !out[b] && group.prefers(a, b); });
  }
  const auto out = left_out(group, places_, relevant, end);
  return count_where(group, places_, scope, [&](std::size_t a, std::size_t b) {
    return group.is_relevant(b) ? group.prefers(a, b) : !out[b];
  });
}

double PreferenceCounts::mean_of_balanced_groups(PreferenceScope scope) const {
  double total = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto counts = balanced(i, scope);
    if (counts.possible == 0) return 0;
    total += share(counts);
  }
  return total / static_cast<double>(groups_.size());
}

// Long because it has a case for each measure.
double preference_score(MeasureKind kind, const PreferenceCounts& counts) {
  using enum MeasureKind;
  switch (kind) {
    case kRunId:
      return 0;
    case kNumQ:
      return 1;
    case kPrefsPossible:
      return static_cast<double>(counts.sum(kAll).possible);
    case kPrefsFulfilled:
      return static_cast<double>(counts.sum(kAll).fulfilled);
    case kPrefsFulfilledRetrieved:
      return static_cast<double>(counts.sum(kRetrieved).fulfilled);
    case kPrefsSimple:
      return share(counts.sum(kAll));
    case kPrefsSimpleImplied:
      return share(counts.sum(kImplied));
    case kPrefsSimpleRetrieved:
      return share(counts.sum(kRetrieved));
    case kPrefsPair:
      return counts.mean_of_pairs(kAll);
    case kPrefsPairImplied:
      return counts.mean_of_pairs(kImplied);
    case kPrefsPairRetrieved:
      return counts.mean_of_pairs(kRetrieved);
    case kPrefsGroups:
      return counts.mean_of_groups(kAll);
    case kPrefsGroupsImplied:
      return counts.mean_of_groups(kImplied);
    case kPrefsGroupsRetrieved:
      return counts.mean_of_groups(kRetrieved);
    case kPrefsBalanced:
      return counts.mean_of_balanced_groups(kAll);
    case kPrefsBalancedRetrieved:
      return counts.mean_of_balanced_groups(kRetrieved);
    default:
      TS_CHECK(false, "a measure of preferences");
      return 0;
  }
}

}  // namespace touchstone::analysis::measures::internal
