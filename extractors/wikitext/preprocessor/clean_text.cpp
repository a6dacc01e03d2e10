#include "extractors/wikitext/preprocessor/clean_text.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/wikitext/preprocessor/extension_tags.hpp"

namespace touchstone::extractors::wikitext::preprocessor {
using scan::find_unclean;

bool is_clean(std::string_view text) noexcept {
  for (std::size_t i = 0; (i = find_unclean(text, i)) < text.size();) {
    const std::size_t end = skip_other_than_ascii(text, i);
    if (end == i) return false;
    i = end;
  }
  return true;
}

std::string clean(std::string_view text) {
  std::string out = repair_utf8(text);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    char c = out[i];
    if (c == '\0') continue;
    if (c == kMarkerByte) c = '?';
    if (c == '\r') {
      if (i + 1 < out.size() && out[i + 1] == '\n') continue;
      c = '\n';
    }
    out[kept++] = c;
  }
  out.resize(kept);
  return out;
}

std::optional<std::string> load_clean(const PageLoader& loader, const Title& title) {
  auto text = loader.load(title);
  if (text && !is_clean(*text)) text = clean(*text);
  return text;
}

}  // namespace touchstone::extractors::wikitext::preprocessor
