#include "formats/beir/beir_lines.hpp"

#include "common/json_writer.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"

#include <utility>

namespace touchstone::formats::beir {

using fields::quote_for_message;
using trec::kMaxGrade;
using trec::kMinGrade;
using trec::QrelRecord;

Result<QrelRecord, std::string> parse_qrel(std::string_view line) {
  using Parsed = Result<QrelRecord, std::string>;
  const auto columns = fields::split_at_tabs(line, 4);
  if (columns.size() != 3) {
    return Parsed::failure("has " + (columns.size() > 3 ? "more than 3" : std::to_string(columns.size())) +
                           " columns instead of the 3 of \"query-id<TAB>corpus-id<TAB>score\"; repair the line " +
                           quote_for_message(line));
  }
  if (columns[0].empty() || columns[1].empty()) {
    return Parsed::failure("has an empty id; repair the line " + quote_for_message(line));
  }
  QrelRecord qrel{std::string(columns[0]), std::string(columns[1]), 0};
  if (!fields::parse_integer(columns[2], kMinGrade, kMaxGrade, qrel.grade)) {
    return Parsed::failure("has the score " + quote_for_message(columns[2]) + ", which is no integer from " +
                           std::to_string(kMinGrade) + " to " + std::to_string(kMaxGrade) + "; correct the score");
  }
  return qrel;
}

std::string qrel_line(const QrelRecord& qrel) {
  return qrel.topic + "\t" + qrel.docid + "\t" + std::to_string(qrel.grade) + "\n";
}

std::string qrel_json_line(const QrelRecord& qrel) {
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  return json.begin_object()
      .field("query-id", qrel.topic)
      .field("corpus-id", qrel.docid)
      .field("score", qrel.grade)
      .end_object()
      .take_line();
}

struct LineReader::Impl {
  simdjson::dom::parser parser;
};

LineReader::LineReader() : impl_(std::make_unique<Impl>()) {}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

Result<Document, std::string> LineReader::document(std::string_view line) {
  using Parsed = Result<Document, std::string>;
  std::string error;
  simdjson::dom::object object;
  if (!json::parse_object(impl_->parser, line, object, error)) return Parsed::failure(std::move(error));
  json::FieldReader fields(object, error);
  Document document;
  document.id = fields.text("_id");
  document.title = fields.has("title") ? fields.text_or_null("title") : "";
  document.text = fields.text("text");
  if (!error.empty()) return Parsed::failure(std::move(error));
  return document;
}

Result<Query, std::string> LineReader::query(std::string_view line) {
  using Parsed = Result<Query, std::string>;
  std::string error;
  simdjson::dom::object object;
  if (!json::parse_object(impl_->parser, line, object, error)) return Parsed::failure(std::move(error));
  json::FieldReader fields(object, error);
  Query query{fields.text("_id"), fields.text("text")};
  if (!error.empty()) return Parsed::failure(std::move(error));
  return query;
}

}  // namespace touchstone::formats::beir
