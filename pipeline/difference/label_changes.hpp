#pragma once

#include "pipeline/difference/matching.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::pipeline::difference {

using collection::evidence::kLabelReasons;
using collection::evidence::LabelReason;

/// A (topic, passage) whose label changed. Parts that a side does not have are kNoPart.
struct LabelChange {
  std::uint32_t old_topic = kNoPart, new_topic = kNoPart, old_passage = kNoPart, new_passage = kNoPart;
  std::optional<int> old_grade, new_grade;  ///< nothing: not judged on that side
  LabelReason reason = LabelReason::kJudgeChanged;
};

/// A member that only one of the collections has in a topic that both have.
struct MemberChange {
  std::uint32_t old_topic = 0, new_topic = 0;
  std::string title;
  bool added = false;  ///< false: gone
};

/// Both collections and how their parts belong together.
struct Comparison {
  ComparedCollection before, after;
  Matching<TopicChange> topics;
  Matching<PassageChange> passages;
  std::vector<MemberChange> members;  ///< by topic of the old collection and title
  std::vector<LabelChange> labels;    ///< by topic and passage of the old collection; those without at the end
  std::uint64_t labels_kept = 0;      ///< judged on both sides with the same grade
};

/// Compares two collections that were read.
Comparison compare_collections(ComparedCollection before, ComparedCollection after);

}  // namespace touchstone::pipeline::difference
