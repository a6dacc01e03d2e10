#include "retrieval/run_text.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace touchstone::retrieval {

std::vector<float> internal::strictly_descending(const Ranking& ranking) {
  std::vector<float> scores;
  for (const auto& hit : ranking) {
    auto score = static_cast<float>(hit.score);
    if (!scores.empty() && !(score < scores.back()))
      score = std::nextafterf(scores.back(), -std::numeric_limits<float>::infinity());
    scores.push_back(score);
  }
  return scores;
}

std::string run_lines(const Index& index, std::string_view topic, const Ranking& ranking, std::string_view tag) {
  std::string lines;
  const auto scores = internal::strictly_descending(ranking);
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, scores[i]).ptr;
    lines.append(topic)
        .append(" Q0 ")
        .append(index.docid(ranking[i].document))
        .append(" ")
        .append(std::to_string(i + 1));
    lines.append(" ").append(digits, end).append(" ").append(tag).append("\n");
  }
  return lines;
}

}  // namespace touchstone::retrieval
