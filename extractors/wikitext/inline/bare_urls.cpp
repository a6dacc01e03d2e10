#include "extractors/wikitext/inline/bare_urls.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"

#include <algorithm>
#include <cctype>

namespace touchstone::extractors::wikitext::inlines {
using scan::decode_reference;
using scan::has_protocol;
using scan::starts_with;
using scan::url_length;
namespace {

/// Code points that host names leave out (RFC 3454, table B.1).
bool is_ignored_in_hosts(char32_t c) noexcept {
  return c == 0xAD || c == 0x34F || c == 0x1806 || (c >= 0x180B && c <= 0x180D) || (c >= 0x200B && c <= 0x200D) ||
         c == 0x2060 || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF;
}

void append_shown(std::string_view url, std::string& out) {
  const std::size_t slashes = url.find("//");
  std::size_t host_end = slashes == std::string_view::npos ? 0 : url.find('/', slashes + 2);
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (std::size_t i = 0; i < url.size();) {
    std::string piece;
    std::size_t size = url[i] == '&' ? decode_reference(url.substr(i), piece) : 0;
    if (size == 0) {
      std::size_t end = i;
      next_code_point(url, end);
      size = end - i;
      piece.assign(url.substr(i, size));
    }
    std::size_t begin = 0;
    const char32_t c = piece.empty() ? U'\0' : next_code_point(piece, begin);
    constexpr std::string_view kEscaped = "[]<>\"|";
    if (c <= 0x20 || c == 0x7F || (c < 0x80 && kEscaped.find(static_cast<char>(c)) != std::string_view::npos)) {
      out.push_back('%');
      out.push_back(kDigits[c >> 4U]);
      out.push_back(kDigits[c & 15U]);
    } else if (i >= host_end || !is_ignored_in_hosts(c)) {
      out.append(url.substr(i, size));
    }
    i += size;
  }
}

/// Bytes that an address does not begin right behind.
bool is_word(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

}  // namespace

std::size_t bare_url_length(std::string_view text, std::size_t begin) {
  if (begin > 0 && is_word(text[begin - 1])) return 0;
  text.remove_prefix(begin);
  if (!has_protocol(text) || starts_with(text, "//")) return 0;
  std::size_t size = url_length(text);
  const bool parenthesis = text.substr(0, size).find('(') != std::string_view::npos;
  while (size > 0) {
    const char last = text[size - 1];
    const bool ends = std::string_view(",;.:!?").find(last) != std::string_view::npos || (last == ')' && !parenthesis);
    if (!ends) break;
    if (last == ';') {  // the end of a character reference belongs to the address
      constexpr std::size_t kMostBytes = 40;
      const std::size_t from = size - std::min(size, kMostBytes);
      std::size_t ampersand = text.substr(from, size - from).rfind('&');
      if (ampersand != std::string_view::npos) ampersand += from;
      std::string decoded;
      if (ampersand != std::string_view::npos && decode_reference(text.substr(ampersand), decoded) == size - ampersand)
        break;
    }
    --size;
  }
  const std::size_t scheme = text.find(':');
  std::size_t host = scheme + 1;
  while (host < size && text[host] == '/') ++host;
  return host < size ? size : 0;
}

bool may_change_urls(std::string_view text) noexcept {
  const bool marks = text.find('|') != std::string_view::npos || text.find('&') != std::string_view::npos;
  return marks && text.find("://") != std::string_view::npos;
}

std::string show_bare_urls(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = bare_url_length(text, i);
    if (size > 0) {
      append_shown(text.substr(i, size), out);
      i += size;
    } else {
      out.push_back(text[i++]);
    }
  }
  return out;
}

}  // namespace touchstone::extractors::wikitext::inlines
