#pragma once

#include "collection/evidence/audit_summary.hpp"
#include "collection/evidence/records.hpp"
#include "common/named_values.hpp"
#include "formats/labeling/annotation.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The labels that people gave in an audit.
namespace touchstone::collection::evidence {

/// What became of a decision that people were shown.
enum class AuditOutcome : std::uint8_t {
  kConfirmed,  ///< people say what the judge said
  kCorrected,  ///< people say yes where the judge said no, or the reverse
  kAdded,      ///< people say what the judge did not
  kTied,       ///< as many said yes as no; the label is as it was
  kSkipped     ///< nobody gave a grade; the label is as it was
};
inline constexpr std::pair<std::string_view, AuditOutcome> kAuditOutcomes[] = {{"confirmed", AuditOutcome::kConfirmed},
                                                                               {"corrected", AuditOutcome::kCorrected},
                                                                               {"added", AuditOutcome::kAdded},
                                                                               {"tied", AuditOutcome::kTied},
                                                                               {"skipped", AuditOutcome::kSkipped}};
inline std::string_view to_string(AuditOutcome outcome) {
  return name_in(kAuditOutcomes, outcome);
}

/// A line of audit.jsonl: one decision that people were shown.
struct AuditRecord {
  std::string stratum;  ///< that the decision is in
  AuditOutcome outcome = AuditOutcome::kSkipped;
  std::optional<int> grade;                            ///< of the people's vote: 1 is evidence; nothing: no result
  std::vector<formats::labeling::Annotation> answers;  ///< all of them, replaced ones too; by person and time
  JudgmentRecord before;                               ///< the judgment as it was without people
};

/// A line of calibration.tsv.
struct CalibratedRecord {
  std::string topic, docid;
  std::uint64_t member_page_id = 0;
  double probability = 0, calibrated = 0;
};

/// Sorts answers by person, time and id.
void sort_answers(std::vector<formats::labeling::Annotation>& answers);

/// The answers that count: the last one of each person, unless it has no grade. \pre sorted
std::vector<const formats::labeling::Annotation*> counted_answers(
    const std::vector<formats::labeling::Annotation>& answers);

/// The judgment after the audit. Where people's vote has a result, the judge is "people (majority of N)", the grade is
/// theirs, and the votes are theirs and that of the judge before, which did not count. Their yes is the lowest grade
/// that is evidence and their no is 0, but a grade of the judge that says the same on a finer scale stays. Elsewhere
/// the judgment is what it was.
JudgmentRecord judgment_after(const AuditRecord& audited, int evidence_grade);

/// Whether judgment_after() put people's grade there.
bool is_by_people(const JudgmentRecord& judgment);
/// Whether a vote of such a judgment is a person's.
bool is_of_person(const VoteRecord& vote);

/// What follows from the answers in audit.jsonl and the judgments of a collection.
struct DerivedAudit {
  AuditSummary summary;
  std::string audit_sha256, calibration_sha256;  ///< of the bytes that the two files should have
};

/// Derives it from the directory. Throws FormatError.
using AuditExaminer = std::function<DerivedAudit(const std::filesystem::path& directory)>;

}  // namespace touchstone::collection::evidence
