#pragma once

#include "analysis/votes/majority.hpp"
#include "analysis/votes/span_votes.hpp"
#include "formats/labeling/annotation.hpp"
#include "formats/trec/qrels.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace touchstone {
namespace analysis::votes {

/// Highest for grades, as FiRA did; lowest for evidence, so that a tie is a no, as judges and audits have it.
TieRule usual_tie_rule(formats::labeling::TaskKind kind) noexcept;

/// How the answers to an item become its grade and its spans.
struct VoteRules {
  std::optional<TieRule> ties = std::nullopt;  ///< nothing: usual_tie_rule() of the item's kind
  std::size_t at_least = 1;                    ///< votes that an item needs for a grade
  /// The lowest grade whose answers have spans. Nothing: 2 for grades, as in FiRA, where spans are asked for the two
  /// upper grades; 1 for evidence.
  std::optional<int> span_grade = std::nullopt;
};

/// How a grade was found. Source: the voting types of FiRA's figure 4 (Hofstätter et al., CIKM 2020).
enum class Agreement : std::uint8_t {
  kUnanimous,  ///< all voters gave the grade
  kMajority,   ///< more voters gave it than any other
  kTieRule     ///< as many gave another one, and the rule for ties decided
};

/// Why an item has no grade.
enum class LeftOut : std::uint8_t { kTooFewVotes, kTied };

/// The vote on one item: a passage for a topic, and for evidence a member.
struct ItemVote {
  formats::labeling::TaskKind kind{};
  std::string topic, docid, member;
  std::map<int, std::size_t> counts;  ///< votes by grade; empty for tasks without grades
  std::size_t voters = 0;             ///< annotators whose answer counts; skipped answers do not
  std::size_t skipped = 0;            ///< annotators who left the item to others
  std::optional<int> grade;
  std::optional<Agreement> agreement;  ///< of items with a grade
  std::optional<LeftOut> left_out;     ///< of items without a result
  /// Voters whose spans count: those whose grade is on the winner's side of VoteRules::span_grade, if the winner has
  /// spans; all voters of tasks without grades.
  std::size_t span_voters = 0;
  std::vector<SpanHeat> heat;
  std::vector<formats::labeling::Span> spans;
};

/// The votes on all items.
struct Votes {
  std::vector<ItemVote> items;  ///< by topic, docid, kind and member, in byte order
  std::size_t answers = 0;      ///< all that were given
  std::size_t replaced = 0;     ///< answers that the same annotator replaced by a later one
  std::size_t annotators = 0;
};

/// Votes on each item. Of several answers of one annotator to an item the last counts: the one with the latest
/// `judged_at_ms`, and of equal times the one that comes last. Equal answers in equal order give equal results. Pure.
Votes vote_on_items(std::span<const formats::labeling::Annotation> answers, const VoteRules& rules);

/// The grades of passages. A passage that was judged for members is evidence (1) if the vote on any member says yes,
/// and none (0) if all say no; if no vote says yes and one is missing, the passage has no grade. Sorted by topic and
/// docid. Throws FormatError if a passage has both a grade and members for one topic: two questions, which need two
/// qrels files.
std::vector<formats::trec::QrelRecord> passage_qrels(const Votes& votes);

}  // namespace analysis::votes

template <>
struct Choices<analysis::votes::Agreement> {
  using Value = analysis::votes::Agreement;
  static constexpr Choice<Value> table[] = {
      {"unanimous", Value::kUnanimous}, {"majority", Value::kMajority}, {"tie rule", Value::kTieRule}};
};
template <>
struct Choices<analysis::votes::LeftOut> {
  using Value = analysis::votes::LeftOut;
  static constexpr Choice<Value> table[] = {{"fewer votes than --at-least", Value::kTooFewVotes},
                                            {"tied, and --ties is none", Value::kTied}};
};

}  // namespace touchstone
