#include "collection/evidence/collection_writer.hpp"

#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/collection_counter.hpp"
#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/croissant.hpp"
#include "collection/evidence/dataset_card.hpp"
#include "collection/evidence/evidence_join.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/evidence/topic_grades.hpp"
#include "collection/release/release_directory.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace touchstone::collection::evidence {
namespace {

namespace fs = std::filesystem;
using formats::fields::is_blank;
using formats::fields::one_line;
using formats::fields::quote_for_message;
using formats::trec::kMaxGrade;
using formats::trec::kMinGrade;

void check_id(const char* what, const std::string& id) {
  const std::string why = formats::fields::why_unsafe_id(id);
  if (!why.empty()) {
    throw FormatError(std::string("the ") + what + " " + quote_for_message(id) + " " + why +
                      ", which TREC and BEIR readers reject; ids are letters, digits and - _ . : ~");
  }
}

/// Records come from files of stages, so that a wrong one is not a programmer's mistake.
[[noreturn]] void refuse(const std::string& what) {
  throw FormatError(what + "; the file that it was read from was edited or damaged, write it again");
}

constexpr std::string_view kWrongOrder = " is there a second time or out of order";

void check_text(const char* what, const std::string& id, const std::string& text) {
  if (is_blank(text))
    throw FormatError(std::string("the ") + what + " of " + quote_for_message(id) + " is empty; leave it out");
}

std::string name_of(const MemberRecord& member) {
  return "member " + quote_for_message(member.title) + " of topic " + quote_for_message(member.topic);
}

std::string name_of(const JudgmentRecord& judgment) {
  return "the judgment of topic " + quote_for_message(judgment.topic) + ", docid " + quote_for_message(judgment.docid) +
         ", member " + quote_for_message(judgment.member);
}

bool is_probability(const std::optional<double>& value) {
  return !value || (*value >= 0 && *value <= 1);
}

/// Whether a grade in range and the state "judged" go together.
bool is_verdict(const std::optional<int>& grade, JudgmentState state) {
  return grade.has_value() == (state == JudgmentState::kJudged) &&
         (!grade || (*grade >= kMinGrade && *grade <= kMaxGrade));
}

void check_judgment(const JudgmentRecord& judgment) {
  if (!is_verdict(judgment.grade, judgment.state)) {
    refuse(name_of(judgment) + " has no grade in range that goes with the state \"" +
           std::string(to_string(judgment.state)) + "\"");
  }
  if (!is_probability(judgment.probability)) refuse(name_of(judgment) + " has a probability that is not from 0 to 1");
  for (const auto& vote : judgment.votes) {
    if (!is_verdict(vote.grade, vote.state) || !is_probability(vote.probability) || (vote.own_grade && !vote.grade))
      refuse(name_of(judgment) + " has a vote whose grade, state and probability contradict each other");
  }
}

}  // namespace

struct CollectionWriter::Impl {
  Impl(const fs::path& directory, CollectionInfo collection_info)
      : place(directory, evidence_layout()),
        info(std::move(collection_info)),
        counter(info.evidence_grade),
        grades(info.evidence_grade),
        evidence(place.folder(), info.evidence_grade) {
    check_build_manifest(info);  // a mistake in it should not wait for the last file
    for (const auto* file : data_files({info.reading_copies, false, info.has_history(), info.audit.has_value()})) {
      writers[file->name] =
          std::make_unique<TextWriter>(place.folder() / file->name, place.options(Compression::kOwnThread));
    }
    if (!info.reading_copies) {
      for (const auto folder : kReadingCopyFolders) fs::remove(place.folder() / folder);
    }
    file("qrels/test.tsv").write(std::string(formats::beir::kQrelsHeader) + "\n");
    if (info.audit) file("calibration.tsv").write(std::string(kCalibrationHeader) + "\n");
  }

  TextWriter& file(std::string_view name) {
    const auto found = writers.find(name);
    TS_CHECK(found != writers.end(), "a file of the table");
    return *found->second;
  }

  /// Writes the qrels of the topic whose judgments are complete.
  void flush_topic() {
    for (const auto& entry : grades.take()) {
      const formats::trec::QrelRecord qrel{judged_topic, entry.docid, entry.grade};
      file("qrels.txt").write(formats::trec::qrel_line(qrel));
      file("qrels/test.tsv").write(formats::beir::qrel_line(qrel));
      file("qrels/test.jsonl").write(formats::beir::qrel_json_line(qrel));
      counter.qrel(judged_topic, entry.grade, entry.own_article);
    }
  }

  release::ReleaseDirectory place;
  CollectionInfo info;
  std::map<std::string_view, std::unique_ptr<TextWriter>> writers;  ///< by name
  CollectionCounter counter;
  TopicGrades grades;
  EvidenceJoin evidence;
  std::vector<std::string> discarded_lines;

  // The record before, per kind, for the order checks.
  std::string last_topic;
  std::pair<std::string, std::string> last_member;
  std::optional<std::pair<std::uint64_t, std::uint32_t>> last_passage;
  std::string judged_topic;
  std::optional<std::pair<std::uint64_t, std::string>> last_judgment;
  std::optional<std::tuple<std::string, std::uint64_t, std::string>> last_gone, last_audited;
};

CollectionWriter::CollectionWriter(std::filesystem::path directory, CollectionInfo info)
    : impl_(std::make_unique<Impl>(directory, std::move(info))) {}

CollectionWriter::~CollectionWriter() = default;

void CollectionWriter::add(const TopicRecord& topic) {
  check_id("topic id", topic.id);
  check_text("query", topic.id, topic.query);
  if (impl_->last_topic >= topic.id) refuse("topic " + quote_for_message(topic.id) + std::string(kWrongOrder));
  impl_->last_topic = topic.id;
  impl_->counter.topic(topic.id);
  impl_->file("topics.tsv").write(formats::trec::topic_line(topic.id, topic.query));
  impl_->file("queries.jsonl").write(query_line(topic));
  impl_->evidence.add(topic);
}

void CollectionWriter::add(const MemberRecord& member) {
  const bool in_order =
      std::tie(impl_->last_member.first, impl_->last_member.second) < std::tie(member.topic, member.title);
  if (!in_order) refuse(name_of(member) + std::string(kWrongOrder));
  impl_->last_member = {member.topic, member.title};
  if (!impl_->counter.member(member)) refuse(name_of(member) + " comes before its topic");
  impl_->file("members.jsonl").write(member_line(member));
  impl_->evidence.add(member);
}

void CollectionWriter::add(const PassageRecord& passage) {
  check_id("docid", passage.docid);
  check_text("passage", passage.docid, passage.text);
  const std::pair key(passage.page_id, passage.ordinal);
  if (impl_->last_passage && *impl_->last_passage >= key)
    refuse("passage " + quote_for_message(passage.docid) + std::string(kWrongOrder));
  impl_->last_passage = key;
  impl_->counter.passage();
  const std::string line = passage_line(passage);
  impl_->file("corpus.jsonl.gz").write(line);
  if (!impl_->info.reading_copies) return;
  impl_->file("corpus.jsonl").write(line);
  impl_->file("pyserini/docs-00000.jsonl").write(pyserini_line(passage));
  impl_->file("ir_datasets/docs.tsv").write(docs_tsv_line(passage));
}

void CollectionWriter::add(const JudgmentRecord& judgment) {
  check_id("docid", judgment.docid);
  if (!impl_->counter.knows_topic(judgment.topic)) refuse(name_of(judgment) + " comes before its topic");
  check_judgment(judgment);
  const std::pair key(judgment.member_page_id, judgment.docid);
  const bool in_order =
      impl_->judged_topic < judgment.topic ||
      (impl_->judged_topic == judgment.topic && (!impl_->last_judgment || *impl_->last_judgment < key));
  if (!in_order) refuse(name_of(judgment) + std::string(kWrongOrder));
  if (impl_->judged_topic != judgment.topic) impl_->flush_topic();
  impl_->judged_topic = judgment.topic;
  impl_->last_judgment = key;
  impl_->grades.add(judgment);
  impl_->counter.judgment(judgment);
  impl_->evidence.add(judgment);
  const std::string line = judgment_line(judgment);
  impl_->file("judgments.jsonl.gz").write(line);
  if (!judgment.grade) impl_->file("unjudged.jsonl").write(line);
}

void CollectionWriter::add(const DiscardedRecord& discarded) {
  const std::string line = discarded_line(discarded);
  if (is_blank(discarded.kind) || is_blank(discarded.reason))
    refuse("something was left out without a kind or a reason: " + quote_for_message(line));
  impl_->counter.discarded(one_line(discarded.reason));
  impl_->discarded_lines.push_back(line);
}

void CollectionWriter::add(const GoneRecord& gone) {
  auto key = std::tuple(gone.topic, gone.member_page_id, gone.docid);
  if (impl_->last_gone && *impl_->last_gone >= key)
    refuse("the label of docid " + quote_for_message(gone.docid) + " in the collection before" +
           std::string(kWrongOrder));
  impl_->last_gone = std::move(key);
  impl_->counter.gone(gone);
  impl_->file("gone.jsonl").write(gone_line(gone));
}

void CollectionWriter::add(const AuditRecord& audited) {
  auto key = std::tuple(audited.before.topic, audited.before.member_page_id, audited.before.docid);
  if (impl_->last_audited && *impl_->last_audited >= key)
    refuse("the audit of " + name_of(audited.before) + std::string(kWrongOrder));
  impl_->last_audited = std::move(key);
  impl_->file("audit.jsonl").write(audit_line(audited));
}

void CollectionWriter::add(const CalibratedRecord& calibrated) {
  impl_->file("calibration.tsv").write(calibrated_line(calibrated));
}

CollectionNumbers CollectionWriter::finish(const StopFlag& stop, const health::HealthExaminer& examine,
                                           const release::BaselineSystem* baseline) {
  Impl& self = *impl_;
  const auto& folder = self.place.folder();
  self.flush_topic();
  std::sort(self.discarded_lines.begin(), self.discarded_lines.end());
  TextWriter& discarded = self.file("discarded.tsv");
  discarded.write(std::string(kDiscardedHeader) + "\n");
  for (const auto& line : self.discarded_lines) discarded.write(line);
  self.file("corpus.jsonl.gz").finish();
  self.evidence.for_each_line(folder / "corpus.jsonl.gz", self.info.base_url, stop,
                              [&](std::string_view line) { self.file("evidence.jsonl").write(line); });
  for (auto& [name, writer] : self.writers) {
    if (name != "corpus.jsonl.gz") writer->finish();
  }

  Manifest manifest{self.info, self.counter.numbers(), {}, {}, {}};
  if (examine) manifest.health = examine(folder);
  if (baseline != nullptr && manifest.numbers.qrels > 0)
    manifest.baseline = write_baseline_run(folder, *baseline, self.place.options());
  const auto add_entry = [&](std::string_view name) {
    const auto entries = self.place.entries();
    manifest.files.push_back(*std::find_if(entries.begin(), entries.end(),
                                           [&](const release::FileEntry& entry) { return entry.name == name; }));
  };
  const auto write = [&](const release::CollectionFile& file, const std::string& bytes) {
    self.place.write(file.name, bytes);
    add_entry(file.name);
  };
  for (const auto* file : data_files({self.info.reading_copies, manifest.baseline.has_value(), self.info.has_history(),
                                      self.info.audit.has_value()}))
    add_entry(file->name);
  write(release::kCroissant, croissant(manifest));
  write(release::kCard, dataset_card(manifest));
  write(release::kManifest, manifest_text(manifest));
  self.place.publish(manifest.files);
  return std::move(manifest.numbers);
}

}  // namespace touchstone::collection::evidence
