#include "extractors/wikitext/inline/external_links.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace touchstone::extractors::wikitext::inlines {
using namespace scan;
using namespace tokens;
namespace {

/// Code points that host names leave out (RFC 3454, table B.1).
bool is_ignored_in_hosts(char32_t c) noexcept {
  return c == 0xAD || c == 0x34F || c == 0x1806 || (c >= 0x180B && c <= 0x180D) || (c >= 0x200B && c <= 0x200D) ||
         c == 0x2060 || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF;
}

void append_shown(std::string_view url, std::string& out) {
  const std::size_t slashes = url.find("//");
  std::size_t host_end = slashes == std::string_view::npos ? 0 : url.find('/', slashes + 2);
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
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
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

bool has_control_characters(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

/// What is left of a token behind its address and the blanks that follow it.
Token without_address(std::string_view text, Token token) noexcept {
  token.begin += static_cast<std::uint32_t>(url_length(token.in(text)));
  while (const std::size_t size = space_length(token.in(text))) token.begin += static_cast<std::uint32_t>(size);
  return token;
}

/// The token in which the address of a link ends that begins in token `first`, in front of the bracket `close`; nothing
/// when there is no address.
std::optional<std::size_t> end_of_address(std::string_view text, const Tokens& line, std::size_t first,
                                          std::size_t close) {
  const std::string_view written = line[first].in(text);
  if (!has_protocol(written)) return std::nullopt;
  // The address continues behind a category or a behavior switch.
  if (url_length(written) == written.size() && first + 1 < close && line[first + 1].kind == TokenKind::kText &&
      url_length(line[first + 1].in(text)) > 0)
    return first + 1;
  return begins_with_address(written) ? std::optional(first) : std::nullopt;
}

/// For each token where the next bracket on its line closes that is in no link of the wiki, in one look from the right.
std::vector<std::size_t> find_closes(const Tokens& line) {
  std::vector<std::size_t> next_close(line.size() + 1, line.size());
  std::size_t links = 0;
  for (std::size_t i = line.size(); i-- > 0;) {
    links += line[i].kind == TokenKind::kLinkEnd;
    links -= line[i].kind == TokenKind::kLinkBegin;
    next_close[i] = next_close[i + 1];
    if (links > 0) continue;
    if (line[i].kind == TokenKind::kBracketClose) next_close[i] = i;
    if (line[i].kind == TokenKind::kNewline) next_close[i] = line.size();
  }
  return next_close;
}

/// The bracket that closes an external link which opens at token `i`; the number of tokens if none does.
std::size_t close_of_address(std::string_view text, const Tokens& line, const std::vector<std::size_t>& next_close,
                             std::size_t i) {
  const bool may_open = line[i].kind == TokenKind::kBracketOpen && i + 1 < line.size() &&
                        line[i + 1].kind == TokenKind::kText && line[i + 1].begin == line[i].end;
  const std::size_t close = may_open ? next_close[i + 1] : line.size();
  return close < line.size() && end_of_address(text, line, i + 1, close) ? close : line.size();
}

/// True unless a text has blanks and punctuation only.
bool has_words(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<std::uint32_t>(next_code_point(text, at));
    const bool ascii = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool punctuation = c < 0xC0 || (c >= 0x2000 && c < 0x2070) || (c >= 0x3000 && c < 0x3040);
    if (ascii || !punctuation) return true;
  }
  return false;
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

bool begins_with_address(std::string_view written) noexcept {
  if (!has_protocol(written)) return false;
  const std::size_t url = url_length(written);
  const std::size_t scheme = written.find(starts_with(written, "//") ? "//" : ":");
  std::size_t scheme_end = scheme + 1;
  while (scheme_end < written.size() && written[scheme_end] == '/') ++scheme_end;
  const std::string_view behind = written.substr(url);
  if (has_control_characters(behind)) return false;
  // An angle bracket is an address for MediaWiki until it cuts it there.
  const bool cut = starts_with(behind, "<") || starts_with(behind, ">") || starts_with(behind, "&lt;") ||
                   starts_with(behind, "&gt;");
  const bool only_scheme =
      url <= scheme_end && (scheme == 0 || url <= scheme + 1 || written.substr(scheme + 1, 2) == "//");
  return !only_scheme || cut;
}

bool has_only_external_links(std::string_view text, const Tokens& line) {
  const std::vector<std::size_t> next_close = find_closes(line);
  bool found = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Token& token = line[i];
    if (const std::size_t close = close_of_address(text, line, next_close, i); close < line.size()) {
      found = true;
      i = close;
      continue;
    }
    constexpr TokenKind kShown[] = {TokenKind::kLinkBegin,  TokenKind::kPlainLink, TokenKind::kOwnedText,
                                    TokenKind::kImageBegin, TokenKind::kMarker,    TokenKind::kRaw};
    if (std::find(std::begin(kShown), std::end(kShown), token.kind) != std::end(kShown)) return false;
    if (token.kind == TokenKind::kText && has_words(token.in(text))) return false;
  }
  return found;
}

void resolve_external_links(std::string_view text, const Tokens& line, std::uint32_t& auto_numbers, Tokens& out) {
  out.clear();
  const std::vector<std::size_t> next_close = find_closes(line);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Token& token = line[i];
    const std::size_t close = close_of_address(text, line, next_close, i);
    const auto address_end = close < line.size() ? end_of_address(text, line, i + 1, close) : std::nullopt;
    if (!address_end) {
      out.push_back(token);
      continue;
    }
    out.push_back({TokenKind::kOpenTag, Tag::kInline, token.begin, token.begin, 0});
    const std::size_t before = out.size();
    const Token shown = without_address(text, line[*address_end]);
    if (shown.begin < shown.end) out.push_back(shown);
    for (std::size_t k = *address_end + 1; k < close; ++k) out.push_back(line[k]);
    if (out.size() == before) out.push_back({TokenKind::kAutoNumber, Tag::kNone, 0, 0, ++auto_numbers});
    out.push_back({TokenKind::kCloseTag, Tag::kInline, token.begin, token.begin, 0});
    i = close;
  }
}

}  // namespace touchstone::extractors::wikitext::inlines
