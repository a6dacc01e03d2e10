#pragma once

#include "collection/collection.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace touchstone::formats::internal {

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

/// Counts what goes into a collection, or what a validator finds in one. Holds topic ids, member page ids and two
/// numbers a topic.
class CollectionCounter {
 public:
  void topic(const std::string& id) { topics_[id]; }
  bool knows_topic(const std::string& id) const { return topics_.count(id) != 0; }

  /// False when the topic is unknown; then nothing is counted.
  bool member(const MemberRecord& member);
  void passage() { ++numbers_.passages; }
  void judgment(const JudgmentRecord& judgment);
  /// False when the topic is unknown; then nothing is counted.
  bool qrel(const std::string& topic, int grade, bool own_article);
  void discarded(const std::string& reason) { ++numbers_.discarded[reason]; }

  /// Means and shares rounded to 4 digits, so that they are the same in memory and in files.
  CollectionNumbers numbers() const;

 private:
  struct PerTopic {
    std::uint64_t members = 0;
    std::uint64_t evidence = 0;
  };
  std::map<std::string, PerTopic> topics_;
  std::unordered_set<std::uint64_t> member_pages_;
  std::uint64_t evidence_outside_ = 0;
  CollectionNumbers numbers_;
};

/// First and last number of members in the bucket that holds `members`: tens up to 100, hundreds up to 1,000, and so
/// on; 0 is a bucket of its own.
std::pair<std::uint64_t, std::uint64_t> member_bucket(std::uint64_t members);

}  // namespace touchstone::formats::internal
