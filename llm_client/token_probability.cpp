#include "llm_client/token_probability.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::llm_client {
namespace {

constexpr double kLeastMass = 0.5, kMostOpenMass = 0.02, kRounding = 1e-3;

/// Index of the only value that a text which continues like `start` can lead to, or -1.
int value_of(std::string_view start, const std::vector<std::string>& values) {
  int found = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool fits =
        start.size() < values[i].size() ? std::string_view(values[i]).starts_with(start) : start.starts_with(values[i]);
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

}  // namespace

std::optional<double> evidence_probability(AnswerKind kind, std::string_view text,
                                           const std::vector<TokenProbability>& tokens) {
  const auto place = decisive_value(kind, text);
  if (!place || tokens.empty()) return std::nullopt;
  std::size_t at = 0;
  const TokenProbability* taken = nullptr;
  std::size_t taken_begin = 0;
  for (const auto& token : tokens) {
    if (text.substr(at, token.token.size()) != token.token) {
      if (at >= text.size()) break;  // a token that only ends the reply
      return std::nullopt;
    }
    if (taken == nullptr && at + token.token.size() > place->begin) taken = &token, taken_begin = at;
    at += token.token.size();
  }
  if (at < text.size() || taken == nullptr) return std::nullopt;

  const auto values = decisive_values(kind);
  const auto lead = text.substr(taken_begin, place->begin - taken_begin);
  std::vector<double> mass(values.size(), 0);
  double listed = 0;
  bool taken_is_listed = false;
  for (const auto& [token, logprob] : taken->alternatives) {
    if (!(logprob <= kRounding)) return std::nullopt;  // also when it is no number
    const double probability = std::exp(logprob);
    listed += probability;
    if (token == taken->token) taken_is_listed = std::abs(logprob - taken->logprob) < 0.01;
    const auto part = value_part(token, lead);
    const int value = part.empty() ? -1 : value_of(part, values);
    if (value >= 0) mass[static_cast<std::size_t>(value)] += probability;
  }
  double all = 0, positive = 0;
  bool one_is_missing = false;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    all += mass[i];
    if (i > 0) positive += mass[i];
    one_is_missing |= mass[i] == 0;
  }
  if (!taken_is_listed || all < kLeastMass || listed > 1 + 0.02) return std::nullopt;
  if (one_is_missing && 1 - listed > kMostOpenMass) return std::nullopt;
  return std::clamp(positive / all, 0.0, 1.0);
}

}  // namespace touchstone::llm_client
