#include "collection/collection.hpp"
#include "collection/collection_counter.hpp"
#include "collection/collection_files.hpp"
#include "collection/collection_lines.hpp"
#include "collection/collection_manifest.hpp"
#include "collection/dataset_card.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/text/field_text.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <tuple>

namespace touchstone::formats {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, const fs::path& path, const std::error_code& error) {
  throw StorageError("cannot " + what + " " + path.string() + ": " + error.message());
}

void remove_folder(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) fail("remove", path, error);
}

void rename_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail("rename " + from.string() + " to", to, error);
}

fs::path with_suffix(fs::path path, const char* suffix) {
  path += suffix;
  return path;
}

/// The place of a collection and its two neighbours. Replacing takes two renames (old one away, new one in); a run that
/// was killed between them is put right by `recover`.
class Place {
 public:
  explicit Place(const fs::path& directory)
      : final_(without_trailing_slash(directory)),
        partial_(with_suffix(final_, ".partial")),
        old_(with_suffix(final_, ".old")) {}

  const fs::path& partial() const { return partial_; }

  /// Puts right what an earlier run left behind: afterwards there is the newest complete collection, or none, under
  /// the final name, and nothing beside it.
  void recover() const {
    if (fs::exists(old_)) {
      if (fs::exists(final_)) {
        remove_folder(old_);  // killed while deleting it
      } else if (fs::exists(partial_ / internal::kDigests.name)) {
        rename_folder(partial_, final_);  // killed between the renames: the digests are written last, so it is whole
        remove_folder(old_);
      } else {
        rename_folder(old_, final_);
      }
    }
    remove_folder(partial_);
  }

  /// Refuses to replace a folder that holds something else.
  void check_replaceable() const {
    if (!fs::exists(final_)) return;
    if (!fs::is_directory(final_)) {
      throw StorageError("cannot write a collection to " + final_.string() +
                         ": there is a file of that name; move it away");
    }
    if (!fs::is_empty(final_) && !fs::exists(final_ / internal::kManifest.name)) {
      throw StorageError("cannot write a collection to " + final_.string() +
                         ": the folder holds other files; choose another folder or empty it");
    }
  }

  void create_partial() const {
    std::error_code error;
    fs::create_directories(partial_ / "qrels", error);
    if (error) fail("create folder", partial_, error);
  }

  void publish() const {
    sync_folder(partial_ / "qrels");
    sync_folder(partial_);
    if (fs::exists(final_)) rename_folder(final_, old_);
    rename_folder(partial_, final_);
    sync_folder(final_.has_parent_path() ? final_.parent_path() : ".");
    remove_folder(old_);
  }

 private:
  static fs::path without_trailing_slash(const fs::path& directory) {
    const fs::path normal = directory.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
  }

  fs::path final_, partial_, old_;
};

void check_id(const char* what, const std::string& id) {
  const std::string why = why_unsafe_id(id);
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
    internal::parse_build_manifest(info.manifest_json);  // a mistake in it should not wait for the last file
    place.recover();
    place.check_replaceable();
    place.create_partial();
    for (const auto& file : internal::kDataFiles) {
      writers.push_back(std::make_unique<TextWriter>(place.partial() / file.name));
    }
    file("qrels/test.tsv").write(std::string(kBeirQrelsHeader) + "\n");
  }

  ~Impl() {
    writers.clear();
    if (finished) return;
    std::error_code ignored;  // the next run removes what is left
    fs::remove_all(place.partial(), ignored);
  }

  TextWriter& file(std::string_view name) {
    const auto at = std::find_if(internal::kDataFiles.begin(), internal::kDataFiles.end(),
                                 [&](const internal::CollectionFile& entry) { return entry.name == name; });
    TS_CHECK(at != internal::kDataFiles.end(), "a file of the table");
    return *writers[static_cast<std::size_t>(at - internal::kDataFiles.begin())];
  }

  /// Writes the qrels of the topic whose judgments are complete.
  void flush_topic() {
    for (const auto& entry : grades.take()) {
      const QrelRecord qrel{judged_topic, entry.docid, entry.grade};
      file("qrels.txt").write(qrel_line(qrel));
      file("qrels/test.tsv").write(beir_qrel_line(qrel));
      counter.qrel(judged_topic, entry.grade, entry.own_article);
    }
  }

  internal::FileEntry entry(std::string_view name) const {
    const auto path = place.partial() / name;
    return {std::string(name), fs::file_size(path), sha256_file(path)};
  }

  Place place;
  CollectionInfo info;
  std::vector<std::unique_ptr<TextWriter>> writers;  ///< as kDataFiles
  internal::CollectionCounter counter;
  internal::TopicGrades grades;
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
  impl_->file("topics.tsv").write(topic_line(topic.id, topic.query));
  impl_->file("queries.jsonl").write(internal::query_line(topic));
}

void CollectionWriter::add(const MemberRecord& member) {
  TS_CHECK(std::tie(impl_->last_member.first, impl_->last_member.second) < std::tie(member.topic, member.title),
           "members come by topic and title: " + member.topic + ", " + member.title);
  impl_->last_member = {member.topic, member.title};
  TS_CHECK(impl_->counter.member(member), "a member's topic is added before it: " + member.topic);
  impl_->file("members.jsonl").write(internal::member_line(member));
}

void CollectionWriter::add(const PassageRecord& passage) {
  check_id("docid", passage.docid);
  check_text("passage", passage.docid, passage.text);
  const std::pair key(passage.page_id, passage.ordinal);
  TS_CHECK(!impl_->last_passage || *impl_->last_passage < key,
           "passages come by page id and ordinal: " + passage.docid);
  impl_->last_passage = key;
  impl_->counter.passage();
  impl_->file("corpus.jsonl.gz").write(internal::passage_line(passage));
}

void CollectionWriter::add(const JudgmentRecord& judgment) {
  check_id("docid", judgment.docid);
  TS_CHECK(impl_->counter.knows_topic(judgment.topic), "a judgment's topic is added before it: " + judgment.topic);
  TS_CHECK(judgment.grade.has_value() == (judgment.state == "judged"),
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
  const std::string line = internal::judgment_line(judgment);
  impl_->file("judgments.jsonl.gz").write(line);
  if (!judgment.grade) impl_->file("unjudged.jsonl").write(line);
}

void CollectionWriter::add(const DiscardedRecord& discarded) {
  const std::string line = internal::discarded_line(discarded);
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
  discarded.write(std::string(internal::kDiscardedHeader) + "\n");
  for (const auto& line : self.discarded_lines) discarded.write(line);
  for (auto& writer : self.writers) writer->finish();

  const CollectionNumbers numbers = self.counter.numbers();
  std::vector<internal::FileEntry> entries;
  for (const auto& file : internal::kDataFiles) entries.push_back(self.entry(file.name));
  const auto write = [&](const internal::CollectionFile& file, const std::string& bytes) {
    write_file_atomically(self.place.partial() / file.name, bytes);
    entries.push_back(self.entry(file.name));
  };
  write(internal::kCroissant, internal::croissant(self.info, numbers, entries));
  write(internal::kCard, internal::dataset_card(self.info, numbers));
  write(internal::kManifest, internal::manifest_text(self.info, numbers, entries));
  std::string digests;
  for (const auto& entry : entries) digests += entry.sha256 + "  " + entry.name + "\n";
  write_file_atomically(self.place.partial() / internal::kDigests.name, digests);

  self.place.publish();
  self.finished = true;
  return numbers;
}

}  // namespace touchstone::formats
