#pragma once

#include "analysis/measures/measure.hpp"
#include "analysis/measures/preference_group.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// Measures of how many preferences a ranking fulfils.
/// Source: form_prefs_counts.c and m_prefs_*.c of trec_eval 10 (github.com/usnistgov/trec_eval), C. Buckley, 2008.
namespace touchstone::analysis::measures::internal {

/// The judged docids of a topic in the order in which a run retrieves them. Those that it does not retrieve follow.
struct Places {
  std::vector<std::uint32_t> of;  ///< by docid of the topic, from 0; each place once
  std::uint32_t retrieved = 0;    ///< places below this number are retrieved
  bool is_retrieved(std::uint32_t place) const noexcept { return place < retrieved; }
};

/// Preferences of a kind, and how many of them the ranking fulfils.
struct Fulfilment {
  std::uint64_t fulfilled = 0, possible = 0;
  Fulfilment& operator+=(const Fulfilment& other) noexcept;
};

/// The preferences of a group by how many of the two docids are retrieved. A preference for a retrieved docid over one
/// that is not retrieved is fulfilled.
struct GroupCounts {
  Fulfilment both, one;
  std::uint64_t neither = 0;
  std::uint64_t relevant = 0, relevant_retrieved = 0, nonrelevant = 0, nonrelevant_retrieved = 0;  ///< docids
};

/// Which preferences count.
enum class PreferenceScope : std::uint8_t {
  kAll,        ///< those between docids that are not retrieved count as not fulfilled
  kImplied,    ///< at least one of the two is retrieved
  kRetrieved,  ///< both are retrieved
};

/// What a ranking makes of the preferences of a topic.
class PreferenceCounts {
 public:
  /// Keeps references to both.
  PreferenceCounts(std::span<const PreferenceGroup> groups, const Places& places);

  /// Over all groups; a pair counts once for each group.
  Fulfilment sum(PreferenceScope scope) const;
  /// Mean over groups of fulfilled / possible. A group without a possible preference counts as 0.
  double mean_of_groups(PreferenceScope scope) const;
  /// Mean over pairs of docids of the share of the groups with a preference whose preference is fulfilled.
  double mean_of_pairs(PreferenceScope scope) const;
  /// As mean_of_groups(), with as many non-relevant docids in each group as relevant ones: of more, the first in the
  /// ranking; for each that is missing, a preference of each relevant docid that is fulfilled if it is retrieved.
  /// As in trec_eval, a group of one sub-group with too many non-relevant docids also counts each pair of a
  /// non-relevant docid and one of those that are kept, each of these with itself too; and the value is 0 if a group
  /// has nothing to count.
  /// \param scope  kAll or kRetrieved
  double mean_of_balanced_groups(PreferenceScope scope) const;

 private:
  Fulfilment balanced(std::size_t group, PreferenceScope scope) const;

  std::span<const PreferenceGroup> groups_;
  const Places& places_;
  std::vector<GroupCounts> counts_;  ///< by group
};

/// The value of a measure of preferences; 0 where the formula would divide by 0, and for texts. 1 for num_q.
double preference_score(MeasureKind kind, const PreferenceCounts& counts);

}  // namespace touchstone::analysis::measures::internal
