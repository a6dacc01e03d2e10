#include "llm_client/prompts/token_probability.hpp"

#include "common/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace touchstone::llm_client::prompts {
namespace {

constexpr double kLeastMass = 0.5, kMostOpenMass = 0.02, kRounding = 1e-3;

bool is_word_byte(char c) noexcept {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
}

/// Index of the only value that a text which continues like `start` can lead to, or -1. What goes on behind a value,
/// as "Not" does behind "no", is another word.
int value_of(std::string_view start, const std::vector<std::string>& values) {
  int found = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto size = values[i].size();
    const bool fits = start.size() <= size ? std::string_view(values[i]).starts_with(start)
                                           : start.starts_with(values[i]) && !is_word_byte(start[size]);
    if (!fits) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

/// Letters of the value in a token that begins `lead` bytes before it; empty when the token says something else there.
std::string_view value_part(std::string_view token, std::string_view lead) {
  // Another token may leave out the white space or the quotation mark that the taken one brings along.
  while (!token.empty() && (token.front() == ' ' || token.front() == '"')) {
    if (lead.find(token.front()) == std::string_view::npos) return {};
    token.remove_prefix(1);
  }
  return token;
}

/// A bare word may be written in any case of letters.
std::string in_case_of(AnswerKind kind, std::string_view word) {
  return kind == AnswerKind::kYesNo ? ascii_lower(word) : std::string(word);
}

/// Where `text` begins in what the tokens spell. Before it they may spell what the server left out of the text, such as
/// a model's thoughts or white space; behind it there is room for a token that only ends the reply.
std::optional<std::size_t> answer_start(std::string_view text, const std::vector<TokenProbability>& tokens) {
  std::string spelled;
  for (const auto& token : tokens) spelled += token.token;
  const auto at = spelled.rfind(text);
  if (text.empty() || at == std::string::npos) return std::nullopt;
  const std::size_t behind = spelled.size() - at - text.size();
  const bool ends = behind == 0 || behind <= tokens.back().token.size() ||
                    spelled.find_first_not_of(" \n\r\t", at + text.size()) == std::string::npos;
  return ends ? std::optional(at) : std::nullopt;
}

}  // namespace

std::optional<double> evidence_probability(AnswerKind kind, std::string_view text,
                                           const std::vector<TokenProbability>& tokens, int evidence_grade) {
  const auto place = decisive_value(kind, text);
  const auto start = answer_start(text, tokens);
  if (!place || !start) return std::nullopt;
  const std::size_t wanted = *start + place->begin;
  const TokenProbability* taken = nullptr;
  std::size_t taken_begin = 0;
  for (std::size_t at = 0, i = 0; taken == nullptr; at += tokens[i++].token.size()) {
    if (at + tokens[i].token.size() > wanted) taken = &tokens[i], taken_begin = at;
  }
  const auto lead = std::string_view(taken->token).substr(0, wanted - taken_begin);

  const auto values = decisive_values(kind);
  std::vector<double> mass(values.size(), 0);
  double listed = 0;
  bool taken_is_listed = false;
  for (const auto& [token, logprob] : taken->alternatives) {
    if (!(logprob <= kRounding)) return std::nullopt;  // also when it is not a number
    const double probability = std::exp(logprob);
    listed += probability;
    if (token == taken->token) taken_is_listed = std::abs(logprob - taken->logprob) < 0.01;
    const auto part = value_part(token, lead);
    const int value = part.empty() ? -1 : value_of(in_case_of(kind, part), values);
    if (value >= 0) mass[static_cast<std::size_t>(value)] += probability;
  }
  double all = 0, positive = 0;
  bool one_is_missing = false;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    all += mass[i];
    if (static_cast<int>(i) >= evidence_grade) positive += mass[i];
    one_is_missing |= mass[i] == 0;
  }
  if (!taken_is_listed || all < kLeastMass || listed > 1 + 0.02) return std::nullopt;
  if (one_is_missing && 1 - listed > kMostOpenMass) return std::nullopt;
  return std::clamp(positive / all, 0.0, 1.0);
}

}  // namespace touchstone::llm_client::prompts
