#pragma once

#include "collection/evidence/audit_summary.hpp"
#include "collection/release/collection_facts.hpp"
#include "common/candidate_source.hpp"

#include <optional>
#include <string>
#include <vector>

namespace touchstone::collection::evidence {

/// How an evidence collection describes itself in manifest.json, README.md and croissant.json.
struct CollectionInfo : release::CollectionFacts {
  static constexpr auto kKind = release::CollectionKind::kEvidence;

  std::string judge;           ///< judge id
  bool baseline_judge = true;  ///< labels by the embedded judge; every file for readers says so
  int evidence_grade = 1;      ///< lowest grade of a judgment that is evidence; below it the qrels have 0
  bool reading_copies = true;  ///< the corpus is also there in the formats of other tools
  std::string mode;            ///< "strict" or "lenient"
  std::string corpus_scope;    ///< e.g. "lead section of every article, one passage each"
  /// SHA-256 of manifest.json of the collection whose labels the history is told by; empty: there is no history.
  std::string previous_manifest = {};
  std::optional<AuditSummary> audit = {};  ///< what people found about the judge; nothing: nobody has looked
  std::vector<CandidateSource> candidate_sources = {CandidateSource::kLink};  ///< besides the members' own articles

  bool has_history() const noexcept { return !previous_manifest.empty(); }
};

}  // namespace touchstone::collection::evidence
