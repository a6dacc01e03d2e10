#include "analysis/votes/item_votes.hpp"

#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::analysis::votes {
namespace {

using formats::fields::quote_for_message;
using formats::labeling::Annotation;
using formats::labeling::Span;
using formats::labeling::TaskKind;

auto item_of(const Annotation& answer) {
  return std::tie(answer.topic, answer.docid, answer.kind, answer.member);
}

/// The answers that count, by item and annotator; each is the last of its annotator.
std::vector<const Annotation*> last_answers(std::span<const Annotation> answers) {
  std::vector<const Annotation*> sorted;
  sorted.reserve(answers.size());
  for (const auto& answer : answers) sorted.push_back(&answer);
  const auto by_item = [](const Annotation* a, const Annotation* b) {
    return std::tuple_cat(item_of(*a), std::tie(a->annotator, a->judged_at_ms)) <
           std::tuple_cat(item_of(*b), std::tie(b->annotator, b->judged_at_ms));
  };
  std::stable_sort(sorted.begin(), sorted.end(), by_item);
  std::vector<const Annotation*> last;
  for (const auto* answer : sorted) {
    if (!last.empty() && item_of(*last.back()) == item_of(*answer) && last.back()->annotator == answer->annotator) {
      last.back() = answer;
    } else {
      last.push_back(answer);
    }
  }
  return last;
}

int span_grade(TaskKind kind, const VoteRules& rules) {
  return rules.span_grade.value_or(kind == TaskKind::kEvidence ? 1 : 2);
}

Agreement agreement_of(const ItemVote& item) {
  if (item.counts.size() == 1) return Agreement::kUnanimous;
  std::size_t most = 0, with_most = 0;
  for (const auto& [grade, count] : item.counts) most = std::max(most, count);
  for (const auto& [grade, count] : item.counts) with_most += count == most ? 1 : 0;
  return with_most == 1 ? Agreement::kMajority : Agreement::kTieRule;
}

/// \param answers  of one item, one an annotator
ItemVote vote_on(std::span<const Annotation* const> answers, const VoteRules& rules) {
  const auto& first = *answers.front();
  ItemVote item;
  item.kind = first.kind;
  item.topic = first.topic;
  item.docid = first.docid;
  item.member = first.member;
  const bool graded = item.kind != TaskKind::kSpans;
  std::vector<int> grades;
  std::vector<const Annotation*> voters;
  for (const auto* answer : answers) {
    if (answer->skipped || (graded && !answer->grade)) {
      ++item.skipped;
      continue;
    }
    voters.push_back(answer);
    if (!graded) continue;
    grades.push_back(*answer->grade);
    ++item.counts[*answer->grade];
  }
  item.voters = voters.size();
  if (voters.empty() || voters.size() < rules.at_least) {
    item.left_out = LeftOut::kTooFewVotes;
    return item;
  }
  if (graded) {
    item.grade = majority_grade(grades, rules.ties.value_or(usual_tie_rule(item.kind)));
    if (!item.grade) {
      item.left_out = LeftOut::kTied;
      return item;
    }
    item.agreement = agreement_of(item);
    const int lowest = span_grade(item.kind, rules);
    if (*item.grade < lowest) return item;
    std::erase_if(voters, [&](const Annotation* voter) { return *voter->grade < lowest; });
  }
  std::vector<std::vector<Span>> selections;
  for (const auto* voter : voters) selections.push_back(voter->spans);
  item.span_voters = voters.size();
  item.heat = span_heat(selections);
  item.spans = majority_spans(item.heat, item.span_voters);
  return item;
}

}  // namespace

TieRule usual_tie_rule(TaskKind kind) noexcept {
  return kind == TaskKind::kEvidence ? TieRule::kLowest : TieRule::kHighest;
}

Votes vote_on_items(std::span<const Annotation> answers, const VoteRules& rules) {
  Votes votes;
  votes.answers = answers.size();
  const auto last = last_answers(answers);
  votes.replaced = answers.size() - last.size();
  std::set<std::string_view> annotators;
  for (auto first = last.begin(); first != last.end();) {
    const auto end =
        std::find_if(first, last.end(), [&](const Annotation* answer) { return item_of(*answer) != item_of(**first); });
    for (auto answer = first; answer != end; ++answer) annotators.insert((*answer)->annotator);
    votes.items.push_back(vote_on({first, end}, rules));
    first = end;
  }
  votes.annotators = annotators.size();
  return votes;
}

std::vector<formats::trec::QrelRecord> passage_qrels(const Votes& votes) {
  std::vector<formats::trec::QrelRecord> qrels;
  for (auto first = votes.items.begin(); first != votes.items.end();) {
    const auto end = std::find_if(first, votes.items.end(), [&](const ItemVote& item) {
      return item.topic != first->topic || item.docid != first->docid;
    });
    std::optional<int> grade;
    bool missing = false;
    const ItemVote* graded = nullptr;
    for (auto item = first; item != end; ++item) {
      if (item->kind == TaskKind::kSpans) continue;
      if (graded != nullptr && graded->kind != item->kind)
        throw FormatError(fmt::format(
            "passage {} of topic {} has both a grade and members of its list, which are two questions; vote on the "
            "files of each question alone",
            quote_for_message(item->docid), quote_for_message(item->topic)));
      graded = &*item;
      if (item->grade) {
        grade = std::max(grade.value_or(*item->grade), *item->grade);
      } else {
        missing = true;
      }
    }
    if (grade && (!missing || *grade > 0)) qrels.push_back({first->topic, first->docid, *grade});
    first = end;
  }
  return qrels;
}

}  // namespace touchstone::analysis::votes
