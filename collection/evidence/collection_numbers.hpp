#pragma once

#include "common/candidate_source.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::collection::evidence {

/// The numbers that describe an evidence collection, as the D-MERIT paper reports them.
struct CollectionNumbers {
  std::uint64_t topics = 0, members = 0, distinct_members = 0, passages = 0;
  std::uint64_t judgments = 0, judged_yes = 0, judged_no = 0, unjudged = 0;
  std::uint64_t unsure = 0;  ///< of those unjudged: the judge could not tell
  std::uint64_t qrels = 0, evidence = 0;
  double members_mean = 0, members_median = 0;
  std::uint64_t members_min = 0, members_max = 0;
  double evidence_mean = 0, evidence_median = 0;
  std::uint64_t evidence_min = 0, evidence_max = 0;
  double outside_own_article = 0;  ///< share of evidence not from an own article of one of the topic's members
  struct Bucket {
    std::string label;  ///< "1-10", "11-20", ...: members per topic
    std::uint64_t topics = 0, members = 0, evidence = 0;
    double evidence_mean = 0;
  };
  std::vector<Bucket> buckets;
  /// Judgments of candidates from one source.
  struct OfSource {
    CandidateSource source = CandidateSource::kLink;
    std::uint64_t candidates = 0, judged = 0, evidence = 0;  ///< judged: with a grade
    double evidence_share = 0;                               ///< of those judged
  };
  std::vector<OfSource> by_source;                 ///< strongest source first; empty where no judgment names one
  std::map<std::string, std::uint64_t> discarded;  ///< reason -> count
  /// Labels with one state and reason in the history.
  struct OfHistory {
    std::string state, reason;  ///< as files have them; without a reason if carried
    std::uint64_t labels = 0;
  };
  std::vector<OfHistory> history;  ///< by state and reason; empty where there is none
};

}  // namespace touchstone::collection::evidence
