#include "pipeline/passages/snippets.hpp"

#include "common/unicode.hpp"
#include "text/snippets.hpp"

namespace touchstone::pipeline::passages {

std::vector<Passage> cut_at_sentences(const Passage& whole, std::size_t max_words, std::size_t min_words,
                                      std::uint32_t step) {
  const std::string_view text = whole.text;
  std::uint32_t ordinal = whole.ordinal;
  // Snippets and links both ascend, so that each code point and each link is looked at once.
  std::vector<Passage> snippets;
  CodePointCounter points(text);
  auto link = whole.links.begin();
  for (auto [from, to] : text::cut_into_snippets(text, {max_words, min_words, text::SnippetWords::kByScript})) {
    while (to > from && (text[to - 1] == ' ' || text[to - 1] == '\n')) --to;
    Passage snippet;
    snippet.text = text.substr(from, to - from);
    if (is_white_space(snippet.text)) continue;
    snippet.ordinal = ordinal;
    ordinal += step;
    snippet.section_path = whole.section_path;
    const std::uint32_t begin_point = points.at_byte(from), end_point = points.at_byte(to);
    while (link != whole.links.end() && link->begin < begin_point) ++link;
    for (auto inside = link; inside != whole.links.end() && inside->begin <= end_point; ++inside) {
      if (inside->end <= end_point)
        snippet.links.push_back({inside->begin - begin_point, inside->end - begin_point, inside->target, inside->page});
    }
    snippets.push_back(std::move(snippet));
  }
  return snippets;
}

}  // namespace touchstone::pipeline::passages
