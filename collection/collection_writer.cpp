#include "collection/collection_writer.hpp"

#include "collection/collection_counter.hpp"
#include "collection/collection_files.hpp"
#include "collection/collection_lines.hpp"
#include "collection/croissant.hpp"
#include "collection/dataset_card.hpp"
#include "collection/manifest.hpp"
#include "collection/staged_directory.hpp"
#include "collection/topic_grades.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "formats/fields/safe_id.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <tuple>

#include <nlohmann/json.hpp>

namespace touchstone::collection {
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
                      ", which readers of TREC and BEIR files do not stand; ids are letters, digits and - _ . : ~");
  }
}

void check_text(const char* what, const std::string& id, const std::string& text) {
  if (is_blank(text))
    throw FormatError(std::string("the ") + what + " of " + quote_for_message(id) + " is empty; leave it out");
}

}  // namespace

struct CollectionWriter::Impl {
  Impl(const fs::path& directory, CollectionInfo collection_info) : place(directory), info(std::move(collection_info)) {
    parse_build_manifest(info.manifest_json);  // a mistake in it should not wait for the last file
    place.recover();
    place.check_replaceable();
    place.create_partial();
    for (const auto& file : kDataFiles) {
      writers.push_back(std::make_unique<TextWriter>(place.partial() / file.name));
    }
    file("qrels/test.tsv").write(std::string(formats::beir::kQrelsHeader) + "\n");
  }

  ~Impl() {
    writers.clear();
    if (finished) return;
    std::error_code ignored;  // the next run removes what is left
    fs::remove_all(place.partial(), ignored);
  }

  TextWriter& file(std::string_view name) {
    const auto at = std::find_if(kDataFiles.begin(), kDataFiles.end(),
                                 [&](const CollectionFile& entry) { return entry.name == name; });
    TS_CHECK(at != kDataFiles.end(), "a file of the table");
    return *writers[static_cast<std::size_t>(at - kDataFiles.begin())];
  }

  /// Writes the qrels of the topic whose judgments are complete.
  void flush_topic() {
    for (const auto& entry : grades.take()) {
      const formats::trec::QrelRecord qrel{judged_topic, entry.docid, entry.grade};
      file("qrels.txt").write(formats::trec::qrel_line(qrel));
      file("qrels/test.tsv").write(formats::beir::qrel_line(qrel));
      counter.qrel(judged_topic, entry.grade, entry.own_article);
    }
  }

  FileEntry entry(std::string_view name) const {
    const auto path = place.partial() / name;
    return {std::string(name), fs::file_size(path), sha256_file(path)};
  }

  StagedDirectory place;
  CollectionInfo info;
  std::vector<std::unique_ptr<TextWriter>> writers;  ///< as kDataFiles
  CollectionCounter counter;
  TopicGrades grades;
  std::vector<std::string> discarded_lines;
  bool finished = false;

  // The record before, per kind, for the order checks.
  std::string last_topic;
  std::pair<std::string, std::string> last_member;
  std::optional<std::pair<std::uint64_t, std::uint32_t>> last_passage;
  std::string judged_topic;
  std::optional<std::pair<std::uint64_t, std::string>> last_judgment;
};

CollectionWriter::CollectionWriter(std::filesystem::path directory, CollectionInfo info)
    : impl_(std::make_unique<Impl>(directory, std::move(info))) {}

CollectionWriter::~CollectionWriter() = default;

void CollectionWriter::add(const TopicRecord& topic) {
  check_id("topic id", topic.id);
  check_text("query", topic.id, topic.query);
  TS_CHECK(impl_->last_topic < topic.id, "topics come by id: " + topic.id);
  impl_->last_topic = topic.id;
  impl_->counter.topic(topic.id);
  impl_->file("topics.tsv").write(formats::trec::topic_line(topic.id, topic.query));
  impl_->file("queries.jsonl").write(query_line(topic));
}

void CollectionWriter::add(const MemberRecord& member) {
  TS_CHECK(std::tie(impl_->last_member.first, impl_->last_member.second) < std::tie(member.topic, member.title),
           "members come by topic and title: " + member.topic + ", " + member.title);
  impl_->last_member = {member.topic, member.title};
  TS_CHECK(impl_->counter.member(member), "a member's topic is added before it: " + member.topic);
  impl_->file("members.jsonl").write(member_line(member));
}

void CollectionWriter::add(const PassageRecord& passage) {
  check_id("docid", passage.docid);
  check_text("passage", passage.docid, passage.text);
  const std::pair key(passage.page_id, passage.ordinal);
  TS_CHECK(!impl_->last_passage || *impl_->last_passage < key,
           "passages come by page id and ordinal: " + passage.docid);
  impl_->last_passage = key;
  impl_->counter.passage();
  impl_->file("corpus.jsonl.gz").write(passage_line(passage));
}

void CollectionWriter::add(const JudgmentRecord& judgment) {
  check_id("docid", judgment.docid);
  TS_CHECK(impl_->counter.knows_topic(judgment.topic), "a judgment's topic is added before it: " + judgment.topic);
  TS_CHECK(judgment.grade.has_value() == (judgment.state == JudgmentState::kJudged),
           "a grade, or a state that says why there is none");
  TS_CHECK(!judgment.grade || (*judgment.grade >= kMinGrade && *judgment.grade <= kMaxGrade), "a grade in range");
  TS_CHECK(!judgment.probability || (*judgment.probability >= 0 && *judgment.probability <= 1), "a probability");
  const std::pair key(judgment.member_page_id, judgment.docid);
  TS_CHECK(impl_->judged_topic < judgment.topic ||
               (impl_->judged_topic == judgment.topic && (!impl_->last_judgment || *impl_->last_judgment < key)),
           "judgments come by topic, member page id and docid: " + judgment.topic + ", " + judgment.docid);
  if (impl_->judged_topic != judgment.topic) impl_->flush_topic();
  impl_->judged_topic = judgment.topic;
  impl_->last_judgment = key;
  impl_->grades.add(judgment);
  impl_->counter.judgment(judgment);
  const std::string line = judgment_line(judgment);
  impl_->file("judgments.jsonl.gz").write(line);
  if (!judgment.grade) impl_->file("unjudged.jsonl").write(line);
}

void CollectionWriter::add(const DiscardedRecord& discarded) {
  const std::string line = discarded_line(discarded);
  TS_CHECK(!is_blank(discarded.kind) && !is_blank(discarded.reason), "a kind and a reason: " + line);
  impl_->counter.discarded(one_line(discarded.reason));
  impl_->discarded_lines.push_back(line);
}

CollectionNumbers CollectionWriter::finish() {
  Impl& self = *impl_;
  TS_CHECK(!self.finished, "finish() once");
  self.flush_topic();
  std::sort(self.discarded_lines.begin(), self.discarded_lines.end());
  TextWriter& discarded = self.file("discarded.tsv");
  discarded.write(std::string(kDiscardedHeader) + "\n");
  for (const auto& line : self.discarded_lines) discarded.write(line);
  for (auto& writer : self.writers) writer->finish();

  const CollectionNumbers numbers = self.counter.numbers();
  std::vector<FileEntry> entries;
  for (const auto& file : kDataFiles) entries.push_back(self.entry(file.name));
  const auto write = [&](const CollectionFile& file, const std::string& bytes) {
    write_file_atomically(self.place.partial() / file.name, bytes);
    entries.push_back(self.entry(file.name));
  };
  write(kCroissant, croissant(self.info, numbers, entries));
  write(kCard, dataset_card(self.info, numbers));
  write(kManifest, manifest_text(self.info, numbers, entries));
  std::string digests;
  for (const auto& entry : entries) digests += entry.sha256 + "  " + entry.name + "\n";
  write_file_atomically(self.place.partial() / kDigests.name, digests);

  self.place.publish();
  self.finished = true;
  return numbers;
}

}  // namespace touchstone::collection
