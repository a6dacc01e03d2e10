#include "extractors/wikitext/preprocessor/expanded_text.hpp"

#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {
using scan::trim;
using scan::trim_left;

const MadeRange* ExpandedText::search_made(std::size_t offset) const noexcept {
  const auto after = std::upper_bound(made.begin(), made.end(), offset,
                                      [](std::size_t at, const MadeRange& r) { return at < r.begin; });
  return after != made.begin() && offset < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

void append_trimmed(const ExpandedText& part, ExpandedText& out) {
  const std::string_view whole = part.text;
  const std::size_t from = whole.size() - trim_left(whole).size();
  const std::string_view kept = trim(whole);
  const std::size_t base = out.text.size();
  out.text.append(kept);
  for (const MadeRange& range : part.made) {
    const std::size_t begin = std::max(range.begin, from) - from;
    const std::size_t end = std::min(range.end, from + kept.size());
    if (end > from + begin) out.made.push_back({base + begin, base + end - from});
  }
}

}  // namespace touchstone::extractors::wikitext::preprocessor
