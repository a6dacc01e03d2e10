#include "extractors/wikitext/preprocessor/expanded_text.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/unknown_value.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {
using scan::trim;
using scan::trim_left;
using scan::trim_right;

const MadeRange* ExpandedText::search_made(std::size_t offset) const noexcept {
  const auto after = std::upper_bound(made.begin(), made.end(), offset,
                                      [](std::size_t at, const MadeRange& r) { return at < r.begin; });
  return after != made.begin() && offset < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

void append_trimmed(const ExpandedText& part, ExpandedText& out) {
  const std::string_view whole = part.text;
  std::string_view kept = trim(whole);
  // Blanks beside an unknown value at the ends go as well: it shows nothing, and they would stay alone.
  for (; is_mark(kept); kept = trim_left(kept.substr(kMarkerSize))) out.text.append(kept.substr(0, kMarkerSize));
  std::string behind;
  while (kept.size() >= kMarkerSize && is_mark(kept.substr(kept.size() - kMarkerSize))) {
    behind.insert(0, kept.substr(kept.size() - kMarkerSize));
    kept = trim_right(kept.substr(0, kept.size() - kMarkerSize));
  }
  const auto from = static_cast<std::size_t>(kept.data() - whole.data());
  const std::size_t base = out.text.size();
  out.text.append(kept).append(behind);
  for (const MadeRange& range : part.made) {
    const std::size_t begin = std::max(range.begin, from) - from;
    const std::size_t end = std::min(range.end, from + kept.size());
    if (end > from + begin) out.made.push_back({base + begin, base + end - from});
  }
}

}  // namespace touchstone::extractors::wikitext::preprocessor
