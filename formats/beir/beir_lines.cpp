#include "formats/beir/beir_lines.hpp"

#include "formats/json/json_fields.hpp"
#include "formats/text/columns.hpp"
#include "formats/text/field_text.hpp"
#include "formats/trec/qrels.hpp"

namespace touchstone::formats {

Result<QrelRecord, std::string> parse_beir_qrel(std::string_view line) {
  using Parsed = Result<QrelRecord, std::string>;
  const auto columns = internal::split_at_tabs(line, 4);
  if (columns.size() != 3) {
    return Parsed::failure("has " + (columns.size() > 3 ? "more than 3" : std::to_string(columns.size())) +
                           " columns instead of the 3 of \""
                           "query-id<TAB>corpus-id<TAB>score\"; repair the line " +
                           quote_for_message(line));
  }
  if (columns[0].empty() || columns[1].empty()) {
    return Parsed::failure("has an empty id; repair the line " + quote_for_message(line));
  }
  QrelRecord qrel{std::string(columns[0]), std::string(columns[1]), 0};
  if (!internal::parse_integer(columns[2], kMinGrade, kMaxGrade, qrel.grade)) {
    return Parsed::failure("has the score " + quote_for_message(columns[2]) + ", which is no integer from " +
                           std::to_string(kMinGrade) + " to " + std::to_string(kMaxGrade) + "; correct the score");
  }
  return qrel;
}

std::string beir_qrel_line(const QrelRecord& qrel) {
  return qrel.topic + "\t" + qrel.docid + "\t" + std::to_string(qrel.grade) + "\n";
}

struct BeirLineReader::Impl {
  simdjson::dom::parser parser;
};

BeirLineReader::BeirLineReader() : impl_(std::make_unique<Impl>()) {}
BeirLineReader::~BeirLineReader() = default;
BeirLineReader::BeirLineReader(BeirLineReader&&) noexcept = default;
BeirLineReader& BeirLineReader::operator=(BeirLineReader&&) noexcept = default;

Result<BeirDocument, std::string> BeirLineReader::document(std::string_view line) {
  std::string error;
  simdjson::dom::object object;
  if (!internal::parse_object(impl_->parser, line, object, error)) {
    return Result<BeirDocument, std::string>::failure(std::move(error));
  }
  internal::JsonFields fields(object, error);
  BeirDocument document;
  document.id = fields.text("_id");
  document.title = fields.has("title") ? fields.text_or_null("title") : "";
  document.text = fields.text("text");
  if (!error.empty()) return Result<BeirDocument, std::string>::failure(std::move(error));
  return document;
}

Result<BeirQuery, std::string> BeirLineReader::query(std::string_view line) {
  std::string error;
  simdjson::dom::object object;
  if (!internal::parse_object(impl_->parser, line, object, error)) {
    return Result<BeirQuery, std::string>::failure(std::move(error));
  }
  internal::JsonFields fields(object, error);
  BeirQuery query{fields.text("_id"), fields.text("text")};
  if (!error.empty()) return Result<BeirQuery, std::string>::failure(std::move(error));
  return query;
}

}  // namespace touchstone::formats
