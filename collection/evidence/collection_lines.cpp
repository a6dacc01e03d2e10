// This file is long because each kind of line is read and written side by side.
#include "collection/evidence/collection_lines.hpp"

#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/labeling/annotation_fields.hpp"
#include "formats/trec/qrels.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::evidence {

using formats::fields::is_blank;
using formats::fields::one_line;
using formats::fields::plain_lines;
using formats::fields::quote_for_message;
using formats::fields::split_at_tabs;
using formats::json::FieldReader;
using formats::trec::kMaxGrade;
using formats::trec::kMinGrade;

namespace {

JsonWriter line_writer() {
  return JsonWriter({.escapes = JsonEscapes::kLineBreaks});
}

void write_probability(JsonWriter& out, const std::optional<double>& probability, ProbabilityDigits digits) {
  out.key("probability");
  if (probability && digits == ProbabilityDigits::kSix) {
    out.raw(at_most_digits(*probability, kProbabilityDigits));
  } else {
    out.value(probability);
  }
}

void write_vote(JsonWriter& out, const VoteRecord& vote, ProbabilityDigits digits) {
  out.begin_object().field("judge", vote.judge).field("grade", vote.grade);
  write_probability(out, vote.probability, digits);
  out.field("state", to_string(vote.state))
      .field("digest", vote.digest)
      .field("own_grade", vote.own_grade)
      .end_object();
}

JudgmentState state_from(FieldReader& fields, std::optional<std::string>* unknown_state) {
  const std::string name = fields.text("state");
  if (const auto state = judgment_state_of(name)) return *state;
  if (unknown_state != nullptr) {
    *unknown_state = name;
  } else {
    fields.fail("has the state " + quote_for_message(name) + "; docs/collection.md lists the states; correct it");
  }
  return JudgmentState::kFailed;
}

CandidateSource source_from(FieldReader& fields) {
  const std::string name = fields.text("source");
  const auto source = candidate_source_of(name);
  if (!source)
    fields.fail("has the source " + quote_for_message(name) + "; docs/collection.md lists the sources; correct it");
  return source.value_or(CandidateSource::kLink);
}

/// The value with the name that a field holds; `fallback` after a failure.
template <class Value, std::size_t size>
Value named(FieldReader& fields, std::string_view key, const std::pair<std::string_view, Value> (&table)[size],
            Value fallback) {
  const std::string name = fields.text(key);
  if (const auto* value = find_value(table, name)) return *value;
  fields.fail(
      fmt::format("has the {} {}; docs/collection.md lists what it may be; correct it", key, quote_for_message(name)));
  return fallback;
}

LabelHistory history_from(FieldReader fields) {
  LabelHistory history;
  history.state = named(fields, "state", kLabelStates, LabelState::kCarried);
  if (fields.has("reason")) history.reason = named(fields, "reason", kLabelReasons, LabelReason::kJudgeChanged);
  if (fields.has("from")) history.from = fields.text("from");
  if (history.state == LabelState::kGone || history.reason.has_value() == (history.state == LabelState::kCarried) ||
      (history.state == LabelState::kNew && !history.from.empty()))
    fields.fail("has a history whose state, reason and docid contradict each other; correct it");
  return history;
}

JudgmentRecord judgment_from(FieldReader& fields, std::optional<std::string>* unknown_state) {
  JudgmentRecord judgment;
  judgment.topic = fields.text("topic");
  judgment.docid = fields.text("docid");
  judgment.member = fields.text("member");
  judgment.member_page_id = fields.number("member_page_id");
  judgment.own_article = fields.boolean("own_article");
  if (fields.has("source")) judgment.source = source_from(fields);
  judgment.grade = fields.integer_or_null("grade", kMinGrade, kMaxGrade);
  judgment.probability = fields.number_or_null("probability");
  judgment.state = state_from(fields, unknown_state);
  judgment.reason = fields.text("reason");
  judgment.mentions = fields.ranges("mentions");
  judgment.spans = fields.ranges("spans");
  judgment.judge = fields.text("judge");
  judgment.prompt = fields.text_or_null("prompt");
  judgment.digest = fields.text("digest");
  if (fields.has("kept_from")) judgment.kept_from = fields.text("kept_from");
  if (fields.has("votes")) {
    for (auto& entry : fields.objects("votes")) {
      VoteRecord vote;
      vote.judge = entry.text("judge");
      vote.grade = entry.integer_or_null("grade", kMinGrade, kMaxGrade);
      vote.probability = entry.number_or_null("probability");
      vote.state = state_from(entry, unknown_state);
      vote.digest = entry.text("digest");
      if (entry.has("own_grade")) vote.own_grade = entry.integer_or_null("own_grade", kMinGrade, kMaxGrade);
      judgment.votes.push_back(std::move(vote));
    }
  }
  if (fields.has("reply")) judgment.reply = fields.text("reply");
  if (fields.has("history")) judgment.history = history_from(fields.object("history"));
  return judgment;
}

}  // namespace

std::string query_line(const TopicRecord& topic) {
  return line_writer()
      .begin_object()
      .field("_id", topic.id)
      .field("text", one_line(topic.query))
      .key("metadata")
      .begin_object()
      .field("structured", topic.structured)
      .field("page", topic.page)
      .field("page_id", topic.page_id)
      .field("section", topic.section_path)
      .field("column", topic.column)
      .field("query_source", topic.query_source)
      .field("query_verdict", to_string(topic.query_verdict))
      .end_object()
      .end_object()
      .take_line();
}

std::string member_line(const MemberRecord& member) {
  JsonWriter out = line_writer();
  out.begin_object()
      .field("topic", member.topic)
      .field("title", member.title)
      .field("page_id", member.page_id)
      .key("qid");
  member.qid.empty() ? out.value(nullptr) : out.value(member.qid);
  out.field("aliases", member.aliases).field("candidates", member.candidates).field("evidence", member.evidence);
  if (member.types) out.field("types", *member.types).field("other_kind", member.other_kind);
  return out.end_object().take_line();
}

std::string passage_line(const PassageRecord& passage) {
  JsonWriter out = line_writer();
  out.begin_object()
      .field("_id", passage.docid)
      .field("title", one_line(passage.title))
      .field("text", plain_lines(passage.text))
      .key("metadata")
      .begin_object()
      .field("page_id", passage.page_id)
      .field("ordinal", passage.ordinal)
      .field("revision", passage.revision)
      .field("section", passage.section_path)
      .field("copies", passage.repeats);
  return out.end_object().end_object().take_line();
}

namespace {

JsonWriter& write_judgment(JsonWriter& out, const JudgmentRecord& judgment, ProbabilityDigits digits) {
  out.begin_object()
      .field("topic", judgment.topic)
      .field("docid", judgment.docid)
      .field("member", judgment.member)
      .field("member_page_id", judgment.member_page_id)
      .field("own_article", judgment.own_article);
  if (judgment.source) out.field("source", to_string(*judgment.source));
  out.field("grade", judgment.grade);
  write_probability(out, judgment.probability, digits);
  out.field("state", to_string(judgment.state))
      .field("reason", judgment.reason)
      .field("mentions", judgment.mentions)
      .field("spans", judgment.spans)
      .field("judge", judgment.judge)
      .key("prompt");
  judgment.prompt.empty() ? out.value(nullptr) : out.value(judgment.prompt);
  out.field("digest", judgment.digest);
  if (!judgment.kept_from.empty()) out.field("kept_from", judgment.kept_from);
  if (!judgment.votes.empty()) {
    out.key("votes").begin_array();
    for (const auto& vote : judgment.votes) write_vote(out, vote, digits);
    out.end_array();
  }
  if (!judgment.reply.empty()) out.field("reply", judgment.reply);
  if (judgment.history) {
    out.key("history").begin_object().field("state", to_string(judgment.history->state));
    if (judgment.history->reason) out.field("reason", to_string(*judgment.history->reason));
    if (!judgment.history->from.empty()) out.field("from", judgment.history->from);
    out.end_object();
  }
  return out.end_object();
}

}  // namespace

std::string judgment_line(const JudgmentRecord& judgment, ProbabilityDigits digits) {
  JsonWriter out = line_writer();
  return write_judgment(out, judgment, digits).take_line();
}

std::string audit_line(const AuditRecord& audited) {
  JsonWriter out = line_writer();
  out.begin_object()
      .field("topic", audited.before.topic)
      .field("docid", audited.before.docid)
      .field("member", audited.before.member)
      .field("member_page_id", audited.before.member_page_id)
      .field("stratum", audited.stratum)
      .field("outcome", to_string(audited.outcome))
      .field("grade", audited.grade)
      .key("answers")
      .begin_array();
  for (const auto& answer : audited.answers) out.raw(formats::labeling::annotation_line(answer));
  out.end_array().key("before");
  return write_judgment(out, audited.before, ProbabilityDigits::kSix).end_object().take_line();
}

std::string calibrated_line(const CalibratedRecord& calibrated) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\n", calibrated.topic, calibrated.member_page_id, calibrated.docid,
                     at_most_digits(calibrated.probability, kProbabilityDigits),
                     at_most_digits(calibrated.calibrated, kProbabilityDigits));
}

std::string gone_line(const GoneRecord& gone) {
  return line_writer()
      .begin_object()
      .field("topic", gone.topic)
      .field("docid", gone.docid)
      .field("member", gone.member)
      .field("member_page_id", gone.member_page_id)
      .field("grade", gone.grade)
      .field("reason", to_string(gone.reason))
      .end_object()
      .take_line();
}

std::string discarded_line(const DiscardedRecord& discarded) {
  std::string line = one_line(discarded.kind);
  for (const auto& column :
       {discarded.page, join_path(discarded.section_path), discarded.column, discarded.reason, discarded.detail}) {
    line += '\t';
    line += one_line(column);
  }
  line += '\n';
  return line;
}

std::string pyserini_line(const PassageRecord& passage) {
  return line_writer()
      .begin_object()
      .field("id", passage.docid)
      .field("contents", one_line(passage.title) + "\n" + one_line(passage.text))
      .end_object()
      .take_line();
}

std::string docs_tsv_line(const PassageRecord& passage) {
  return passage.docid + "\t" + one_line(passage.title) + ". " + one_line(passage.text) + "\n";
}

Result<DiscardedRecord, std::string> parse_discarded(std::string_view line) {
  using Parsed = Result<DiscardedRecord, std::string>;
  const auto columns = split_at_tabs(line, 7);
  if (columns.size() != 6) {
    return Parsed::failure("has " + (columns.size() > 6 ? "more than 6" : std::to_string(columns.size())) +
                           " columns instead of 6; repair the line " + quote_for_message(line));
  }
  if (is_blank(columns[0]) || is_blank(columns[4])) {
    return Parsed::failure("has no kind or no reason; repair the line " + quote_for_message(line));
  }
  DiscardedRecord record;
  record.kind = columns[0];
  record.page = columns[1];
  if (!columns[2].empty()) record.section_path = {std::string(columns[2])};
  record.column = columns[3];
  record.reason = columns[4];
  record.detail = columns[5];
  return record;
}

struct CollectionLineReader::Impl {
  /// Parses the line, lets `read` make the record of its fields, and gives it or the first thing that was wrong.
  template <class Read>
  auto parse(std::string_view line, Read read) {
    using Parsed = Result<std::invoke_result_t<Read, FieldReader&>, std::string>;
    std::string error;
    simdjson::dom::object object;
    if (!formats::json::parse_object(parser, line, object, error)) return Parsed::failure(std::move(error));
    FieldReader fields(object, error);
    auto record = read(fields);
    if (!error.empty()) return Parsed::failure(std::move(error));
    return Parsed(std::move(record));
  }

  simdjson::dom::parser parser;
};

CollectionLineReader::CollectionLineReader() : impl_(std::make_unique<Impl>()) {}
CollectionLineReader::~CollectionLineReader() = default;

Result<TopicRecord, std::string> CollectionLineReader::query(std::string_view line) {
  return impl_->parse(line, [](FieldReader& fields) {
    TopicRecord topic;
    topic.id = fields.text("_id");
    topic.query = fields.text("text");
    FieldReader metadata = fields.object("metadata");
    topic.structured = metadata.text("structured");
    topic.page = metadata.text("page");
    topic.page_id = metadata.number("page_id");
    topic.section_path = metadata.texts("section");
    topic.column = metadata.text("column");
    topic.query_source = metadata.text("query_source");
    const auto verdict = metadata.text("query_verdict");
    if (const auto known = query_verdict_of(verdict))
      topic.query_verdict = *known;
    else
      metadata.fail("has the query verdict " + quote_for_message(verdict) + ", not certain, keywords or unworded");
    return topic;
  });
}

Result<MemberRecord, std::string> CollectionLineReader::member(std::string_view line) {
  return impl_->parse(line, [](FieldReader& fields) {
    MemberRecord member;
    member.topic = fields.text("topic");
    member.title = fields.text("title");
    member.page_id = fields.number("page_id");
    member.qid = fields.text_or_null("qid");
    member.aliases = fields.texts("aliases");
    member.candidates = fields.number("candidates");
    member.evidence = fields.number("evidence");
    if (fields.has("types")) {
      member.types = fields.texts("types");
      member.other_kind = fields.boolean("other_kind");
    }
    return member;
  });
}

Result<PassageRecord, std::string> CollectionLineReader::passage(std::string_view line) {
  return impl_->parse(line, [](FieldReader& fields) {
    PassageRecord passage;
    passage.docid = fields.text("_id");
    passage.title = fields.text("title");
    passage.text = fields.text("text");
    FieldReader metadata = fields.object("metadata");
    passage.page_id = metadata.number("page_id");
    passage.ordinal = static_cast<std::uint32_t>(metadata.number("ordinal", std::numeric_limits<std::uint32_t>::max()));
    passage.revision = metadata.number("revision");
    passage.section_path = metadata.texts("section");
    passage.repeats = metadata.texts("copies");
    return passage;
  });
}

Result<JudgmentRecord, std::string> CollectionLineReader::judgment(std::string_view line,
                                                                   std::optional<std::string>* unknown_state) {
  return impl_->parse(line, [&](FieldReader& fields) { return judgment_from(fields, unknown_state); });
}

Result<AuditRecord, std::string> CollectionLineReader::audited(std::string_view line) {
  return impl_->parse(line, [](FieldReader& fields) {
    AuditRecord audited;
    audited.stratum = fields.text("stratum");
    audited.outcome = named(fields, "outcome", kAuditOutcomes, AuditOutcome::kSkipped);
    audited.grade = fields.integer_or_null("grade", 0, 1);
    for (auto& answer : fields.objects("answers"))
      audited.answers.push_back(formats::labeling::read_annotation(answer));
    FieldReader before = fields.object("before");
    audited.before = judgment_from(before, nullptr);
    return audited;
  });
}

Result<GoneRecord, std::string> CollectionLineReader::gone(std::string_view line) {
  return impl_->parse(line, [](FieldReader& fields) {
    GoneRecord gone;
    gone.topic = fields.text("topic");
    gone.docid = fields.text("docid");
    gone.member = fields.text("member");
    gone.member_page_id = fields.number("member_page_id");
    gone.grade = fields.integer_or_null("grade", kMinGrade, kMaxGrade);
    gone.reason = named(fields, "reason", kLabelReasons, LabelReason::kJudgeChanged);
    return gone;
  });
}

}  // namespace touchstone::collection::evidence
