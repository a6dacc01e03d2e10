#include "llm_client/prompts/quotes.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace touchstone::llm_client::prompts {
namespace {

/// Text with white space folded, and for each of its bytes the code point of the original that it comes from.
struct Folded {
  std::string text;
  std::vector<std::uint32_t> code_points;
};

Folded fold(std::string_view text) {
  Folded folded;
  std::uint32_t index = 0;
  bool space = true;
  for (std::size_t at = 0; at < text.size(); ++index) {
    const std::size_t begin = at;
    const char32_t code_point = next_code_point(text, at);
    if (is_unicode_space(code_point)) {
      if (!space) folded.text.push_back(' '), folded.code_points.push_back(index);
      space = true;
      continue;
    }
    space = false;
    folded.text.append(text.substr(begin, at - begin));
    folded.code_points.resize(folded.text.size(), index);
  }
  if (!folded.text.empty() && folded.text.back() == ' ') folded.text.pop_back(), folded.code_points.pop_back();
  return folded;
}

}  // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> find_quote(std::string_view passage, std::string_view quote) {
  const Folded wanted = fold(quote);
  if (wanted.text.empty()) return std::nullopt;
  const Folded text = fold(passage);
  const auto at = text.text.find(wanted.text);
  if (at == std::string::npos) return std::nullopt;
  return std::pair(text.code_points[at], text.code_points[at + wanted.text.size() - 1] + 1);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> merge_spans(
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans) {
  std::sort(spans.begin(), spans.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> merged;
  for (const auto& span : spans) {
    if (!merged.empty() && span.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, span.second);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

}  // namespace touchstone::llm_client::prompts
