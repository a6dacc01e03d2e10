#include "collection/evidence/judgment_json.hpp"

#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/trec/qrels.hpp"

#include <optional>
#include <string_view>

namespace touchstone::collection::evidence {
namespace {

using formats::json::FieldReader;
using formats::trec::kMaxGrade;
using formats::trec::kMinGrade;

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
    fields.fail("has the state " + formats::fields::quote_for_message(name) +
                "; docs/collection.md lists the states; correct it");
  }
  return JudgmentState::kFailed;
}

CandidateSource source_from(FieldReader& fields) {
  const std::string name = fields.text("source");
  const auto source = candidate_source_of(name);
  if (!source)
    fields.fail("has the source " + formats::fields::quote_for_message(name) +
                "; docs/collection.md lists the sources; correct it");
  return source.value_or(CandidateSource::kLink);
}

}  // namespace

std::string judgment_line(const JudgmentRecord& judgment, ProbabilityDigits digits) {
  JsonWriter out({.escapes = JsonEscapes::kLineBreaks});
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
  if (!judgment.votes.empty()) {
    out.key("votes").begin_array();
    for (const auto& vote : judgment.votes) write_vote(out, vote, digits);
    out.end_array();
  }
  if (!judgment.reply.empty()) out.field("reply", judgment.reply);
  return out.end_object().take_line();
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
  return judgment;
}

}  // namespace touchstone::collection::evidence
