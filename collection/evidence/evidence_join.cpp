#include "collection/evidence/evidence_join.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/release/page_address.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

namespace touchstone::collection::evidence {

using formats::fields::one_line;

EvidenceJoin::EvidenceJoin(const std::filesystem::path& folder, int evidence_grade)
    : evidence_grade_(evidence_grade),
      judgments_(folder, kSortBytes),
      lines_(folder, kSortBytes, records::Repeats::kDrop) {}

void EvidenceJoin::add(const TopicRecord& topic) {
  queries_[topic.id] = topic.query;
}

void EvidenceJoin::add(const MemberRecord& member) {
  if (!member.qid.empty()) qids_[{member.topic, member.page_id}] = member.qid;
}

void EvidenceJoin::add(JudgmentRecord judgment) {
  if (judgment.grade.value_or(0) < evidence_grade_ || !queries_.contains(judgment.topic)) return;
  judgment.reason = {};  // no line has it
  judgment.votes = {};
  judgments_.add(std::move(judgment));
}

std::string EvidenceJoin::line_of(const JudgmentRecord& judgment, const PassageRecord& passage,
                                  std::string_view base_url) const {
  const auto qid = qids_.find({judgment.topic, judgment.member_page_id});
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  json.begin_object()
      .field("query", one_line(queries_.at(judgment.topic)))
      .field("topic", judgment.topic)
      .field("member", judgment.member)
      .field("qid", qid == qids_.end() ? std::nullopt : std::optional(qid->second))
      .field("docid", passage.docid)
      .field("title", one_line(passage.title))
      .field("section", passage.section_path)
      .field("url", release::page_address(base_url, one_line(passage.title), passage.revision))
      .field("text", formats::fields::plain_lines(passage.text))
      .field("mentions", judgment.mentions)
      .field("spans", judgment.spans)
      .field("own_article", judgment.own_article);
  if (judgment.source) json.field("source", to_string(*judgment.source));
  json.field("grade", judgment.grade).key("probability");
  judgment.probability ? json.raw(at_most_digits(*judgment.probability, kProbabilityDigits)) : json.value(nullptr);
  json.field("judge", judgment.judge).end_object();
  return json.take_line();
}

void EvidenceJoin::for_each_line(const std::filesystem::path& corpus, std::string_view base_url, const StopFlag& stop,
                                 const std::function<void(std::string_view)>& line) {
  judgments_.for_each(corpus, stop, [&](const JudgmentRecord& judgment, const PassageRecord* passage) {
    if (passage == nullptr) return;
    lines_.add({judgment.topic, judgment.member_page_id, judgment.docid, line_of(judgment, *passage, base_url)});
  });
  while (const auto next = lines_.next()) line(next->text);
}

}  // namespace touchstone::collection::evidence
