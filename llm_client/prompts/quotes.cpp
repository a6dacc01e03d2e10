#include "llm_client/prompts/quotes.hpp"

#include "common/unicode.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace touchstone::llm_client::prompts {
namespace {

/// Text with white space folded, and for each of its bytes where it comes from in the original.
struct Folded {
  std::string text;
  std::vector<std::size_t> offsets;
};

Folded fold(std::string_view text) {
  Folded folded;
  text::for_each_word(text, text::between_spaces, [&](const text::Word& word) {
    if (!folded.text.empty()) folded.text.push_back(' '), folded.offsets.push_back(word.begin);
    folded.text.append(word.of(text));
    for (auto at = word.begin; at < word.end; ++at) folded.offsets.push_back(at);
  });
  return folded;
}

}  // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> find_quote(std::string_view passage, std::string_view quote) {
  const Folded wanted = fold(quote);
  if (wanted.text.empty()) return std::nullopt;
  const Folded text = fold(passage);
  const auto at = text.text.find(wanted.text);
  if (at == std::string::npos) return std::nullopt;
  CodePointCounter points(passage);
  const auto begin = points.at_byte(text.offsets[at]);
  return std::pair(begin, points.at_byte(text.offsets[at + wanted.text.size() - 1] + 1));
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
