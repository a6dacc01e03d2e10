#include "collection/evidence/evidence_join.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/release/page_address.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"

#include <fmt/format.h>

namespace touchstone::collection::evidence {
namespace {

using formats::fields::one_line;
using formats::fields::plain_lines;
using formats::fields::split_at_tabs;

constexpr std::size_t kSortBytes = std::size_t{32} << 20;
constexpr std::string_view kPassageRow = "1", kJudgmentRow = "2";  // a passage sorts before its judgments

JsonWriter evidence_line_writer() {
  return JsonWriter({.escapes = JsonEscapes::kLineBreaks});
}

/// Ten digits and more sort as numbers when they are as long.
std::string member_key(const std::string& topic, std::uint64_t page_id) {
  return fmt::format("{}\t{:020}", topic, page_id);
}

/// The fields of an object without its braces, to be put beside others.
std::string fields_of(JsonWriter& object) {
  const std::string text = object.end_object().take();
  return text.substr(1, text.size() - 2);
}

std::string passage_fields(const PassageRecord& passage, std::string_view base_url) {
  JsonWriter json = evidence_line_writer();
  json.begin_object()
      .field("docid", passage.docid)
      .field("title", one_line(passage.title))
      .field("section", passage.section_path)
      .field("url", release::page_address(base_url, one_line(passage.title), passage.revision))
      .field("text", plain_lines(passage.text));
  return fields_of(json);
}

}  // namespace

EvidenceJoin::EvidenceJoin(const std::filesystem::path& folder, int evidence_grade)
    : evidence_grade_(evidence_grade), by_docid_(folder, kSortBytes), in_order_(folder, kSortBytes) {}

void EvidenceJoin::add(const TopicRecord& topic) {
  queries_[topic.id] = topic.query;
}

void EvidenceJoin::add(const MemberRecord& member) {
  if (!member.qid.empty()) qids_[member_key(member.topic, member.page_id)] = member.qid;
}

void EvidenceJoin::add(const JudgmentRecord& judgment) {
  if (judgment.grade.value_or(0) < evidence_grade_) return;
  const auto query = queries_.find(judgment.topic);
  if (query == queries_.end()) return;
  const auto key = member_key(judgment.topic, judgment.member_page_id);
  const auto qid = qids_.find(key);
  JsonWriter head = evidence_line_writer(), tail = evidence_line_writer();
  head.begin_object().field("query", one_line(query->second)).field("topic", judgment.topic);
  head.field("member", judgment.member).key("qid");
  qid == qids_.end() ? head.value(nullptr) : head.value(qid->second);
  tail.begin_object()
      .field("mentions", judgment.mentions)
      .field("spans", judgment.spans)
      .field("own_article", judgment.own_article);
  if (judgment.source) tail.field("source", to_string(*judgment.source));
  tail.field("grade", judgment.grade).key("probability");
  judgment.probability ? tail.raw(at_most_digits(*judgment.probability, kProbabilityDigits)) : tail.value(nullptr);
  tail.field("judge", judgment.judge);
  docids_.insert(xxh3_64(judgment.docid));
  by_docid_.add(fmt::format("{}\t{}\t{}\t{}\t{}", judgment.docid, kJudgmentRow, key, fields_of(head), fields_of(tail)));
}

void EvidenceJoin::add_passages(const std::filesystem::path& corpus, std::string_view base_url, const StopFlag& stop) {
  CollectionLineReader reader;
  touchstone::for_each_line(corpus, [&](std::string_view line, std::uint64_t number) {
    stop.check();
    const auto passage = reader.passage(line);
    if (!passage) throw FormatError(fmt::format("{} line {} {}", corpus.string(), number, passage.error()));
    if (docids_.contains(xxh3_64(passage->docid)))
      by_docid_.add(fmt::format("{}\t{}\t{}", passage->docid, kPassageRow, passage_fields(*passage, base_url)));
    return true;
  });
}

void EvidenceJoin::for_each_line(const std::filesystem::path& corpus, std::string_view base_url, const StopFlag& stop,
                                 const std::function<void(std::string_view)>& line) {
  if (docids_.empty()) return;
  add_passages(corpus, base_url, stop);
  std::string docid, passage;
  by_docid_.for_each([&](std::string_view row) {
    const auto columns = split_at_tabs(row, 7);
    if (columns.at(1) == kPassageRow) {
      docid = columns.at(0);
      passage = columns.at(2);
    } else if (columns.at(0) == docid) {
      in_order_.add(fmt::format("{}\t{}\t{}\t{{{},{},{}}}", columns.at(2), columns.at(3), docid, columns.at(4), passage,
                                columns.at(5)));
    }
  });
  in_order_.for_each([&](std::string_view row) {
    const auto columns = split_at_tabs(row, 5);
    line(std::string(columns.at(3)) + "\n");
  });
}

}  // namespace touchstone::collection::evidence
