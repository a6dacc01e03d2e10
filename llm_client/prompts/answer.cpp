#include "llm_client/prompts/answer.hpp"

#include "llm_client/prompts/bare_answer.hpp"
#include "text/words.hpp"

#include <array>
#include <utility>

#include <simdjson.h>

namespace touchstone::llm_client::prompts {
namespace {

constexpr std::size_t kMaxAnswerBytes = std::size_t{256} << 10;
constexpr std::size_t kMaxQuotes = 64;
constexpr int kHighestGrade = 3;

struct KindInfo {
  std::string_view name;
  int highest_grade = 0;
  bool is_query = false;
  std::string_view field, detail;  ///< of the object: the deciding one, and one more or none
  std::string_view schema;         ///< empty: a bare answer
};
constexpr std::array<KindInfo, 9> kKinds = {{
    {"binary", 1, false, "evidence", "",
     R"({"type":"object","properties":{"evidence":{"type":"string","enum":["yes","no"]}},"required":["evidence"],"additionalProperties":false})"},
    {"graded", kHighestGrade, false, "grade", "",
     R"({"type":"object","properties":{"grade":{"type":"integer","enum":[0,1,2,3]}},"required":["grade"],"additionalProperties":false})"},
    {"spans", 1, false, "evidence", "quotes",
     R"({"type":"object","properties":{"evidence":{"type":"string","enum":["yes","no"]},"quotes":{"type":"array","items":{"type":"string"}}},"required":["evidence","quotes"],"additionalProperties":false})"},
    {"reason", 1, false, "evidence", "reason",
     R"({"type":"object","properties":{"evidence":{"type":"string","enum":["yes","no"]},"reason":{"type":"string"}},"required":["evidence","reason"],"additionalProperties":false})"},
    {"graded-reason", kHighestGrade, false, "grade", "reason",
     R"({"type":"object","properties":{"grade":{"type":"integer","enum":[0,1,2,3]},"reason":{"type":"string"}},"required":["grade","reason"],"additionalProperties":false})"},
    {"query", 0, true, "query", "",
     R"({"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false})"},
    {"yes-no", 1, false, {}, {}, {}},
    {"score", kHighestGrade, false, {}, {}, {}},
    {"line", 0, true, {}, {}, {}},
}};

const KindInfo& info_of(AnswerKind kind) noexcept {
  return kKinds[static_cast<std::size_t>(kind)];
}

constexpr std::string_view kJsonSpaces = " \t\n\r";

bool is_json_space(char c) noexcept {
  return kJsonSpaces.find(c) != std::string_view::npos;
}

using Parsed = Result<Answer, std::string>;

/// Reads one field into `answer`; the reason why not, or nothing.
std::string read_field(AnswerKind kind, std::string_view name, simdjson::dom::element value, Answer& answer) {
  const auto& info = info_of(kind);
  std::string_view text;
  if (name == info.field && name == "evidence") {
    if (value.get_string().get(text) != simdjson::SUCCESS || (text != "yes" && text != "no"))
      return "\"evidence\" is neither \"yes\" nor \"no\"";
    answer.grade = text == "yes" ? 1 : 0;
    return {};
  }
  if (name == info.field && name == "grade") {
    std::int64_t grade = 0;
    if (!value.is_int64() || value.get_int64().get(grade) != simdjson::SUCCESS || grade < 0 || grade > kHighestGrade)
      return "\"grade\" is not a whole number from 0 to 3";
    answer.grade = static_cast<int>(grade);
    return {};
  }
  if (name == info.field && name == "query") {
    if (value.get_string().get(text) != simdjson::SUCCESS || text::trimmed(text, kJsonSpaces).empty())
      return "\"query\" is no text, or empty";
    if (text.find_first_of("\n\r\t") != std::string_view::npos) return "\"query\" has more than one line";
    answer.query = std::string(text::trimmed(text, kJsonSpaces));
    return {};
  }
  if (name == info.detail && name == "quotes") {
    simdjson::dom::array quotes;
    if (value.get_array().get(quotes) != simdjson::SUCCESS) return "\"quotes\" is not a list";
    for (const auto quote : quotes) {
      if (quote.get_string().get(text) != simdjson::SUCCESS) return "\"quotes\" holds something that is no text";
      if (answer.quotes.size() == kMaxQuotes) return "\"quotes\" holds more than 64 texts";
      answer.quotes.emplace_back(text);
    }
    return {};
  }
  if (name == info.detail && name == "reason") {
    if (value.get_string().get(text) != simdjson::SUCCESS) return "\"reason\" is no text";
    answer.reason = std::string(text::trimmed(text, kJsonSpaces));
    return {};
  }
  return "there is a field \"" + std::string(name.substr(0, 40)) + "\" that was not asked for";
}

}  // namespace

std::optional<AnswerKind> answer_kind(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].name == name) return static_cast<AnswerKind>(i);
  }
  return std::nullopt;
}

std::string_view answer_kind_name(AnswerKind kind) noexcept {
  return info_of(kind).name;
}

std::string answer_kind_names() {
  std::string names = "name one of ";
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    names += (i == 0 ? "" : i + 1 < kKinds.size() ? ", " : " and ") + std::string(kKinds[i].name);
  return names;
}

std::string_view answer_schema(AnswerKind kind) noexcept {
  return info_of(kind).schema;
}

bool is_query(AnswerKind kind) noexcept {
  return info_of(kind).is_query;
}

int highest_grade(AnswerKind kind) noexcept {
  return info_of(kind).highest_grade;
}

int evidence_grade(AnswerKind kind, int wanted) noexcept {
  return highest_grade(kind) > 1 ? wanted : 1;
}

std::string_view answer_object(std::string_view text) noexcept {
  constexpr std::string_view kMark = "\xEF\xBB\xBF", kOpenThink = "<think>", kCloseThink = "</think>", kFence = "```";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  text = text::trimmed(text, kJsonSpaces);
  if (text.starts_with(kOpenThink)) {
    const auto close = text.find(kCloseThink);
    if (close != std::string_view::npos) text = text::trimmed(text.substr(close + kCloseThink.size()), kJsonSpaces);
  }
  if (text.starts_with(kFence) && text.ends_with(kFence) && text.size() >= 2 * kFence.size()) {
    auto inside = text.substr(kFence.size(), text.size() - 2 * kFence.size());
    if (inside.starts_with("json")) inside.remove_prefix(4);
    // llama.cpp's own grammar lets the object follow at once.
    if (!inside.empty() && (is_json_space(inside.front()) || inside.front() == '{'))
      text = text::trimmed(inside, kJsonSpaces);
  }
  return text;
}

Parsed parse_answer(AnswerKind kind, std::string_view text) {
  if (text.size() > kMaxAnswerBytes) return Parsed::failure("the answer is longer than 256 KiB");
  const auto object_text = answer_object(text);
  if (object_text.empty()) return Parsed::failure("the answer is empty");
  if (!has_schema(kind)) return internal::parse_bare(kind, object_text);
  thread_local simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(object_text.data(), object_text.size()).get_object().get(object) != simdjson::SUCCESS)
    return Parsed::failure("the answer is not one JSON object");
  const std::size_t wanted = info_of(kind).detail.empty() ? 1 : 2;
  Answer answer;
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : object) {
    for (const auto& before : seen) {
      if (before == name) return Parsed::failure("the field \"" + std::string(name.substr(0, 40)) + "\" occurs twice");
    }
    if (auto reason = read_field(kind, name, value, answer); !reason.empty()) return Parsed::failure(std::move(reason));
    seen.push_back(name);
  }
  if (seen.size() != wanted) return Parsed::failure("the object lacks a field that was asked for");
  return answer;
}

std::optional<ValuePlace> decisive_value(AnswerKind kind, std::string_view text) noexcept {
  if (is_query(kind)) return std::nullopt;
  if (!has_schema(kind)) {
    const auto value = internal::bare_value(kind, answer_object(text));
    if (value.empty()) return std::nullopt;
    const auto begin = static_cast<std::size_t>(value.data() - text.data());
    return ValuePlace{begin, begin + value.size()};
  }
  const bool graded = info_of(kind).field == "grade";
  const auto object = answer_object(text);
  std::size_t at = static_cast<std::size_t>(object.data() - text.data());
  const auto skip_space = [&] {
    while (at < text.size() && is_json_space(text[at])) ++at;
  };
  const auto skip = [&](std::string_view wanted) {
    skip_space();
    if (text.substr(at, wanted.size()) != wanted) return false;
    at += wanted.size();
    return true;
  };
  if (!skip("{") || !skip(graded ? "\"grade\"" : "\"evidence\"") || !skip(":")) return std::nullopt;
  skip_space();
  if (!graded && !skip("\"")) return std::nullopt;
  ValuePlace place{at, at};
  const auto is_value = [&](char c) { return graded ? c >= '0' && c <= '9' : c >= 'a' && c <= 'z'; };
  while (place.end < text.size() && is_value(text[place.end])) ++place.end;
  if (place.end == place.begin) return std::nullopt;
  return place;
}

std::vector<std::string> decisive_values(AnswerKind kind) {
  if (is_query(kind)) return {};
  if (highest_grade(kind) == 1) return {"no", "yes"};
  return {"0", "1", "2", "3"};
}

}  // namespace touchstone::llm_client::prompts
