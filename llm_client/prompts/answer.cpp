#include "llm_client/prompts/answer.hpp"

#include "common/ascii.hpp"
#include "common/json_tree.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
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

constexpr std::size_t kMaxQueryBytes = 500;

/// Without one full stop and one pair of quotation marks, whichever comes first.
std::string_view unwrapped(std::string_view text) noexcept {
  const auto drop_stop = [&] {
    if (!text.ends_with('.')) return false;
    text.remove_suffix(1);
    return true;
  };
  const bool stopped = drop_stop();
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
    if (!stopped) drop_stop();
  }
  return text;
}

std::string_view without_spaces_before(std::string_view text) noexcept {
  const auto at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

/// The digit of "##final score: 2", "final score: 2" or "2"; empty for anything else.
std::string_view score_digit(std::string_view text) noexcept {
  constexpr std::string_view kMark = "##", kWords = "final score";
  if (text.starts_with(kMark)) {
    text = without_spaces_before(text.substr(kMark.size()));
    if (ascii_lower(text.substr(0, kWords.size())) != kWords) return {};
  }
  if (ascii_lower(text.substr(0, kWords.size())) == kWords) {
    text = without_spaces_before(text.substr(kWords.size()));
    if (!text.starts_with(':')) return {};
    text = without_spaces_before(text.substr(1));
  }
  const bool is_digit = text.size() == 1 && text.front() >= '0' && text.front() <= '0' + kHighestGrade;
  return is_digit ? text : std::string_view{};
}

Parsed parse_line(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Parsed::failure("the answer is empty");
  if (text.find_first_of("\n\r\t") != std::string_view::npos)
    return Parsed::failure("the answer has more than one line");
  if (text.size() > kMaxQueryBytes) return Parsed::failure("the answer is longer than 500 bytes");
  Answer answer;
  answer.query = std::string(text);
  return answer;
}

/// The word (yes, no) or digit that decides, as a view into `text`; empty where `text` is not a bare answer of the
/// kind. \param text  the whole reply, without white space, fence and thoughts around it
std::string_view bare_value(AnswerKind kind, std::string_view text) noexcept {
  const auto inside = unwrapped(text);
  if (kind == AnswerKind::kScore) return score_digit(inside);
  const bool is_word = kind == AnswerKind::kYesNo && (ascii_lower(inside) == "yes" || ascii_lower(inside) == "no");
  return is_word ? inside : std::string_view{};
}

/// Reads a bare answer: published prompts ask for a word, a score or a line. \pre the kind has no schema
Parsed parse_bare(AnswerKind kind, std::string_view text) {
  if (kind == AnswerKind::kLine) return parse_line(text);
  const auto value = bare_value(kind, text);
  const bool is_score = kind == AnswerKind::kScore;
  if (value.empty())
    return Parsed::failure(is_score ? "the answer is not \"##final score:\" and a whole number from 0 to 3"
                                    : "the answer is neither \"yes\" nor \"no\"");
  Answer answer;
  answer.grade = is_score ? value.front() - '0' : ascii_lower(value) == "yes" ? 1 : 0;
  return answer;
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

const nlohmann::ordered_json& schema_json(AnswerKind kind) {
  static const auto kSchemas = [] {
    std::array<nlohmann::ordered_json, kKinds.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = parse_json_or_discard(kKinds[i].schema);
    return all;
  }();
  return kSchemas[static_cast<std::size_t>(kind)];
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
  if (!has_schema(kind)) return parse_bare(kind, object_text);
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
    const auto value = bare_value(kind, answer_object(text));
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
