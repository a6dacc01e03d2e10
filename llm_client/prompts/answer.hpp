#pragma once

#include "common/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::prompts {

/// What a prompt asks for; each is one JSON object with exactly these fields.
enum class AnswerKind : std::uint8_t {
  kBinary,  ///< {"evidence": "yes" | "no"}
  kGraded,  ///< {"grade": 0 | 1 | 2 | 3}
  kSpans,   ///< {"evidence": "yes" | "no", "quotes": [texts]}
  kQuery    ///< {"query": text}
};

/// By the name in a prompt's head: binary, graded, spans, query.
std::optional<AnswerKind> answer_kind(std::string_view name) noexcept;
/// "name one of binary, graded, spans and query"
std::string answer_kind_names();

/// JSON Schema of an answer, for servers that can be held to one. Draft 2020-12, within the subset that hosted servers
/// take: every field required, no others, no limits of length.
std::string_view answer_schema(AnswerKind kind) noexcept;

/// Highest grade of a kind; grades start at 0, and from 1 on a passage is evidence.
int highest_grade(AnswerKind kind) noexcept;

/// What a model said, read.
struct Answer {
  std::optional<int> grade;  ///< but for kQuery
  std::vector<std::string> quotes;
  std::string query;
};

/// Reads an answer strictly: one JSON object with exactly the fields of its kind, each once, of the right type and
/// value, and nothing around it but white space, a byte order mark, one ```json fence, or one closed <think> block in
/// front. Anything else is no answer; the reason says why. So a digit in running text is never a grade. At most 256
/// KiB. Pure and thread-safe.
Result<Answer, std::string> parse_answer(AnswerKind kind, std::string_view text);

/// The JSON object within `text`, by the rules of parse_answer; a view into it.
std::string_view answer_object(std::string_view text) noexcept;

/// Where the deciding value ("yes", or the digits of a grade) stands in `text`, when the object begins with its field.
/// For reading token probabilities.
struct ValuePlace {
  std::size_t begin = 0, end = 0;  ///< bytes, without quotation marks
};
std::optional<ValuePlace> decisive_value(AnswerKind kind, std::string_view text) noexcept;
/// The values it can have, in order of grade: {"no", "yes"} or {"0", ...}.
std::vector<std::string> decisive_values(AnswerKind kind);

}  // namespace touchstone::llm_client::prompts
