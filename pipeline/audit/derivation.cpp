#include "pipeline/audit/derivation.hpp"

#include "analysis/agreement/coefficients.hpp"
#include "analysis/audit/calibration.hpp"
#include "analysis/audit/estimates.hpp"
#include "analysis/audit/strata.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "common/digest.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::audit {
namespace {

namespace evidence = collection::evidence;
using analysis::audit::CalibrationPoint;
using analysis::audit::Strata;
using analysis::audit::StratumAnswers;
using analysis::audit::Verdict;
using evidence::AuditOutcome;
using evidence::AuditRecord;
using evidence::AuditSummary;

constexpr std::size_t kFewestForCalibration = 10;

double rounded(double value) {
  return round_to(value, evidence::kAuditDigits);
}

AuditOutcome outcome_of(std::optional<int> grade, bool has_answers, Verdict verdict) {
  if (!grade) return has_answers ? AuditOutcome::kTied : AuditOutcome::kSkipped;
  if (verdict != Verdict::kYes && verdict != Verdict::kNo) return AuditOutcome::kAdded;
  return (*grade > 0) == (verdict == Verdict::kYes) ? AuditOutcome::kConfirmed : AuditOutcome::kCorrected;
}

/// Votes on each decision, with what they count for.
void take_votes(const JudgedCollection& collection, const Strata& strata, AuditResult& result) {
  auto& summary = result.summary;
  std::set<std::string> people;
  for (const auto& [key, before] : collection.audited) {
    const auto index = collection.find(key);
    if (!index) continue;
    AuditRecord record = before;
    evidence::sort_answers(record.answers);
    const auto counted = evidence::counted_answers(record.answers);
    std::set<std::string_view> of_decision;
    for (const auto& answer : record.answers) of_decision.insert(answer.annotator);
    summary.replaced += record.answers.size() - of_decision.size();
    std::vector<int> grades;
    for (const auto* answer : counted) {
      grades.push_back(*answer->grade);
      people.insert(answer->annotator);
      summary.shown += answer->mode == formats::labeling::ShownMode::kShown ? 1 : 0;
    }
    record.stratum = strata.strata[strata.of[*index]].name;
    record.grade = analysis::votes::majority_grade(grades, collection.settings.tie);
    record.outcome = outcome_of(record.grade, !grades.empty(), collection.decisions[*index].verdict);
    summary.answers += grades.size();
    summary.audited += record.grade ? 1 : 0;
    summary.tied += record.outcome == AuditOutcome::kTied ? 1 : 0;
    summary.skipped += record.outcome == AuditOutcome::kSkipped ? 1 : 0;
    summary.corrections += record.outcome == AuditOutcome::kCorrected ? 1 : 0;
    summary.added += record.outcome == AuditOutcome::kAdded ? 1 : 0;
    result.records.emplace(key, std::move(record));
  }
  summary.people = people.size();
}

/// Why a number has no value.
std::string reason_for(std::string_view name, const std::vector<StratumAnswers>& answers, const Strata& strata) {
  const bool of_yes = name == "precision", of_no = name == "confirmed_no", of_both = name == "balanced_agreement";
  std::vector<std::string_view> open;
  std::uint64_t yes = 0, no = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto verdict = answers[i].verdict;
    yes += verdict == Verdict::kYes ? answers[i].decisions : 0;
    no += verdict == Verdict::kNo ? answers[i].decisions : 0;
    const bool counts = of_yes    ? verdict == Verdict::kYes
                        : of_no   ? verdict == Verdict::kNo
                        : of_both ? verdict == Verdict::kYes || verdict == Verdict::kNo
                                  : true;
    if (counts && answers[i].answered == 0) open.push_back(strata.strata[i].name);
  }
  if (!open.empty())
    return fmt::format("nobody has answered a decision of the {} {}, and nothing is assumed of them",
                       open.size() == 1 ? "stratum" : "strata", fmt::join(open, "; "));
  if ((of_yes || of_both) && yes == 0) return "the judge said yes to nothing";
  if ((of_no || of_both) && no == 0) return "the judge said no to nothing";
  return "people found no evidence";
}

void add_numbers(const std::vector<StratumAnswers>& answers, const Strata& strata, AuditSummary& summary) {
  const auto found = analysis::audit::estimate(answers);
  const std::pair<const char*, const std::optional<analysis::audit::Estimate>*> numbers[] = {
      {"precision", &found.precision},
      {"recall", &found.recall},
      {"f1", &found.f1},
      {"accuracy", &found.accuracy},
      {"confirmed_no", &found.confirmed_no},
      {"balanced_agreement", &found.balanced_agreement},
      {"evidence", &found.evidence}};
  for (const auto& [name, estimate] : numbers) {
    AuditSummary::Number number{name, "", 0, 0, 0};
    if (*estimate) {
      number.value = rounded((*estimate)->value);
      number.low = rounded((*estimate)->interval.low);
      number.high = rounded((*estimate)->interval.high);
    } else {
      number.why = reason_for(name, answers, strata);
    }
    summary.numbers.push_back(std::move(number));
  }
}

/// The share of pairs of people who answered the same decision that agree.
double agreeing_share(const analysis::agreement::Ratings& ratings, analysis::agreement::ItemSet items) {
  using analysis::agreement::Ratings;
  double pairs = 0, agreeing = 0;
  for (const auto item : items) {
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
      if (ratings.at(item, a) == Ratings::kMissing) continue;
      for (std::size_t b = a + 1; b < ratings.assessors.size(); ++b) {
        if (ratings.at(item, b) == Ratings::kMissing) continue;
        pairs += 1;
        agreeing += ratings.at(item, a) == ratings.at(item, b) ? 1 : 0;
      }
    }
  }
  return agreeing / pairs;
}

void add_agreement(AuditResult& result) {
  namespace agreement = analysis::agreement;
  agreement::Ratings ratings;
  std::set<std::string> people;
  std::vector<std::pair<const AuditRecord*, std::vector<const formats::labeling::Annotation*>>> shared;
  std::uint64_t pairs = 0;
  for (const auto& [key, record] : result.records) {
    auto counted = evidence::counted_answers(record.answers);
    if (counted.size() < 2) continue;
    for (const auto* answer : counted) people.insert(answer->annotator);
    pairs += counted.size() * (counted.size() - 1) / 2;
    shared.emplace_back(&record, std::move(counted));
  }
  if (shared.empty()) return;
  ratings.assessors.assign(people.begin(), people.end());
  std::set<std::string_view> topics;
  for (const auto& [record, counted] : shared) {
    topics.insert(record->before.topic);
    ratings.items.emplace_back(record->before.topic,
                               fmt::format("{} {}", record->before.member_page_id, record->before.docid));
    std::vector<int> row(ratings.assessors.size(), agreement::Ratings::kMissing);
    for (const auto* answer : counted) {
      const auto at = std::lower_bound(ratings.assessors.begin(), ratings.assessors.end(), answer->annotator);
      row[static_cast<std::size_t>(at - ratings.assessors.begin())] = *answer->grade;
    }
    ratings.grades.insert(ratings.grades.end(), row.begin(), row.end());
  }
  const auto items = agreement::all_items(ratings);
  constexpr std::size_t kResamples = 1000;
  const double share = agreeing_share(ratings, items), alpha = agreement::krippendorff_nominal(ratings, items);
  const auto interval = agreement::bootstrap_interval(ratings, agreeing_share, kResamples, 1);
  evidence::AuditAgreement found;
  found.decisions = shared.size();
  found.pairs = pairs;
  found.topics = topics.size();
  found.share = rounded(share);
  found.low = rounded(std::min(interval.low, share));
  found.high = rounded(std::max(interval.high, share));
  found.has_alpha = !std::isnan(alpha);
  if (found.has_alpha) found.alpha = rounded(alpha);
  result.summary.agreement = found;
}

evidence::AuditRange range_of(int bin, int bins, const std::vector<StratumAnswers>& answers, const Strata& strata) {
  evidence::AuditRange range;
  range.from = rounded(static_cast<double>(bin) / bins);
  range.to = rounded(static_cast<double>(bin + 1) / bins);
  std::vector<StratumAnswers> within;
  double probability = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (strata.strata[i].bin != bin) continue;
    within.push_back(answers[i]);
    range.decisions += answers[i].decisions;
    range.audited += answers[i].answered;
    probability += strata.strata[i].mean_probability.value_or(0) * static_cast<double>(answers[i].decisions);
  }
  if (range.decisions > 0) range.mean_probability = rounded(probability / static_cast<double>(range.decisions));
  if (const auto share = analysis::audit::evidence_share(within)) {
    range.is_known = true;
    range.share = rounded(share->value);
    range.low = rounded(share->interval.low);
    range.high = rounded(share->interval.high);
  }
  return range;
}

void calibrate(const JudgedCollection& collection, const std::vector<StratumAnswers>& answers, const Strata& strata,
               AuditResult& result) {
  namespace audit = analysis::audit;
  std::vector<CalibrationPoint> points;
  for (const auto& [key, record] : result.records) {
    const auto index = collection.find(key);
    const auto& decision = collection.decisions[*index];
    if (!record.grade || !decision.probability) continue;
    const auto& stratum = answers[strata.of[*index]];
    points.push_back({*decision.probability, *record.grade > 0,
                      static_cast<double>(stratum.decisions) / static_cast<double>(stratum.answered),
                      xxh3_64(decision.topic)});
  }
  if (points.size() < kFewestForCalibration) return;
  const auto method = audit::choose_method(points);
  const audit::Calibration calibration(points, method);
  const int bins = collection.settings.bins;
  const auto before = audit::errors_of(points, bins), after = audit::cross_validated_errors(points, method, bins);
  evidence::AuditCalibration found;
  found.method = choice_text(method);
  found.answers = points.size();
  found.brier = rounded(before.brier);
  found.brier_calibrated = rounded(after.brier);
  found.error = rounded(before.calibration);
  found.error_calibrated = rounded(after.calibration);
  for (int bin = 0; bin < bins; ++bin) {
    auto range = range_of(bin, bins, answers, strata);
    if (range.decisions > 0) found.ranges.push_back(range);
  }
  result.summary.calibration = std::move(found);
  for (const auto& decision : collection.decisions)
    result.calibrated.push_back(decision.probability ? std::optional(calibration(*decision.probability))
                                                     : std::nullopt);
}

}  // namespace

void add_answers(JudgedCollection& collection, CheckedAnswers answers,  // NOLINT: its records are moved
                 const StopFlag& stop) {
  std::set<LabelKey> wanted;
  for (const auto& [key, of] : answers.answers) {
    if (!collection.audited.contains(key)) wanted.insert(key);
  }
  std::vector<evidence::JudgmentRecord> originals;
  if (!wanted.empty()) {
    for_each_original_judgment(collection, stop, [&](evidence::JudgmentRecord judgment) {
      if (wanted.contains(key_of(judgment))) originals.push_back(std::move(judgment));
    });
  }
  for (auto& judgment : originals) {
    auto key = key_of(judgment);
    collection.audited[std::move(key)].before = std::move(judgment);
  }
  for (auto& [key, of] : answers.answers) {
    auto& known = collection.audited.at(key).answers;
    for (auto& answer : of) {
      if (std::find(known.begin(), known.end(), answer) == known.end()) known.push_back(std::move(answer));
    }
  }
}

AuditResult derive_audit(const JudgedCollection& collection) {
  AuditResult result;
  const auto strata = analysis::audit::stratify(collection.decisions, collection.settings.bins);
  auto& summary = result.summary;
  summary.decisions = collection.decisions.size();
  summary.bins = collection.settings.bins;
  summary.tie = choice_text(collection.settings.tie);
  for (const auto part : collection.settings.parts) summary.parts.emplace_back(choice_text(part));
  take_votes(collection, strata, result);
  std::vector<StratumAnswers> answers;
  for (const auto& stratum : strata.strata) answers.push_back({stratum.verdict, stratum.decisions, 0, 0});
  for (const auto& [key, record] : result.records) {
    auto& of = answers[strata.of[*collection.find(key)]];
    if (!record.grade) continue;
    ++of.answered;
    of.evidence += *record.grade > 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < answers.size(); ++i)
    summary.strata.push_back({strata.strata[i].name, answers[i].decisions, answers[i].answered, answers[i].evidence});
  add_numbers(answers, strata, summary);
  add_agreement(result);
  calibrate(collection, answers, strata, result);
  return result;
}

evidence::DerivedAudit examine_audit(const std::filesystem::path& directory) {
  const auto collection = read_judged_collection(directory, std::nullopt, StopFlag());
  auto result = derive_audit(collection);
  Sha256 audited, calibrated;
  for (const auto& [key, record] : result.records) audited.update(evidence::audit_line(record));
  calibrated.update(std::string(evidence::kCalibrationHeader) + "\n");
  for (std::size_t i = 0; i < result.calibrated.size(); ++i) {
    const auto& decision = collection.decisions[i];
    if (result.calibrated[i])
      calibrated.update(evidence::calibrated_line(
          {decision.topic, decision.docid, decision.member, *decision.probability, *result.calibrated[i]}));
  }
  return {std::move(result.summary), audited.hex(), calibrated.hex()};
}

}  // namespace touchstone::pipeline::audit
