#include "pipeline/survey/source_trial.hpp"

#include "common/records/record_file.hpp"
#include "pipeline/evidence/evidence_records.hpp"

namespace touchstone::pipeline::survey {

using collection::evidence::JudgmentRecord;
using evidence::CandidateFile;
using evidence::TopicCandidates;

namespace {

constexpr double kLeastPrecision = 0.85;
constexpr std::uint64_t kLeastEvidence = 5;  ///< fewer tell nothing

CandidateSource source_of(const JudgmentRecord& judgment) {
  return judgment.source.value_or(CandidateSource::kLink);
}

/// Replaces a file by its records as `change` leaves them; those for which it returns false are left out.
template <class Record, class Change>
void rewrite(const std::filesystem::path& file, const Change& change) {
  typename records::RecordFile<Record>::Writer out(file);  // replaces the file when it is finished
  records::RecordFile<Record>::for_each(file, [&](Record record) {
    if (change(record)) out.add(record);
  });
  out.finish();
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
  CandidateFile::for_each(candidates, [&](const TopicCandidates& topic) {
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
  evidence::JudgmentFile::for_each(judgments, [&](const JudgmentRecord& judgment) {
    auto& trial = trials[source_of(judgment)];
    trial.judged = true;
    if (judgment.grade.value_or(0) < 1) return;
    ++trial.evidence;
    trial.probability_sum += judgment.probability.value_or(0);
  });
}

void drop_candidates(const std::filesystem::path& candidates, const std::set<CandidateSource>& sources) {
  rewrite<TopicCandidates>(candidates, [&](TopicCandidates& topic) {
    for (auto& member : topic.members)
      std::erase_if(member.passages, [&](const auto& passage) { return sources.contains(passage.source); });
    return true;
  });
}

void drop_judgments(const std::filesystem::path& judgments, const std::set<CandidateSource>& sources) {
  rewrite<JudgmentRecord>(judgments,
                          [&](const JudgmentRecord& judgment) { return !sources.contains(source_of(judgment)); });
}

}  // namespace touchstone::pipeline::survey
