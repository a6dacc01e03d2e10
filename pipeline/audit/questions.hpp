#pragma once

#include "formats/labeling/task.hpp"
#include "pipeline/audit/collection_decisions.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace touchstone::pipeline::audit {

/// The questions that decisions are to people, in the order of the keys. A question has the passages around it, the
/// answer of the judge for those who may see it, and no stratum. Memory: the texts of these passages.
/// Throws FormatError with file and line if the collection is damaged.
std::map<LabelKey, formats::labeling::Task> questions_of(const JudgedCollection& collection,
                                                         std::span<const LabelKey> keys, const StopFlag& stop);

/// A stratum of a sample.
struct SampledStratum {
  std::string name;
  std::uint64_t decisions = 0;  ///< all of the collection
  std::uint64_t before = 0;     ///< shown to people in audits before
  std::uint64_t drawn = 0;      ///< now
};

struct AuditSample {
  std::vector<SampledStratum> strata;
  std::vector<formats::labeling::Task> tasks;  ///< in the order in which people should see them
};

/// Draws a sample of decisions that were in no audit before (analysis/audit/sample.hpp).
/// Throws ConfigError if `size` is too small for two of each stratum, or if nothing is left to draw.
AuditSample draw_questions(const JudgedCollection& collection, std::uint64_t size, std::uint64_t seed,
                           const StopFlag& stop);

}  // namespace touchstone::pipeline::audit
