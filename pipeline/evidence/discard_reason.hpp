#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

/// The reason as groups.jsonl, discarded.tsv and `show` write it.
std::string_view to_string(DiscardReason reason) noexcept;

/// The reason that is written as `text`, or nothing.
std::optional<DiscardReason> discard_reason(std::string_view text) noexcept;

}  // namespace touchstone::pipeline::evidence
