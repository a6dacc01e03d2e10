#pragma once

#include "collection/evidence/records.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::collection::evidence {

/// One line of the qrels that is being made from judgments.
struct TopicGrade {
  std::string docid;
  int grade = 0;
  bool own_article = false;  ///< the passage is from the article of one of the topic's members
};

/// The grade in the qrels of a judgment with this grade: itself from `evidence_grade` on, and 0 below, so that readers
/// of qrels, for whom every grade above 0 is relevant, count what the collection counts. Negative grades stay.
constexpr int qrel_grade(int grade, int evidence_grade) noexcept {
  return grade >= evidence_grade || grade < 0 ? grade : 0;
}

/// Makes a topic's qrels from the judgments of its members: a passage's grade is the highest over the members, and a
/// passage without any grade is left out.
class TopicGrades {
 public:
  /// \param evidence_grade  lowest grade of a judgment that is evidence
  explicit TopicGrades(int evidence_grade = 1) : evidence_grade_(evidence_grade) {}

  void add(const JudgmentRecord& judgment);
  /// The topic's qrels by docid, bytewise; the object is empty afterwards.
  std::vector<TopicGrade> take();

 private:
  struct Entry {
    std::optional<int> grade;
    bool own_article = false;
  };
  int evidence_grade_;
  std::map<std::string, Entry> entries_;
};

}  // namespace touchstone::collection::evidence
