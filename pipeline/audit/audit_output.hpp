#pragma once

#include "pipeline/audit/derivation.hpp"
#include "pipeline/audit/questions.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

/// What `touchstone audit` prints.
namespace touchstone::pipeline::audit {

std::string sample_text(const JudgedCollection& collection, const AuditSample& sample);
std::string sample_json(const JudgedCollection& collection, const AuditSample& sample);

/// \param repeated  answers that were in the files more than once
std::string audit_text(const JudgedCollection& collection, const AuditResult& result, std::uint64_t repeated);
std::string audit_report_json(const JudgedCollection& collection, const AuditResult& result, std::uint64_t repeated);

}  // namespace touchstone::pipeline::audit
