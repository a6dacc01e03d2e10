#pragma once

#include "common/named_values.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// What became of the labels of the collection of the dump before.
namespace touchstone::collection::evidence {

enum class LabelState : std::uint8_t {
  kCarried,     ///< the same question was answered there, with the same result
  kKept,        ///< an edit changed the passage, but no sentence that the judge marked
  kAskedAgain,  ///< it was there, and another question was asked
  kNew,         ///< it was not there
  kGone         ///< it was there and is not here
};
inline constexpr std::pair<std::string_view, LabelState> kLabelStates[] = {{"carried", LabelState::kCarried},
                                                                           {"kept", LabelState::kKept},
                                                                           {"asked again", LabelState::kAskedAgain},
                                                                           {"new", LabelState::kNew},
                                                                           {"gone", LabelState::kGone}};

/// Why a label is not what it was: from what changed the topic to what changed the question alone. docs/collection.md
/// says what each reason means.
enum class LabelReason : std::uint8_t {
  kListAdded,
  kListGone,
  kListMoved,
  kListEdited,
  kMemberCreated,
  kMemberDeleted,
  kMemberKind,
  kTopicAdded,
  kTopicGone,
  kPageAdded,
  kPageDeleted,
  kPageMerged,
  kPageEdited,
  kTemplateChanged,
  kRepeat,
  kRedirectChanged,
  kLinkAdded,
  kLinkGone,
  kNamesChanged,
  kCandidateLimit,
  kPageMoved,
  kMemberMoved,
  kAliasesChanged,
  kQueryReworded,
  kSettingsChanged,
  kAskedOnceMore,
  kWordsCounted,
  kJudgeChanged,
};
inline constexpr std::pair<std::string_view, LabelReason> kLabelReasons[] = {
    {"list added", LabelReason::kListAdded},
    {"list gone", LabelReason::kListGone},
    {"list moved", LabelReason::kListMoved},
    {"list edited", LabelReason::kListEdited},
    {"member created", LabelReason::kMemberCreated},
    {"member deleted", LabelReason::kMemberDeleted},
    {"member of another kind", LabelReason::kMemberKind},
    {"topic added", LabelReason::kTopicAdded},
    {"topic gone", LabelReason::kTopicGone},
    {"page added", LabelReason::kPageAdded},
    {"page deleted", LabelReason::kPageDeleted},
    {"page merged", LabelReason::kPageMerged},
    {"page edited", LabelReason::kPageEdited},
    {"template or boilerplate changed", LabelReason::kTemplateChanged},
    {"repeat", LabelReason::kRepeat},
    {"redirect changed", LabelReason::kRedirectChanged},
    {"link added", LabelReason::kLinkAdded},
    {"link gone", LabelReason::kLinkGone},
    {"names changed", LabelReason::kNamesChanged},
    {"limit of candidates", LabelReason::kCandidateLimit},
    {"page moved", LabelReason::kPageMoved},
    {"member moved", LabelReason::kMemberMoved},
    {"aliases changed", LabelReason::kAliasesChanged},
    {"query reworded", LabelReason::kQueryReworded},
    {"settings changed", LabelReason::kSettingsChanged},
    {"asked once more", LabelReason::kAskedOnceMore},
    {"words counted anew", LabelReason::kWordsCounted},
    {"judge changed", LabelReason::kJudgeChanged}};

inline std::string_view to_string(LabelState state) {
  return name_in(kLabelStates, state);
}
inline std::string_view to_string(LabelReason reason) {
  return name_in(kLabelReasons, reason);
}

/// The field `history` of a judgment.
struct LabelHistory {
  LabelState state = LabelState::kCarried;  ///< not kGone
  std::optional<LabelReason> reason;        ///< nothing exactly if carried
  std::string from;                         ///< the docid that the label had; empty: the same, or it was not there

  friend bool operator==(const LabelHistory&, const LabelHistory&) = default;
};

/// A label of the collection before that this one does not have: a line of gone.jsonl.
struct GoneRecord {
  std::string topic, docid;
  std::string member;  ///< title
  std::uint64_t member_page_id = 0;
  std::optional<int> grade;
  LabelReason reason = LabelReason::kTopicGone;
};

}  // namespace touchstone::collection::evidence
