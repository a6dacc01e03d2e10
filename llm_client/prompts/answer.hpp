#pragma once

#include "common/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace touchstone::llm_client::prompts {

/// What a prompt asks for: one JSON object with exactly the fields shown, or a bare word or line.
enum class AnswerKind : std::uint8_t {
  kBinary,        ///< {"evidence": "yes" | "no"}
  kGraded,        ///< {"grade": 0 | 1 | 2 | 3}
  kSpans,         ///< {"evidence": "yes" | "no", "quotes": [texts]}
  kReason,        ///< {"evidence": "yes" | "no", "reason": text}
  kGradedReason,  ///< {"grade": 0 | 1 | 2 | 3, "reason": text}
  kQuery,         ///< {"query": text}
  kYesNo,         ///< the bare word yes or no, in any case of letters
  kScore,         ///< ##final score: 0 | 1 | 2 | 3, or the bare digit
  kLine           ///< one bare line, which is the query
};

/// By the name in a prompt's head: binary, graded, spans, reason, graded-reason, query, yes-no, score, line.
std::optional<AnswerKind> answer_kind(std::string_view name) noexcept;
/// The other way round.
std::string_view answer_kind_name(AnswerKind kind) noexcept;
/// "name one of binary, graded, ... and line"
std::string answer_kind_names();

/// JSON Schema of an answer, for servers that can be held to one. Draft 2020-12, within the subset that hosted servers
/// take: every field required, no others, no limits of length. Empty for bare answers.
std::string_view answer_schema(AnswerKind kind) noexcept;
inline bool has_schema(AnswerKind kind) noexcept {
  return !answer_schema(kind).empty();
}

/// answer_schema() parsed, once. \pre has_schema(kind)
const nlohmann::ordered_json& schema_json(AnswerKind kind);

/// True for answers that are words for a query, and so have no grade.
bool is_query(AnswerKind kind) noexcept;

/// Highest grade of a kind; grades start at 0.
int highest_grade(AnswerKind kind) noexcept;

/// Lowest grade of a kind that is evidence, where the user wants it to be `wanted`: yes is evidence whatever is wanted.
int evidence_grade(AnswerKind kind, int wanted) noexcept;

/// What a model said, read.
struct Answer {
  std::optional<int> grade;  ///< not of queries
  std::vector<std::string> quotes;
  std::string reason;
  std::string query;
};

/// Reads an answer strictly: one JSON object with exactly the fields of its kind, each once, of the right type and
/// value, and nothing around it but white space, a byte order mark, one ```json fence, or one closed <think> block in
/// front. Around a bare word, score or line, one pair of quotation marks and a full stop are allowed besides. Anything
/// else is not an answer; the reason says why. So a digit in running text is never a grade. At most 256 KiB. Pure and
/// thread-safe.
Result<Answer, std::string> parse_answer(AnswerKind kind, std::string_view text);

/// The JSON object, or what else is the answer, within `text`, by the rules of parse_answer; a view into it.
std::string_view answer_object(std::string_view text) noexcept;

/// Where the deciding value ("yes", or the digits of a grade) is in `text`, when the object begins with its field.
/// For reading token probabilities.
struct ValuePlace {
  std::size_t begin = 0, end = 0;  ///< bytes, without quotation marks
};
std::optional<ValuePlace> decisive_value(AnswerKind kind, std::string_view text) noexcept;
/// The values it can have, in order of grade: {"no", "yes"} or {"0", ...}. Of a bare word, in lower case.
std::vector<std::string> decisive_values(AnswerKind kind);

}  // namespace touchstone::llm_client::prompts
