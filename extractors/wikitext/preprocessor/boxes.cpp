#include "extractors/wikitext/preprocessor/boxes.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/preprocessor/extension_tags.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace touchstone::extractors::wikitext::preprocessor {
using scan::starts_with_ignoring_case;
namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Size of the element or table at the beginning of `text`, from its opening to its closing tag; 0 if it is not closed.
std::size_t whole_size(std::string_view text, std::string_view open, std::string_view close) noexcept {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (starts_with_ignoring_case(text.substr(at), open)) {
      ++depth;
      at += open.size() - 1;
    } else if (starts_with_ignoring_case(text.substr(at), close)) {
      at += close.size() - 1;
      if (--depth == 0) return at + 1;
    }
  }
  return 0;
}

/// By what wikis in all languages write in the tags of a box.
bool looks_boxed(std::string_view element) {
  std::string lower(element);
  std::transform(lower.begin(), lower.end(), lower.begin(), scan::ascii_lower);
  constexpr std::string_view kSigns[] = {
      "border:", "border-left:", "background:", "background-color:", "float:",   "messagebox", "ambox",  "mbox",
      "navbox",  "infobox",      "sistersite",  "noprint",           "metadata", "sidebar",    "hatnote"};
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return lower.find(sign) != std::string::npos; });
}

/// Size of what is no text between boxes at the start of `text`: marks of extension tags, categories, tables. 0: none.
std::size_t unseen_size(std::string_view text) noexcept {
  if (text.front() == kMarkerByte && text.size() >= kMarkerSize) return kMarkerSize;
  if (text.starts_with("{|")) return whole_size(text, "{|", "|}");
  if (!text.starts_with("[[")) return 0;
  const std::size_t end = text.find("]]");
  return end != kNone && text.substr(0, end).find(':') != kNone ? end + 2 : 0;
}

}  // namespace

bool is_box(std::string_view text) {
  bool boxed = false;
  for (text = scan::trim_left(text); !text.empty(); text = scan::trim_left(text)) {
    std::size_t size = unseen_size(text);
    if (size == 0) {
      if (!starts_with_ignoring_case(text, "<div")) return false;
      size = whole_size(text, "<div", "</div>");
      if (size == 0 || !looks_boxed(text.substr(0, size))) return false;
      boxed = true;
    }
    text.remove_prefix(size);
  }
  return boxed;
}

std::size_t count_shown(std::string_view text) noexcept {
  std::size_t shown = 0;
  bool tag = false;
  for (const char c : text) {
    tag = (tag || c == '<') && c != '>';
    const auto byte = static_cast<unsigned char>(c);
    shown += !tag && (byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
  }
  return shown;
}

}  // namespace touchstone::extractors::wikitext::preprocessor
