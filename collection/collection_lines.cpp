#include "collection/collection_lines.hpp"

#include "formats/json/json_fields.hpp"
#include "formats/json/json_text.hpp"
#include "formats/text/columns.hpp"
#include "formats/text/field_text.hpp"
#include "formats/trec/qrels.hpp"

#include <limits>

namespace touchstone::formats::internal {

std::string query_line(const TopicRecord& topic) {
  return JsonLine()
      .text("_id", topic.id)
      .text("text", one_line(topic.query))
      .begin("metadata")
      .text("structured", topic.structured)
      .text("page", topic.page)
      .number("page_id", topic.page_id)
      .texts("section", topic.section_path)
      .text("column", topic.column)
      .text("query_source", topic.query_source)
      .end()
      .line();
}

std::string member_line(const MemberRecord& member) {
  return JsonLine()
      .text("topic", member.topic)
      .text("title", member.title)
      .number("page_id", member.page_id)
      .text_or_null("qid", member.qid)
      .texts("aliases", member.aliases)
      .number("candidates", member.candidates)
      .number("evidence", member.evidence)
      .line();
}

std::string passage_line(const PassageRecord& passage) {
  return JsonLine()
      .text("_id", passage.docid)
      .text("title", one_line(passage.title))
      .text("text", one_line(passage.text))
      .begin("metadata")
      .number("page_id", passage.page_id)
      .number("ordinal", passage.ordinal)
      .texts("section", passage.section_path)
      .end()
      .line();
}

std::string votes_json(const std::vector<VoteRecord>& votes) {
  std::string out = "[";
  for (const auto& vote : votes) {
    std::string line =
        JsonLine()
            .text("judge", vote.judge)
            .raw("grade", vote.grade ? std::to_string(*vote.grade) : "null")
            .raw("probability", vote.probability ? fixed_number(*vote.probability, kProbabilityDigits) : "null")
            .text("state", vote.state)
            .text("digest", vote.digest)
            .line();
    line.pop_back();
    out += (out.size() > 1 ? "," : "") + line;
  }
  return out + "]";
}

std::string judgment_line(const JudgmentRecord& judgment) {
  JsonLine line;
  line.text("topic", judgment.topic)
      .text("docid", judgment.docid)
      .text("member", judgment.member)
      .number("member_page_id", judgment.member_page_id)
      .boolean("own_article", judgment.own_article)
      .raw("grade", judgment.grade ? std::to_string(*judgment.grade) : "null")
      .raw("probability", judgment.probability ? fixed_number(*judgment.probability, kProbabilityDigits) : "null")
      .text("state", judgment.state)
      .text("reason", judgment.reason)
      .ranges("mentions", judgment.mentions)
      .ranges("spans", judgment.spans)
      .text("judge", judgment.judge)
      .text_or_null("prompt", judgment.prompt)
      .text("digest", judgment.digest);
  if (!judgment.votes.empty()) line.raw("votes", votes_json(judgment.votes));
  if (!judgment.reply.empty()) line.text("reply", judgment.reply);
  return line.line();
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
  /// Parses the line, lets `read` take the fields, and gives the record or the first thing that was wrong.
  template <class Record, class Read>
  Result<Record, std::string> parse(std::string_view line, Read read) {
    std::string error;
    simdjson::dom::object object;
    if (!parse_object(parser, line, object, error)) return Result<Record, std::string>::failure(std::move(error));
    JsonFields fields(object, error);
    Record record;
    read(fields, record);
    if (!error.empty()) return Result<Record, std::string>::failure(std::move(error));
    return record;
  }

  simdjson::dom::parser parser;
};

CollectionLineReader::CollectionLineReader() : impl_(std::make_unique<Impl>()) {}
CollectionLineReader::~CollectionLineReader() = default;

Result<TopicRecord, std::string> CollectionLineReader::query(std::string_view line) {
  return impl_->parse<TopicRecord>(line, [](JsonFields& fields, TopicRecord& topic) {
    topic.id = fields.text("_id");
    topic.query = fields.text("text");
    JsonFields metadata = fields.object("metadata");
    topic.structured = metadata.text("structured");
    topic.page = metadata.text("page");
    topic.page_id = metadata.number("page_id");
    topic.section_path = metadata.texts("section");
    topic.column = metadata.text("column");
    topic.query_source = metadata.text("query_source");
  });
}

Result<MemberRecord, std::string> CollectionLineReader::member(std::string_view line) {
  return impl_->parse<MemberRecord>(line, [](JsonFields& fields, MemberRecord& member) {
    member.topic = fields.text("topic");
    member.title = fields.text("title");
    member.page_id = fields.number("page_id");
    member.qid = fields.text_or_null("qid");
    member.aliases = fields.texts("aliases");
    member.candidates = fields.number("candidates");
    member.evidence = fields.number("evidence");
  });
}

Result<PassageRecord, std::string> CollectionLineReader::passage(std::string_view line) {
  return impl_->parse<PassageRecord>(line, [](JsonFields& fields, PassageRecord& passage) {
    passage.docid = fields.text("_id");
    passage.title = fields.text("title");
    passage.text = fields.text("text");
    JsonFields metadata = fields.object("metadata");
    passage.page_id = metadata.number("page_id");
    passage.ordinal = static_cast<std::uint32_t>(metadata.number("ordinal", std::numeric_limits<std::uint32_t>::max()));
    passage.section_path = metadata.texts("section");
  });
}

Result<JudgmentRecord, std::string> CollectionLineReader::judgment(std::string_view line) {
  return impl_->parse<JudgmentRecord>(line, [](JsonFields& fields, JudgmentRecord& judgment) {
    judgment.topic = fields.text("topic");
    judgment.docid = fields.text("docid");
    judgment.member = fields.text("member");
    judgment.member_page_id = fields.number("member_page_id");
    judgment.own_article = fields.boolean("own_article");
    judgment.grade = fields.integer_or_null("grade", kMinGrade, kMaxGrade);
    judgment.probability = fields.number_or_null("probability");
    judgment.state = fields.text("state");
    judgment.reason = fields.text("reason");
    judgment.mentions = fields.ranges("mentions");
    judgment.spans = fields.ranges("spans");
    judgment.judge = fields.text("judge");
    judgment.prompt = fields.text_or_null("prompt");
    judgment.digest = fields.text("digest");
    if (fields.has("votes")) {
      for (auto& entry : fields.objects("votes")) {
        VoteRecord vote;
        vote.judge = entry.text("judge");
        vote.grade = entry.integer_or_null("grade", kMinGrade, kMaxGrade);
        vote.probability = entry.number_or_null("probability");
        vote.state = entry.text("state");
        vote.digest = entry.text("digest");
        judgment.votes.push_back(std::move(vote));
      }
    }
    if (fields.has("reply")) judgment.reply = fields.text("reply");
  });
}

}  // namespace touchstone::formats::internal
