#include "pipeline/answers/answer_file.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::pipeline::answers {
namespace {

/// For each code point of `text` and its end: where it is once the text is in form C. Letters below U+0300 never
/// join the text before them.
std::vector<std::uint32_t> offsets_in_nfc(std::string_view text) {
  constexpr char32_t kFirstThatMayJoin = 0x300;
  std::vector<std::uint32_t> offsets;
  std::size_t stretch_begin = 0;     // byte
  std::uint32_t before_stretch = 0;  // code points in form C
  std::size_t stretch_code_points = 0;
  const auto end_stretch = [&](std::size_t end) {
    const auto length =
        static_cast<std::uint32_t>(count_code_points(nfc(text.substr(stretch_begin, end - stretch_begin))));
    for (std::uint32_t i = 0; i < stretch_code_points; ++i) offsets.push_back(before_stretch + std::min(i, length));
    before_stretch += length;
    stretch_begin = end;
    stretch_code_points = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = at;
    if (next_code_point(text, at) < kFirstThatMayJoin) end_stretch(begin);
    ++stretch_code_points;
  }
  end_stretch(text.size());
  offsets.push_back(before_stretch);
  return offsets;
}

/// The part of an answer that a citation names; nothing if it names none.
/// \param length  of the answer in code points
std::optional<std::pair<std::uint32_t, std::uint32_t>> range_of(formats::json::FieldReader& fields,
                                                                std::uint32_t length) {
  if (!fields.has("begin") && !fields.has("end")) return std::nullopt;
  const auto most = std::numeric_limits<std::uint32_t>::max();
  const auto begin = static_cast<std::uint32_t>(fields.number("begin", most));
  const auto end = static_cast<std::uint32_t>(fields.number("end", most));
  if (begin >= end || end > length)
    fields.fail(
        fmt::format("has a citation of the code points {} to {} of an answer with {} code points; count from 0, "
                    "and set the end behind the begin and not behind the answer",
                    begin, end, length));
  return std::pair(begin, end);
}

/// The citations of the object; an empty list if it has none.
std::vector<Citation> citations_of(simdjson::dom::object object, std::string_view text, std::string& error) {
  std::vector<Citation> citations;
  simdjson::dom::element field;
  if (object["citations"].get(field) != simdjson::SUCCESS || field.is_null()) return citations;
  simdjson::dom::array list;
  if (field.get(list) != simdjson::SUCCESS) {
    error = "field \"citations\" is not a list; write docids in [ ]";
    return citations;
  }
  const auto length = static_cast<std::uint32_t>(count_code_points(text));
  for (const auto element : list) {
    std::string_view docid;
    simdjson::dom::object citation;
    if (citations.size() == kMostCitations) {
      error = fmt::format("has more than {} citations; keep those that matter", kMostCitations);
    } else if (element.get(docid) == simdjson::SUCCESS) {
      citations.push_back({std::string(docid), std::nullopt});
    } else if (element.get(citation) == simdjson::SUCCESS) {
      formats::json::FieldReader fields(citation, error, "citations.");
      auto cited = fields.text("docid");
      citations.push_back({std::move(cited), range_of(fields, length)});
    } else {
      error = "has a citation that is neither a docid nor an object with the field \"docid\"; correct it";
    }
    if (!error.empty()) return {};
  }
  return citations;
}

/// Brings the text into form C, and the offsets with it.
void normalise(Answer& answer) {
  auto text = nfc(answer.text);
  if (text == answer.text) return;
  const auto offsets = offsets_in_nfc(answer.text);
  for (auto& citation : answer.citations) {
    if (citation.range) citation.range = {offsets[citation.range->first], offsets[citation.range->second]};
  }
  answer.text = std::move(text);
}

/// Sets `error` if the line is not an answer.
Answer answer_of(simdjson::dom::parser& parser, std::string_view line, std::string& error) {
  Answer answer;
  simdjson::dom::object object;
  if (!formats::json::parse_object(parser, line, object, error)) return answer;
  formats::json::FieldReader fields(object, error);
  answer.topic = fields.text("topic");
  answer.text = fields.text("answer");
  if (!error.empty()) return answer;
  answer.citations = citations_of(object, answer.text, error);
  if (error.empty()) normalise(answer);
  return answer;
}

}  // namespace

AnswerFile read_answers(const std::filesystem::path& file, bool lenient) {
  AnswerFile found;
  std::unordered_map<std::string, std::uint64_t> lines;  // by topic
  simdjson::dom::parser parser;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        formats::fields::refuse_byte_order_mark(file, line, number);
        if (is_white_space(line)) return true;
        std::string error;
        auto answer = answer_of(parser, line, error);
        answer.line = number;
        if (error.empty()) {
          const auto [known, fresh] = lines.emplace(answer.topic, number);
          if (!fresh)
            error =
                fmt::format("has a second answer to the topic {}, after that of line {}; give each topic one answer",
                            formats::fields::quote_for_message(answer.topic), known->second);
        }
        if (error.empty()) {
          found.answers.push_back(std::move(answer));
          return true;
        }
        const auto message = fmt::format("{}:{}: {}", file.string(), number, error);
        if (!lenient) throw FormatError(message);
        if (found.skipped++ == 0) found.first_skipped = message;
        return true;
      },
      kMostAnswerBytes);
  if (found.answers.empty())
    throw FormatError(
        fmt::format("{} has no answer; write a line of JSON with topic, answer and citations for each", file.string()));
  std::sort(found.answers.begin(), found.answers.end(),
            [](const Answer& a, const Answer& b) { return a.topic < b.topic; });
  return found;
}

}  // namespace touchstone::pipeline::answers
