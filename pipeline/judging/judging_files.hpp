#pragma once

#include <string_view>

namespace touchstone::pipeline::judging {

// What the judge stage writes, by path in the work directory.

/// All judgments, with and without a grade, by (topic, member page id, docid).
inline constexpr std::string_view kJudgmentsFile = "stages/judgments.jsonl";
/// Those without a grade.
inline constexpr std::string_view kUnjudgedFile = "stages/unjudged.jsonl";
/// What judging came to, in numbers, for the report.
inline constexpr std::string_view kSummaryFile = "stages/judging.json";
/// Requests and results of batch jobs, a folder a judge. Kept over all runs, since jobs are paid for.
inline constexpr std::string_view kBatchesFolder = "batches";

}  // namespace touchstone::pipeline::judging
