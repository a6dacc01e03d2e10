#include "collection/evidence/topic_grades.hpp"

#include <algorithm>

namespace touchstone::collection::evidence {

void TopicGrades::add(const JudgmentRecord& judgment) {
  auto& entry = entries_[judgment.docid];
  if (judgment.grade) entry.grade = std::max(entry.grade.value_or(*judgment.grade), *judgment.grade);
  entry.own_article = entry.own_article || judgment.own_article;
}

std::vector<TopicGrade> TopicGrades::take() {
  std::vector<TopicGrade> grades;
  for (const auto& [docid, entry] : entries_) {
    if (entry.grade) grades.push_back({docid, qrel_grade(*entry.grade, evidence_grade_), entry.own_article});
  }
  entries_.clear();
  return grades;
}

}  // namespace touchstone::collection::evidence
