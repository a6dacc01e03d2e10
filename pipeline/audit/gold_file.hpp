#pragma once

#include "pipeline/audit/derivation.hpp"

#include <cstdint>
#include <filesystem>

namespace touchstone::pipeline::audit {

/// What was written.
struct GoldNumbers {
  std::uint64_t labels = 0;
  std::uint64_t with_reason = 0;  ///< of them, a person said why
  /// Decisions that were left out since a gold label names its passage by the page alone, and another passage of the
  /// page has a label for the same topic and member.
  std::uint64_t left_out = 0;
};

/// Writes the decisions on which people's vote has a result as a gold file (docs/gold.md), which `judge.gold` and
/// `judge.examples` read. The reason is that of the first person on the winning side who gave one.
GoldNumbers write_gold_file(const JudgedCollection& collection, const AuditResult& result,
                            const std::filesystem::path& file, const StopFlag& stop);

}  // namespace touchstone::pipeline::audit
