#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace touchstone::pipeline::evidence {

/// Why a column or a topic is not in the collection.
enum class DiscardReason : std::uint8_t {
  kEmptyCell,
  kCellWithoutArticle,
  kTooManyBacklinks,
  kNoMember,
  kTooFewMembers,
  kTooFewArticles,
  kTooLittleEvidence,
  kSameMembers,
  kForbiddenHeading,
  kOtherKind,
  kMixedKinds,
  kContents,
  kUnworded,
  kDoubtfulEvidence,
  kArticleSection,
};

/// Each reason as discarded.tsv and `show` write it.
inline constexpr std::array<std::pair<DiscardReason, std::string_view>, 15> kDiscardReasons{{
    {DiscardReason::kEmptyCell, "empty cell"},
    {DiscardReason::kCellWithoutArticle, "cell without an article"},
    {DiscardReason::kTooManyBacklinks, "member with too many backlinks"},
    {DiscardReason::kNoMember, "no member"},
    {DiscardReason::kTooFewMembers, "too few members"},
    {DiscardReason::kTooFewArticles, "too few cells lead to an article"},
    {DiscardReason::kTooLittleEvidence, "too little evidence"},
    {DiscardReason::kSameMembers, "same members as another topic"},
    {DiscardReason::kForbiddenHeading, "heading of no topic"},
    {DiscardReason::kOtherKind, "members of another kind than the list"},
    {DiscardReason::kMixedKinds, "members of no common kind"},
    {DiscardReason::kContents, "contents of a page or series"},
    {DiscardReason::kUnworded, "no words for a query"},
    {DiscardReason::kDoubtfulEvidence, "doubtful evidence"},
    {DiscardReason::kArticleSection, "section that many articles have"},
}};

constexpr std::string_view to_string(DiscardReason reason) noexcept {
  return kDiscardReasons[static_cast<std::size_t>(reason)].second;
}

/// The names for files of records (common/records).
constexpr const auto& names_of(DiscardReason /*any*/) noexcept {
  return kDiscardReasons;
}

}  // namespace touchstone::pipeline::evidence
