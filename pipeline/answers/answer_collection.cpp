#include "pipeline/answers/answer_collection.hpp"

#include "collection/evidence/manifest.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/json/field_reader.hpp"
#include "text/folded_text.hpp"

#include <functional>
#include <limits>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::pipeline::answers {
namespace {

using formats::json::FieldReader;

PageId page_of(FieldReader& fields, const char* name = "page_id") {
  return PageId{static_cast<std::uint32_t>(fields.number(name, std::numeric_limits<std::uint32_t>::max()))};
}

/// Calls `use` for the object of every line. Throws FormatError for a line that is not an object, or that `use` finds
/// fields missing in.
void for_each_object(const std::filesystem::path& file, const std::function<void(FieldReader&)>& use) {
  simdjson::dom::parser parser;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    std::string error;
    simdjson::dom::object object;
    if (formats::json::parse_object(parser, line, object, error)) {
      FieldReader fields(object, error);
      use(fields);
    }
    if (!error.empty())
      throw FormatError(fmt::format("{}:{}: {}; touchstone validate lists all that is wrong with the collection",
                                    file.string(), number, error));
    return true;
  });
}

void require_members(const std::filesystem::path& directory) {
  collection::require_collection_directory(directory, "score answers with");
  std::error_code failed;
  if (!std::filesystem::exists(directory / "members.jsonl", failed))
    throw StorageError(
        fmt::format("cannot score answers with {}: it has no members.jsonl, which says what a complete "
                    "answer is; name an evidence collection",
                    directory.string()));
}

/// Reads the files of one collection, one after the other.
class CollectionReading {
 public:
  CollectionReading(const std::filesystem::path& directory, const std::vector<Answer>& answers)
      : directory_(directory), found_(std::make_unique<AnswerCollection>()) {
    for (const auto& answer : answers) {
      add_text(answer.text);
      topics_.insert(answer.topic);
      for (const auto& citation : answer.citations) cited_.insert(citation.docid);
    }
  }

  std::unique_ptr<AnswerCollection> read() {
    const auto summary = collection::evidence::read_manifest(directory_);
    found_->language = summary.info.language;
    evidence_grade_ = summary.info.evidence_grade;
    found_->names = std::make_unique<AnswerNames>(found_->beginnings, found_->language);
    for_each_object(directory_ / "queries.jsonl", [&](FieldReader& fields) { add_topic(fields); });
    for_each_object(directory_ / "members.jsonl", [&](FieldReader& fields) { add_member(fields); });
    for_each_object(directory_ / "corpus.jsonl.gz", [&](FieldReader& fields) { add_passage(fields); });
    for_each_object(directory_ / "judgments.jsonl.gz", [&](FieldReader& fields) { add_judgment(fields); });
    return std::move(found_);
  }

 private:
  void add_text(std::string_view text) { found_->beginnings.add(text::FoldedText(text).folded); }

  void add_topic(FieldReader& fields) {
    auto metadata = fields.object("metadata");
    AnswerTopic topic{fields.text("text") + '\n' + metadata.text("page") + '\n', page_of(metadata), {}};
    for (const auto& heading : metadata.texts("section")) topic.words += heading + '\n';
    topic.words = nfc(topic.words + metadata.text("column"));
    add_text(topic.words);
    found_->topics.emplace(fields.text("_id"), std::move(topic));
  }

  void add_member(FieldReader& fields) {
    const auto id = fields.text("topic");
    const auto page = page_of(fields);
    const auto title = fields.text("title");
    const auto topic = found_->topics.find(id);
    if (topic == found_->topics.end()) {
      fields.fail("has a topic that is not in queries.jsonl");
      return;
    }
    topic->second.members.insert(page);
    found_->members.insert(page);
    found_->titles.emplace(page, title);
    found_->names->add_member(page, title);
    for (const auto& alias : fields.texts("aliases")) found_->names->add_member(page, alias);
  }

  void add_passage(FieldReader& fields) {
    const auto docid = fields.text("_id");
    auto metadata = fields.object("metadata");
    const auto page = page_of(metadata);
    if (cited_.contains(docid)) found_->docids.emplace(docid, docid);
    if (!cited_.empty() && metadata.has("copies")) {
      for (const auto& copy : metadata.texts("copies")) {
        if (cited_.contains(copy)) found_->docids.emplace(copy, docid);
      }
    }
    if (page == last_page_) return;  // the passages of a page follow each other
    last_page_ = page;
    const auto title = fields.text("title");
    if (found_->names->add_page(page, title)) found_->titles.emplace(page, title);
  }

  void add_judgment(FieldReader& fields) {
    const auto grade =
        fields.integer_or_null("grade", std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    if (!grade || *grade < evidence_grade_) return;
    auto topic = fields.text("topic");
    if (!topics_.contains(topic)) return;
    auto docid = fields.text("docid");
    found_->evidence.emplace(std::move(topic), std::move(docid), page_of(fields, "member_page_id"));
  }

  const std::filesystem::path& directory_;
  std::unique_ptr<AnswerCollection> found_;
  std::unordered_set<std::string> topics_, cited_;
  PageId last_page_{0};
  int evidence_grade_ = 1;
};

}  // namespace

std::unique_ptr<AnswerCollection> read_answer_collection(const std::filesystem::path& directory,
                                                         const std::vector<Answer>& answers) {
  require_members(directory);
  return CollectionReading(directory, answers).read();
}

}  // namespace touchstone::pipeline::answers
