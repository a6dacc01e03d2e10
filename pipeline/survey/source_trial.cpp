#include "pipeline/survey/source_trial.hpp"

#include "common/files.hpp"
#include "pipeline/evidence/evidence_records.hpp"

#include <algorithm>

namespace touchstone::pipeline::survey {
namespace {

constexpr double kLeastPrecision = 0.85;
constexpr std::uint64_t kLeastEvidence = 5;  ///< fewer tell nothing

CandidateSource source_of(const collection::JudgmentRecord& judgment) {
  return judgment.source.value_or(CandidateSource::kLink);
}

template <class Take>
void for_each_judgment(const std::filesystem::path& file, const Take& take) {
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    take(evidence::judgment_from_line(line, file.string() + " line " + std::to_string(number)), line);
    return true;
  });
}

}  // namespace

double SourceTrial::expected_precision() const noexcept {
  return evidence == 0 ? 0 : probability_sum / static_cast<double>(evidence);
}

bool SourceTrial::is_worthwhile(std::uint64_t budget) const noexcept {
  return evidence >= kLeastEvidence && expected_precision() >= kLeastPrecision && questions <= budget;
}

std::uint64_t budget_of(const SourceTrials& trials) {
  std::uint64_t budget = 0;
  for (const auto& [source, trial] : trials) budget += source <= CandidateSource::kLink ? trial.questions : 0;
  return budget;
}

SourceTrials count_sources(const std::filesystem::path& judgments) {
  SourceTrials trials;
  for_each_judgment(judgments, [&](const auto& judgment, std::string_view) {
    auto& trial = trials[source_of(judgment)];
    ++trial.questions;
    if (judgment.grade.value_or(0) < 1) return;
    ++trial.evidence;
    trial.probability_sum += judgment.probability.value_or(0);
  });
  return trials;
}

void drop_sources(const std::filesystem::path& judgments, const std::vector<CandidateSource>& left_out) {
  const std::filesystem::path kept = judgments.string() + ".kept";
  TextWriter out(kept);
  for_each_judgment(judgments, [&](const auto& judgment, std::string_view line) {
    if (std::find(left_out.begin(), left_out.end(), source_of(judgment)) == left_out.end())
      out.write(std::string(line) + "\n");
  });
  out.finish();
  std::filesystem::rename(kept, judgments);
}

}  // namespace touchstone::pipeline::survey
