#include "collection/evidence/manifest.hpp"

#include "collection/release/files.hpp"
#include "collection/release/manifest_json.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels.hpp"

namespace touchstone::collection::evidence {

void visit_fields(const auto& visit, release::RecordOf<AuditSummary> auto& audit) {
  visit("decisions", audit.decisions);
  visit("audited", audit.audited);
  visit("people", audit.people);
  visit("answers", audit.answers);
  visit("corrections", audit.corrections);
  visit("added", audit.added);
  visit("tied", audit.tied);
  visit("skipped", audit.skipped);
  visit("replaced", audit.replaced);
  visit("shown", audit.shown);
  visit("tie", audit.tie);
  visit("bins", audit.bins);
  visit("parts", audit.parts);
  visit.list("numbers", audit.numbers, [](const auto& fields, auto& number) {
    fields("name", number.name);
    fields.optional("why", number.why, !number.why.empty());
    fields.optional("value", number.value, number.why.empty());
    fields.optional("low", number.low, number.why.empty());
    fields.optional("high", number.high, number.why.empty());
  });
  visit.optional_object("agreement", audit.agreement, [](const auto& fields, auto& agreement) {
    fields("decisions", agreement.decisions);
    fields("topics", agreement.topics);
    fields("pairs", agreement.pairs);
    fields("share", agreement.share);
    fields("low", agreement.low);
    fields("high", agreement.high);
    fields.optional("alpha", agreement.alpha, agreement.has_alpha);
    fields("has_alpha", agreement.has_alpha);
  });
  visit.list("strata", audit.strata, [](const auto& fields, auto& stratum) {
    fields("name", stratum.name);
    fields("decisions", stratum.decisions);
    fields("audited", stratum.audited);
    fields("evidence", stratum.evidence);
  });
  visit.optional_object("calibration", audit.calibration, [](const auto& fields, auto& calibration) {
    fields("method", calibration.method);
    fields("answers", calibration.answers);
    fields("brier", calibration.brier);
    fields("brier_calibrated", calibration.brier_calibrated);
    fields("error", calibration.error);
    fields("error_calibrated", calibration.error_calibrated);
    fields.list("ranges", calibration.ranges, [](const auto& of, auto& range) {
      of("from", range.from);
      of("to", range.to);
      of("decisions", range.decisions);
      of("audited", range.audited);
      of("mean_probability", range.mean_probability);
      of("is_known", range.is_known);
      of.optional("share", range.share, range.is_known);
      of.optional("low", range.low, range.is_known);
      of.optional("high", range.high, range.is_known);
    });
  });
}

void visit_fields(const auto& visit, release::RecordOf<CollectionInfo> auto& info) {
  release::visit_wiki(visit, info);
  visit("judge", info.judge);
  visit("baseline_judge", info.baseline_judge);
  visit.optional("evidence_grade", info.evidence_grade);  // collections of earlier versions do not state it
  visit("copies", info.reading_copies);
  visit("mode", info.mode);
  visit("corpus_scope", info.corpus_scope);
  visit.optional("candidate_sources", info.candidate_sources);
  visit.optional("previous_manifest", info.previous_manifest, info.has_history());
  release::visit_dumps(visit, info);
  visit.optional_object("audit", info.audit, [](const auto& fields, auto& audit) { visit_fields(fields, audit); });
}

void visit_fields(const auto& visit, release::RecordOf<CollectionNumbers> auto& numbers) {
  visit("topics", numbers.topics);
  visit("members", numbers.members);
  visit("distinct_members", numbers.distinct_members);
  visit("passages", numbers.passages);
  visit("judgments", numbers.judgments);
  visit("judged_yes", numbers.judged_yes);
  visit("judged_no", numbers.judged_no);
  visit("unjudged", numbers.unjudged);
  visit("qrels", numbers.qrels);
  visit("evidence", numbers.evidence);
  visit.object("members_per_topic", [&](const auto& members) {
    members("mean", numbers.members_mean);
    members("median", numbers.members_median);
    members("min", numbers.members_min);
    members("max", numbers.members_max);
  });
  visit.object("evidence_per_topic", [&](const auto& evidence) {
    evidence("mean", numbers.evidence_mean);
    evidence("median", numbers.evidence_median);
    evidence("min", numbers.evidence_min);
    evidence("max", numbers.evidence_max);
  });
  visit("outside_own_article", numbers.outside_own_article);
  visit.list("by_members", numbers.buckets, [](const auto& fields, auto& bucket) {
    fields("members_per_topic", bucket.label);
    fields("topics", bucket.topics);
    fields("members", bucket.members);
    fields("evidence", bucket.evidence);
    fields("evidence_mean", bucket.evidence_mean);
  });
  visit.optional("unsure", numbers.unsure, numbers.unsure > 0);
  const auto visit_source = [](const auto& fields, auto& source) {
    fields("source", source.source);
    fields("candidates", source.candidates);
    fields("judged", source.judged);
    fields("evidence", source.evidence);
    fields("evidence_share", source.evidence_share);
  };
  visit.list("by_source", numbers.by_source, visit_source, true);
  visit("discarded", numbers.discarded);
  const auto visit_history = [](const auto& fields, auto& kind) {
    fields("state", kind.state);
    fields.optional("reason", kind.reason, !kind.reason.empty());
    fields("labels", kind.labels);
  };
  visit.list("history", numbers.history, visit_history, true);
}

nlohmann::ordered_json numbers_json(const CollectionNumbers& numbers) {
  return release::fields_json(numbers);
}

nlohmann::ordered_json audit_json(const AuditSummary& audit) {
  return release::fields_json(audit);
}

std::string manifest_text(const Manifest& manifest) {
  return release::manifest_text(manifest);
}

Manifest read_manifest(const std::filesystem::path& directory) {
  auto manifest = release::read_manifest<CollectionInfo, CollectionNumbers>(directory);
  const int grade = manifest.info.evidence_grade;
  if (grade >= 1 && grade <= formats::trec::kMaxGrade) return manifest;
  throw FormatError((directory / release::kManifest.name).string() + " has the evidence_grade " +
                    std::to_string(grade) + ", which is not from 1 to " + std::to_string(formats::trec::kMaxGrade) +
                    "; export the collection again");
}

}  // namespace touchstone::collection::evidence
