#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/validation/validator.hpp"
#include "common/json_tree.hpp"

#include <tuple>

#include <nlohmann/json.hpp>

// What people answered in an audit, and the labels that follow from it.
namespace touchstone::collection::evidence::validation {
namespace {

constexpr std::string_view kAuditFile = "audit.jsonl";
constexpr std::string_view kAgain = "; run touchstone audit again on the collection that was audited";

std::string label_key(const JudgmentRecord& judgment) {
  return judgment.topic + "\n" + std::to_string(judgment.member_page_id) + "\n" + judgment.docid;
}

}  // namespace

void Validator::check_audit() {
  if (!has_.audit) return;
  std::tuple<std::string, std::uint64_t, std::string> before;
  std::uint64_t count = 0;
  read_lines(kAuditFile, [&](std::string_view line, std::uint64_t number) -> std::string {
    const auto audited = reader_.audited(line);
    if (!audited) {
      problem(kAuditFile, number, audited.error());
      return "";
    }
    const auto& judgment = audited->before;
    const std::string where = pair_name(judgment.topic, judgment.docid);
    auto key = std::tuple(judgment.topic, judgment.member_page_id, judgment.docid);
    if (count++ > 0 && key <= before)
      problem(kAuditFile, number,
              "has " + where + " a second time or out of order; sort by topic, member page id and docid");
    before = std::move(key);
    if (is_by_people(judgment))
      problem(kAuditFile, number, "says that people had judged " + where + " before people did" + std::string(kAgain));
    if (audited->answers.empty()) problem(kAuditFile, number, "has no answer on " + where + "; remove the line");
    const bool has_result = audited->outcome != AuditOutcome::kTied && audited->outcome != AuditOutcome::kSkipped;
    if (audited->grade.has_value() != has_result || (has_result && counted_answers(audited->answers).empty())) {
      problem(kAuditFile, number,
              "has a grade of people on " + where + " that does not go with its outcome \"" +
                  std::string(to_string(audited->outcome)) + "\" and its answers" + std::string(kAgain));
      return "";
    }
    note_judges(judgment);
    by_people_[label_key(judgment)] = xxh3_64(judgment_line(judgment_after(*audited, evidence_grade_)));
    return audit_line(*audited);
  });
  report_.counts["audited"] = count;
}

void Validator::check_audited_judgment(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment,
                                       std::string_view line) {
  const auto found = by_people_.find(label_key(judgment));
  const std::string where = " of " + pair_name(judgment.topic, judgment.docid);
  if (found == by_people_.end()) {
    if (is_by_people(judgment))
      problem(name, number, "has a label" + where + " by people that audit.jsonl does not have" + std::string(kAgain));
    return;
  }
  if (found->second != xxh3_64(line))
    problem(name, number, "has a label" + where + " that does not follow from audit.jsonl" + std::string(kAgain));
  by_people_.erase(found);
}

void Validator::check_audit_is_complete() {
  if (by_people_.empty()) return;
  const auto& key = by_people_.begin()->first;
  const auto docid = key.rfind('\n');
  problem(kAuditFile, 0,
          "has " + pair_name(key.substr(0, key.find('\n')), key.substr(docid + 1)) +
              ", which judgments.jsonl.gz does not have" + std::string(kAgain));
}

void Validator::check_audit_numbers() {
  if (!manifest_ || !manifest_->info.audit || !audit_ || report_.problem_count > 0) return;
  DerivedAudit derived;
  try {
    derived = audit_(directory_);
  } catch (const FormatError& error) {
    damaged(kAuditFile, error);
    return;
  }
  const std::string from = "the answers in audit.jsonl and judgments.jsonl.gz";
  const auto check = [&](std::string_view file, const std::string& sha256) {
    if (present_.at(std::string(file)).sha256 != sha256)
      problem(file, 0, "does not hold what follows from " + from + std::string(kAgain));
  };
  check(kAuditFile, derived.audit_sha256);
  check("calibration.tsv", derived.calibration_sha256);
  const auto stated = audit_json(*manifest_->info.audit), expected = audit_json(derived.summary);
  for (const auto& [name, value] : expected.items()) {
    const auto found = stated.contains(name) ? stated.at(name) : nlohmann::ordered_json();
    if (found != value)
      problem(release::kManifest.name, 0,
              "says of the audit: " + name + " " + quote(json_text(found)) + ", where " + from + " give " +
                  quote(json_text(value)) + std::string(kAgain));
  }
  manifest_->info.audit = std::move(derived.summary);
}

}  // namespace touchstone::collection::evidence::validation
