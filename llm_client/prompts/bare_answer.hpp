#pragma once

#include "llm_client/prompts/answer.hpp"

#include <string>
#include <string_view>

/// Answers that are no JSON object: published prompts ask for a word, a score or a line.
namespace touchstone::llm_client::prompts::internal {

/// The word (yes, no) or digit that decides, as a view into `text`; empty where `text` is no bare answer of the kind.
/// \param text  the whole reply, without white space, fence and thoughts around it
std::string_view bare_value(AnswerKind kind, std::string_view text) noexcept;

/// Reads a bare answer; the reason why not, otherwise.
/// \pre the kind has no schema
Result<Answer, std::string> parse_bare(AnswerKind kind, std::string_view text);

}  // namespace touchstone::llm_client::prompts::internal
