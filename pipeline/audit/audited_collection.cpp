#include "pipeline/audit/audited_collection.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/collection_writer.hpp"
#include "collection/evidence/evidence_health.hpp"
#include "collection/evidence/manifest.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "common/version.hpp"
#include "pipeline/baseline/bm25_run.hpp"

#include <utility>

namespace touchstone::pipeline::audit {
namespace {

namespace fs = std::filesystem;
namespace evidence = collection::evidence;

/// How the evidence of members changes: by topic and page id.
using EvidenceChanges = std::map<std::pair<std::string, std::uint64_t>, std::int64_t>;

EvidenceChanges changes_of(const JudgedCollection& collection, const AuditResult& result) {
  const int grade = collection.info.evidence_grade;
  const auto is_evidence = [&](const evidence::JudgmentRecord& judgment) {
    return judgment.grade.value_or(0) >= grade ? 1 : 0;
  };
  EvidenceChanges changes;
  for (const auto& [key, record] : result.records)
    changes[{record.before.topic, record.before.member_page_id}] +=
        is_evidence(evidence::judgment_after(record, grade)) - is_evidence(record.before);
  return changes;
}

/// Copies the records of the collection.
class CollectionCopy {
 public:
  CollectionCopy(const JudgedCollection& collection, evidence::CollectionWriter& writer, const StopFlag& stop)
      : collection_(collection), writer_(writer), stop_(stop) {}

  void copy(const AuditResult& result) {
    const auto changes = before_audit(changes_of(collection_, result));
    for_each("queries.jsonl", [&](std::string_view line) { return reader_.query(line); });
    for_each(
        "members.jsonl", [&](std::string_view line) { return reader_.member(line); },
        [&](evidence::MemberRecord& member) {
          const auto change = changes.find({member.topic, member.page_id});
          if (change != changes.end())
            member.evidence = static_cast<std::uint64_t>(static_cast<std::int64_t>(member.evidence) + change->second);
        });
    for_each("corpus.jsonl.gz", [&](std::string_view line) { return reader_.passage(line); });
    for_each_original_judgment(collection_, stop_, [&](const evidence::JudgmentRecord& judgment) {
      const auto record = result.records.find(key_of(judgment));
      writer_.add(record == result.records.end()
                      ? judgment
                      : evidence::judgment_after(record->second, collection_.info.evidence_grade));
    });
    std::uint64_t number = 0;
    for_each_line(collection_.directory / "discarded.tsv", [&](std::string_view line, std::uint64_t at) {
      if (number++ == 0) return true;  // the header
      const auto discarded = evidence::parse_discarded(line);
      if (!discarded) fail_at_line(collection_.directory / "discarded.tsv", at, discarded.error());
      writer_.add(*discarded);
      return true;
    });
    if (collection_.info.has_history())
      for_each("gone.jsonl", [&](std::string_view line) { return reader_.gone(line); });
  }

 private:
  /// The evidence counts of the collection have the changes of its own audit already.
  EvidenceChanges before_audit(EvidenceChanges changes) const {
    AuditResult before;
    if (!collection_.info.audit) return changes;
    evidence::CollectionLineReader reader;
    for_each_line(collection_.directory / "audit.jsonl", [&](std::string_view line, std::uint64_t at) {
      auto record = reader.audited(line);
      if (!record) fail_at_line(collection_.directory / "audit.jsonl", at, record.error());
      auto key = key_of(record->before);
      before.records.emplace(std::move(key), std::move(*record));
      return true;
    });
    for (const auto& [member, change] : changes_of(collection_, before)) changes[member] -= change;
    return changes;
  }

  template <class Read>
  void for_each(const char* name, const Read& read) {
    for_each(name, read, [](auto&) {});
  }

  template <class Read, class Change>
  void for_each(const char* name, const Read& read, const Change& change) {
    const auto file = collection_.directory / name;
    for_each_line(
        file,
        [&](std::string_view line, std::uint64_t number) {
          stop_.check();
          auto record = read(line);
          if (!record) fail_at_line(file, number, record.error());
          change(*record);
          writer_.add(*record);
          return true;
        },
        evidence::kMaxCollectionLineBytes);
  }

  const JudgedCollection& collection_;
  evidence::CollectionWriter& writer_;
  const StopFlag& stop_;
  evidence::CollectionLineReader reader_;
};

}  // namespace

evidence::CollectionNumbers write_audited_collection(const JudgedCollection& collection, const AuditResult& result,
                                                     const fs::path& out, int threads, const StopFlag& stop) {
  auto info = collection.info;
  info.program_version = program_version();
  info.audit = result.summary;
  const bool has_baseline = evidence::read_manifest(collection.directory).baseline.has_value();
  evidence::CollectionWriter writer(out, info);
  CollectionCopy(collection, writer, stop).copy(result);
  for (const auto& [key, record] : result.records) writer.add(record);
  for (std::size_t i = 0; i < result.calibrated.size(); ++i) {
    const auto& decision = collection.decisions[i];
    if (result.calibrated[i])
      writer.add(evidence::CalibratedRecord{decision.topic, decision.docid, decision.member, *decision.probability,
                                            *result.calibrated[i]});
  }
  const ScratchFolder scratch("audit");
  const auto bm25 =
      baseline::bm25_system(baseline::CollectionKind::kEvidence, info.language, scratch.path(), threads, stop);
  return writer.finish(
      stop, [&](const fs::path& directory) { return evidence::examine_evidence(directory, info, stop); },
      has_baseline ? &bm25 : nullptr);
}

}  // namespace touchstone::pipeline::audit
