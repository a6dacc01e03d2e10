#include "pipeline/survey/source_trial.hpp"

#include "common/files.hpp"
#include "pipeline/evidence/evidence_records.hpp"

namespace touchstone::pipeline::survey {
namespace {

constexpr double kLeastPrecision = 0.85;
constexpr std::uint64_t kLeastEvidence = 5;  ///< fewer tell nothing

CandidateSource source_of(const collection::evidence::JudgmentRecord& judgment) {
  return judgment.source.value_or(CandidateSource::kLink);
}

/// Calls `take` with each line as `read` reads it, and the line.
template <class Read, class Take>
void for_each_record(const std::filesystem::path& file, const Read& read, const Take& take) {
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    take(read(line, file.string() + " line " + std::to_string(number)), line);
    return true;
  });
}

/// Replaces a file by what `write` writes to the new one.
template <class Write>
void rewrite(const std::filesystem::path& file, const Write& write) {
  const std::filesystem::path fresh = file.string() + ".kept";
  TextWriter out(fresh);
  write(out);
  out.finish();
  std::filesystem::rename(fresh, file);
}

}  // namespace

double SourceTrial::expected_precision() const noexcept {
  return evidence == 0 ? 0 : probability_sum / static_cast<double>(evidence);
}

bool SourceTrial::is_worthwhile() const noexcept {
  return evidence >= kLeastEvidence && expected_precision() >= kLeastPrecision;
}

SourceTrials count_questions(const std::filesystem::path& candidates) {
  SourceTrials trials;
  for_each_record(candidates, evidence::candidates_from_line, [&](const auto& topic, std::string_view) {
    for (const auto& member : topic.members) {
      for (const auto& passage : member.passages) ++trials[passage.source].questions;
    }
  });
  return trials;
}

std::set<CandidateSource> too_expensive(const SourceTrials& trials) {
  std::uint64_t budget = 0;
  for (const auto& [source, trial] : trials) budget += source <= CandidateSource::kLink ? trial.questions : 0;
  std::set<CandidateSource> sources;
  for (const auto& [source, trial] : trials) {
    if (source > CandidateSource::kLink && trial.questions > budget) sources.insert(source);
  }
  return sources;
}

void count_evidence(const std::filesystem::path& judgments, SourceTrials& trials) {
  for_each_record(judgments, evidence::judgment_from_line, [&](const auto& judgment, std::string_view) {
    auto& trial = trials[source_of(judgment)];
    trial.judged = true;
    if (judgment.grade.value_or(0) < 1) return;
    ++trial.evidence;
    trial.probability_sum += judgment.probability.value_or(0);
  });
}

void drop_candidates(const std::filesystem::path& candidates, const std::set<CandidateSource>& sources) {
  rewrite(candidates, [&](TextWriter& out) {
    for_each_record(candidates, evidence::candidates_from_line, [&](auto topic, std::string_view) {
      for (auto& member : topic.members)
        std::erase_if(member.passages, [&](const auto& passage) { return sources.contains(passage.source); });
      out.write(evidence::to_line(topic));
    });
  });
}

void drop_judgments(const std::filesystem::path& judgments, const std::set<CandidateSource>& sources) {
  rewrite(judgments, [&](TextWriter& out) {
    for_each_record(judgments, evidence::judgment_from_line, [&](const auto& judgment, std::string_view line) {
      if (!sources.contains(source_of(judgment))) out.write(std::string(line) + "\n");
    });
  });
}

}  // namespace touchstone::pipeline::survey
