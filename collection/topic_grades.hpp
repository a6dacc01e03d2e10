#pragma once

#include "collection/records.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::collection {

/// One line of the qrels that is being made from judgments.
struct TopicGrade {
  std::string docid;
  int grade = 0;
  bool own_article = false;  ///< the passage is from the article of one of the topic's members
};

/// Makes a topic's qrels from the judgments of its members: a passage's grade is the highest over the members, and a
/// passage without any grade is left out.
class TopicGrades {
 public:
  void add(const JudgmentRecord& judgment);
  /// The topic's qrels by docid, bytewise; the object is empty afterwards.
  std::vector<TopicGrade> take();

 private:
  struct Entry {
    std::optional<int> grade;
    bool own_article = false;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace touchstone::collection
