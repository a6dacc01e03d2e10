#include "analysis/measures/preference_group.hpp"

#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {

using formats::fields::quote_for_message;

PreferenceGroup::PreferenceGroup(const formats::trec::PreferenceTable::Group& group,
                                 std::span<const std::string_view> docids, const std::string& where) {
  add_docids(group.subgroups);
  for (const auto& subgroup : group.subgroups) {
    for (const auto& [docid, level] : subgroup) {
      if ((level > 0) != is_relevant(find(docid))) {
        throw FormatError(
            fmt::format("{}: docid {} has level 0 in one sub-group and a higher level in another; 0 means not "
                        "relevant: correct one of "
                        "the levels, or give the judgments different groups",
                        where, quote_for_message(docids[docid])));
      }
    }
  }
  if (group.subgroups.size() < 2) return;
  if (size() > kMaxPartialDocids) {
    throw FormatError(
        fmt::format("{}: has {} docids in several sub-groups, but there may be at most {}; divide the group", where,
                    size(), kMaxPartialDocids));
  }
  words_ = (size() + 63) / 64;
  preferred_.resize(size() * words_);
  for (const auto& subgroup : group.subgroups) add_preferences(subgroup);
  close();
  for (std::size_t a = 0; a < size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!prefers(a, b) || !prefers(b, a)) continue;
      throw FormatError(fmt::format(
          "{}: docid {} is preferred to {}, and {} to {}; correct the levels, or give the judgments different groups",
          where, quote_for_message(docids[docids_[b]]), quote_for_message(docids[docids_[a]]),
          quote_for_message(docids[docids_[a]]), quote_for_message(docids[docids_[b]])));
    }
  }
}

void PreferenceGroup::add_docids(const std::vector<Subgroup>& subgroups) {
  for (const auto& subgroup : subgroups) {
    for (const auto& level : subgroup) docids_.push_back(level.docid);
  }
  std::sort(docids_.begin(), docids_.end());
  docids_.erase(std::unique(docids_.begin(), docids_.end()), docids_.end());
  levels_.resize(docids_.size());
  for (const auto& subgroup : subgroups) {
    for (const auto& [docid, level] : subgroup) levels_[find(docid)] = level;
  }
}

std::size_t PreferenceGroup::find(std::uint32_t docid) const noexcept {
  const auto at = std::lower_bound(docids_.begin(), docids_.end(), docid);
  return at != docids_.end() && *at == docid ? static_cast<std::size_t>(at - docids_.begin()) : kAbsent;
}

void PreferenceGroup::add_preferences(const Subgroup& subgroup) {
  std::vector<std::size_t> index;
  for (const auto& level : subgroup) index.push_back(find(level.docid));
  for (std::size_t a = 0; a < subgroup.size(); ++a) {
    for (std::size_t b = 0; b < subgroup.size(); ++b) {
      if (subgroup[a].level > subgroup[b].level) set(index[a], index[b]);
    }
  }
}

/// Adds what follows by transitivity. Source: S. Warshall, "A Theorem on Boolean Matrices", JACM 1962.
void PreferenceGroup::close() {
  for (std::size_t middle = 0; middle < size(); ++middle) {
    for (std::size_t better = 0; better < size(); ++better) {
      if (better == middle || !prefers(better, middle)) continue;
      for (std::size_t word = 0; word < words_; ++word)
        preferred_[better * words_ + word] |= preferred_[middle * words_ + word];
    }
  }
}

}  // namespace touchstone::analysis::measures::internal
