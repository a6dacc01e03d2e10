#include "extractors/wikitext/preprocessor/page_text.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/site/link_target.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::wikitext::preprocessor {
using namespace scan;
using namespace site;
namespace {

/// Bytes at the start of the text that are the word in any case; 0 when it is not there. Some letters have more bytes
/// in lower case.
std::size_t length_in_any_case(std::string_view text, std::string_view lower_word) {
  std::string lower;
  std::size_t size = 0;
  while (size < text.size() && lower.size() < lower_word.size()) {
    const std::size_t begin = size;
    next_code_point(text, size);
    lower += lower_case(text.substr(begin, size - begin));
    if (!starts_with(lower_word, lower)) return 0;
  }
  return lower == lower_word ? size : 0;
}

}  // namespace

bool is_clean(std::string_view text) noexcept {
  return find_stop(Stop::kUnclean, text, 0) == text.size() && is_valid_utf8(text);
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

std::optional<Redirect> read_redirect(const SiteInfo& site, const Title& page, std::string_view wikitext) {
  std::string_view rest = trim_left(wikitext);
  if (rest.empty() || rest.front() != '#') return std::nullopt;
  std::size_t length = 0;
  for (const std::string& word : site.words().redirect) length = std::max(length, length_in_any_case(rest, word));
  if (length == 0) return std::nullopt;
  rest = trim_left(rest.substr(length));
  if (!rest.empty() && rest.front() == ':') rest = trim_left(rest.substr(1));
  if (!starts_with(rest, "[[")) return std::nullopt;
  const std::size_t end = rest.find("]]");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inner = rest.substr(2, end - 2);
  LinkTarget target;
  if (!read_link_target(site, page, inner.substr(0, inner.find('|')), false, target)) return std::nullopt;
  ParsedTitle& parsed = target.parsed;
  const bool local = parsed.interwiki.empty();
  if (local && parsed.title.text.empty()) return std::nullopt;
  Redirect redirect{std::nullopt, std::move(parsed.fragment), trim_left(rest.substr(end + 2))};
  if (local && parsed.title.ns >= 0) redirect.target = std::move(parsed.title);
  return redirect;
}

}  // namespace touchstone::extractors::wikitext::preprocessor
