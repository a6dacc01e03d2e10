#include "collection/evidence/audit_records.hpp"

#include "common/digest.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::collection::evidence {
namespace {

using formats::labeling::Annotation;

constexpr std::string_view kPeople = "people (majority of ", kPerson = "person ";

/// A person's yes or no as a grade of the collection.
int grade_of(int answer, const JudgmentRecord& before, int evidence_grade) {
  const bool yes = answer > 0;
  if (before.grade && (*before.grade >= evidence_grade) == yes) return *before.grade;
  return yes ? evidence_grade : 0;
}

/// The ranges of several lists, joined where they touch.
std::vector<std::pair<std::uint32_t, std::uint32_t>> joined(std::vector<std::pair<std::uint32_t, std::uint32_t>> all) {
  std::sort(all.begin(), all.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const auto& range : all) {
    if (!out.empty() && range.first <= out.back().second)
      out.back().second = std::max(out.back().second, range.second);
    else
      out.push_back(range);
  }
  return out;
}

}  // namespace

void sort_answers(std::vector<Annotation>& answers) {
  std::stable_sort(answers.begin(), answers.end(), [](const Annotation& a, const Annotation& b) {
    return std::tie(a.annotator, a.judged_at_ms, a.id) < std::tie(b.annotator, b.judged_at_ms, b.id);
  });
}

std::vector<const Annotation*> counted_answers(const std::vector<Annotation>& answers) {
  std::vector<const Annotation*> counted;
  for (const auto& answer : answers) {
    if (!counted.empty() && counted.back()->annotator == answer.annotator)
      counted.back() = &answer;
    else
      counted.push_back(&answer);
  }
  std::erase_if(counted, [](const Annotation* answer) { return answer->skipped || !answer->grade; });
  return counted;
}

JudgmentRecord judgment_after(const AuditRecord& audited, int evidence_grade) {
  if (!audited.grade) return audited.before;
  const auto& before = audited.before;
  JudgmentRecord after = before;
  const auto counted = counted_answers(audited.answers);
  after.judge = fmt::format("{}{})", kPeople, counted.size());
  after.prompt.clear();
  after.reply.clear();
  after.reason.clear();
  after.state = JudgmentState::kJudged;
  after.grade = grade_of(*audited.grade, before, evidence_grade);
  after.votes.clear();
  double yes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;
  for (const auto* answer : counted) {
    const int grade = grade_of(*answer->grade, before, evidence_grade);
    after.votes.push_back({std::string(kPerson) + answer->annotator, grade, std::nullopt, JudgmentState::kJudged,
                           sha256_hex(formats::labeling::annotation_line(*answer)), std::nullopt});
    yes += *answer->grade > 0 ? 1 : 0;
    if (*answer->grade != *audited.grade) continue;
    if (after.reason.empty()) after.reason = answer->reason;
    spans.insert(spans.end(), answer->spans.begin(), answer->spans.end());
  }
  after.votes.push_back({before.judge, before.grade, before.probability, before.state, before.digest, std::nullopt});
  after.probability = round_to(yes / static_cast<double>(counted.size()), kAuditDigits);
  const bool same_side = before.grade && (*before.grade >= evidence_grade) == (*audited.grade > 0);
  if (!spans.empty())
    after.spans = joined(std::move(spans));
  else if (!same_side)
    after.spans.clear();
  return after;
}

bool is_by_people(const JudgmentRecord& judgment) {
  return judgment.judge.starts_with(kPeople);
}

bool is_of_person(const VoteRecord& vote) {
  return vote.judge.starts_with(kPerson);
}

}  // namespace touchstone::collection::evidence
