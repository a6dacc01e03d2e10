#pragma once

#include "formats/trec/preferences.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::measures::internal {

/// The preferences of one judgment group, with those that follow by transitivity. Docids are numbered from 0 within the
/// group. Immutable and thread-safe.
class PreferenceGroup {
 public:
  /// Most docids of a group with several sub-groups, whose preferences are held pair by pair.
  static constexpr std::size_t kMaxPartialDocids = 4000;

  /// Throws FormatError for a group that contradicts itself, by a docid that is preferred to itself or that is relevant
  /// in one sub-group and not in another, and for more than kMaxPartialDocids docids in several sub-groups.
  /// \param docids  of the topic
  /// \param where   file, topic and group, for messages
  PreferenceGroup(const formats::trec::PreferenceTable::Group& group, std::span<const std::string_view> docids,
                  const std::string& where);

  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  std::size_t size() const noexcept { return docids_.size(); }
  /// The number of a docid within the group; kAbsent if the group does not judge it.
  std::size_t find(std::uint32_t docid) const noexcept;
  /// Index into the topic's docids.
  std::uint32_t docid(std::size_t index) const { return docids_[index]; }
  /// Whether the level is above 0.
  bool is_relevant(std::size_t index) const { return levels_[index] > 0; }
  bool prefers(std::size_t better, std::size_t worse) const {
    if (is_ranking()) return levels_[better] > levels_[worse];
    return (preferred_[better * words_ + worse / 64] >> (worse % 64) & 1) != 0;
  }
  /// Whether there is a single sub-group, so that all docids of different levels are compared.
  bool is_ranking() const noexcept { return words_ == 0; }
  /// Bytes of the preferences that are held pair by pair.
  std::size_t bytes() const noexcept { return preferred_.size() * sizeof preferred_[0]; }

 private:
  using Subgroup = formats::trec::PreferenceTable::Subgroup;
  void add_docids(const std::vector<Subgroup>& subgroups);
  void add_preferences(const Subgroup& subgroup);
  void set(std::size_t better, std::size_t worse) {
    preferred_[better * words_ + worse / 64] |= std::uint64_t{1} << (worse % 64);
  }
  void close();

  std::vector<std::uint32_t> docids_;     ///< ascending
  std::vector<double> levels_;            ///< of the docids, in any of their sub-groups
  std::size_t words_ = 0;                 ///< of a row of preferred_; 0 for a ranking
  std::vector<std::uint64_t> preferred_;  ///< [docids][words]: bit `worse` of row `better`
};

}  // namespace touchstone::analysis::measures::internal
