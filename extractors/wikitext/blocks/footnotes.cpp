#include "extractors/wikitext/blocks/footnotes.hpp"

#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace touchstone::extractors::wikitext::blocks {
using preprocessor::Extension;
using scan::ascii_lower;
using scan::starts_with;
using scan::starts_with_ignoring_case;
using scan::trim;
using tokens::read_attributes;
namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// True when the content holds the start of another footnote that ends outside: what is read then is no footnote.
bool opens_footnote(std::string_view content) {
  constexpr int kMaxMisses = 32;  // searches for an end that is not there
  int misses = 0;
  std::size_t greater = 0;  // the next '>'
  const auto is_letter = [](char c) {
    return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = content.find('<'); at != std::string_view::npos; at = content.find('<', at)) {
    std::size_t name_end = at + 1;
    while (name_end < content.size() && is_letter(content[name_end])) ++name_end;
    const std::string_view name = content.substr(at + 1, name_end - at - 1);
    if (greater < name_end) greater = content.find('>', name_end);
    if (greater == std::string_view::npos) return false;
    if (name.empty()) {
      ++at;
      continue;
    }
    const std::size_t close =
        misses < kMaxMisses ? content.find("</" + std::string(name) + ">", greater) : std::string_view::npos;
    if (close != std::string_view::npos) {
      at = close + name.size() + 3;
      continue;
    }
    if (name.size() == 3 && starts_with_ignoring_case(name, "ref")) return true;
    ++misses;
    at = name_end;
  }
  return false;
}

}  // namespace

bool read_footnote_tag(const Extension& extension, Footnote& footnote) {
  constexpr std::array<std::string_view, 4> kKnown = {"name", "group", "follow", "dir"};
  footnote.content = extension.content;
  if (!extension.attributes.empty()) {
    std::array<std::string_view, kKnown.size()> values;
    if (!read_attributes(extension.attributes, kKnown, values)) return false;
    footnote.name = trim(values[0]);
    footnote.group = trim(values[1]);
    if (!footnote.name.empty() && std::all_of(footnote.name.begin(), footnote.name.end(), is_digit)) return false;
  }
  return extension.content.find('<') == std::string_view::npos ||
         extension.content.find("<ref") == std::string_view::npos || !opens_footnote(extension.content);
}

bool may_have_parts(std::string_view content) {
  const auto holds = [&](char first, std::initializer_list<std::string_view> behind) {
    for (std::size_t at = content.find(first); at != std::string_view::npos; at = content.find(first, at + 1)) {
      const std::string_view rest = content.substr(at + 1);
      if (std::any_of(behind.begin(), behind.end(), [&](std::string_view one) { return starts_with(rest, one); }))
        return true;
    }
    return false;
  };
  return holds('\n', {"=", "{|"}) || holds('<', {"h", "table"});
}

}  // namespace touchstone::extractors::wikitext::blocks
