#include "extractors/wikitext/preprocessor/expanded_text.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace touchstone::extractors::wikitext::preprocessor {
using namespace scan;
using site::LanguageWords;

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

void take_out_behavior_switches(const LanguageWords& words, ExpandedText& expanded) {
  constexpr std::size_t kMaxBytes = 64;
  std::string& text = expanded.text;
  const std::string_view source = text;
  std::string out;
  std::size_t copied = 0;
  std::vector<std::pair<std::size_t, std::size_t>> removed;  // where a switch ended, and the bytes removed up to there
  for (std::size_t at = source.find("__"); at != std::string_view::npos; at = source.find("__", at)) {
    const std::size_t close = source.substr(0, std::min(source.size(), at + kMaxBytes)).find("__", at + 2);
    const std::size_t end = close == std::string_view::npos ? at : close + 2;
    if (end == at ||
        words.behavior_switches.find(lower_case(source.substr(at, end - at))) == words.behavior_switches.end()) {
      ++at;
      continue;
    }
    const auto is_edge = [&](std::size_t i) { return i >= source.size() || is_trimmed(source[i]); };
    const bool line_start = at == 0 || source[at - 1] == '\n';
    const bool table_follows =
        end < source.size() && std::string_view("{|!:").find(source[end]) != std::string_view::npos;
    constexpr std::string_view kTableMarks[] = {"||", "!!", "{|", "|}", "|-", "|+"};
    const bool makes_table =
        at > 0 && end < source.size() && std::any_of(std::begin(kTableMarks), std::end(kTableMarks), [&](auto marks) {
          return source[at - 1] == marks[0] && source[end] == marks[1];
        });
    if (!(is_edge(at - 1) && is_edge(end)) && !(line_start && table_follows) && !makes_table) {
      out.append(source.substr(copied, at - copied));
      copied = end;
      removed.emplace_back(end, end - out.size());
    }
    at = end;
  }
  if (removed.empty()) return;
  out.append(source.substr(copied));
  const auto moved = [&](std::size_t offset) {
    const auto next = std::upper_bound(removed.begin(), removed.end(), offset,
                                       [](std::size_t o, const auto& r) { return o < r.first; });
    return next == removed.begin() ? offset : offset - std::prev(next)->second;
  };
  for (MadeRange& range : expanded.made) range = {moved(range.begin), moved(range.end)};
  for (std::size_t& gap : expanded.gaps) gap = moved(gap);
  text = std::move(out);
}

}  // namespace touchstone::extractors::wikitext::preprocessor
