#pragma once

#include "llm_client/chat.hpp"

#include <optional>

namespace touchstone::llm_client {

/// Probability that a passage is evidence (grade 1 or more), from the alternatives to the token with which the answer's
/// deciding value begins, renormalised over the values that the answer may have. Nothing where that cannot be trusted:
/// - the tokens do not spell the text, or the value is not where the schema puts it;
/// - the token that was taken is not among its own alternatives, as under a grammar whose log-probabilities are those
/// of
///   the unconstrained model (llama.cpp);
/// - the allowed values together have less than half of the mass, so the model wanted to say something else;
/// - a value is missing from the list although the list leaves more than 2 % of the mass open.
/// Pure and thread-safe. \pre grade is what `text` was read to
std::optional<double> evidence_probability(AnswerKind kind, std::string_view text,
                                           const std::vector<TokenProbability>& tokens);

}  // namespace touchstone::llm_client
