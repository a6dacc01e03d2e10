#pragma once

#include "collection/evidence/audit_records.hpp"
#include "pipeline/audit/answer_files.hpp"
#include "pipeline/audit/collection_decisions.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace touchstone::pipeline::audit {

/// What follows from people's answers.
struct AuditResult {
  collection::evidence::AuditSummary summary;
  std::map<LabelKey, collection::evidence::AuditRecord> records;  ///< one for each decision that people were shown
  std::vector<std::optional<double>> calibrated;  ///< of each decision with a probability; empty without calibration
};

/// Adds answers to those of audits before. An answer that is there already does not count twice.
void add_answers(JudgedCollection& collection, CheckedAnswers answers, const StopFlag& stop);

/// Computes everything from the answers that the collection has: votes, strata, estimates, agreement, calibration. The
/// same answers give the same result, in whatever order they were added.
AuditResult derive_audit(const JudgedCollection& collection);

/// What `validate` compares an audited collection with.
collection::evidence::DerivedAudit examine_audit(const std::filesystem::path& directory);

}  // namespace touchstone::pipeline::audit
