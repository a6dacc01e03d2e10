#pragma once

#include "collection/evidence/collection_numbers.hpp"
#include "collection/evidence/records.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace touchstone::collection::evidence {

/// Counts what goes into a collection, or what a validator finds in one. Holds topic ids, member page ids and two
/// numbers a topic.
class CollectionCounter {
 public:
  /// \param evidence_grade  lowest grade of a judgment that is evidence
  explicit CollectionCounter(int evidence_grade = 1) : evidence_grade_(evidence_grade) {}

  void topic(const std::string& id) { topics_[id]; }
  bool knows_topic(const std::string& id) const { return topics_.count(id) != 0; }

  /// Returns false, and counts nothing, if the topic is unknown.
  bool member(const MemberRecord& member);
  void passage() { ++numbers_.passages; }
  void judgment(const JudgmentRecord& judgment);
  void gone(const GoneRecord& gone) { ++history_[{LabelState::kGone, gone.reason}]; }
  /// Returns false, and counts nothing, if the topic is unknown. Every grade above 0 of the qrels is evidence.
  bool qrel(const std::string& topic, int grade, bool own_article);
  void discarded(const std::string& reason) { ++numbers_.discarded[reason]; }

  /// Means and shares are rounded to kShareDigits, so that they are the same in memory and in files.
  CollectionNumbers numbers() const;

 private:
  struct PerTopic {
    std::uint64_t members = 0;
    std::uint64_t evidence = 0;
  };
  int evidence_grade_;
  std::map<std::string, PerTopic> topics_;
  std::unordered_set<std::uint64_t> member_pages_;
  std::uint64_t evidence_outside_ = 0;
  std::map<CandidateSource, CollectionNumbers::OfSource> by_source_;
  std::map<std::pair<LabelState, std::optional<LabelReason>>, std::uint64_t> history_;
  CollectionNumbers numbers_;
};

/// First and last number of members in the bucket that holds `members`: tens up to 100, hundreds up to 1,000, and so
/// on; 0 is a bucket of its own.
std::pair<std::uint64_t, std::uint64_t> member_bucket(std::uint64_t members);

}  // namespace touchstone::collection::evidence
