#pragma once

#include "llm_client/prompts/answer.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::llm_client::prompts {

/// One token of a reply with the likeliest alternatives to it. All probabilities are natural logarithms.
struct TokenProbability {
  std::string token;
  double logprob = 0;
  std::vector<std::pair<std::string, double>> alternatives;
};

/// Probability that a passage is evidence (`evidence_grade` or more). It comes from the alternatives to the token with
/// which the answer's deciding value begins, renormalised over the values that the answer may have. Returns nothing
/// where that cannot be trusted:
/// - the tokens do not spell the text, or the value is not where the schema puts it;
/// - the token that was taken is not among its own alternatives; llama.cpp lists those of the unconstrained model under
///   a grammar;
/// - the allowed values together have less than half of the mass: the model wanted to say something else;
/// - a value is missing from the list although the list leaves more than 2 % of the mass open.
/// Pure and thread-safe. \pre `text` was read to a grade
std::optional<double> evidence_probability(AnswerKind kind, std::string_view text,
                                           const std::vector<TokenProbability>& tokens, int evidence_grade = 1);

}  // namespace touchstone::llm_client::prompts
