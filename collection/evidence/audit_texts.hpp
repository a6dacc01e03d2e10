#pragma once

#include "collection/evidence/collection_info.hpp"

#include <string>
#include <string_view>

/// An audit in words and tables, for the card, the report, croissant.json and the terminal.
namespace touchstone::collection::evidence {

/// "0.871 (0.832-0.905)", or "not known".
std::string number_text(const AuditSummary::Number& number);

/// What a number is: "of the judge's yes, the share that is evidence". Empty for an unknown name.
std::string_view number_meaning(std::string_view name) noexcept;

/// For people: "precision", "F1", "agreement with the judge, half yes and half no".
std::string_view number_title(std::string_view name) noexcept;

/// The audit in two or three sentences.
std::string audit_statement(const AuditSummary& audit);

/// Sentences on answers that were tied, skipped, replaced, or given with the judge's answer in view. Empty if the audit
/// has no such answer.
std::string audit_remarks(const AuditSummary& audit);

/// How often two people agree, in a sentence; empty unless two people answered the same.
std::string agreement_statement(const AuditSummary& audit);

/// What calibration changes, in a sentence or two, or that the audit has no calibration.
std::string calibration_statement(const AuditSummary& audit);

/// The section of the dataset card. \pre info.audit
std::string audit_card(const CollectionInfo& info);

}  // namespace touchstone::collection::evidence
