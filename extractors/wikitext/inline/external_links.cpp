#include "extractors/wikitext/inline/external_links.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace touchstone::extractors::wikitext::inlines {
using scan::has_protocol;
using scan::space_length;
using scan::starts_with;
using scan::url_length;
using tokens::Tag;
using tokens::Token;
using tokens::TokenKind;
using tokens::Tokens;
namespace {

bool has_control_characters(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

std::string_view content(std::string_view text, const Token& token) noexcept {
  return text.substr(token.begin, token.end - token.begin);
}

/// What is left of a token behind its address and the blanks that follow it.
Token without_address(std::string_view text, Token token) noexcept {
  token.begin += static_cast<std::uint32_t>(url_length(content(text, token)));
  while (const std::size_t size = space_length(content(text, token))) token.begin += static_cast<std::uint32_t>(size);
  return token;
}

/// The token in which the address of a link ends that begins in token `first`, in front of the bracket `close`; nothing
/// when there is no address.
std::optional<std::size_t> end_of_address(std::string_view text, const Tokens& line, std::size_t first,
                                          std::size_t close) {
  const std::string_view written = content(text, line[first]);
  if (!has_protocol(written)) return std::nullopt;
  // The address continues behind a category or a behavior switch.
  if (url_length(written) == written.size() && first + 1 < close && line[first + 1].kind == TokenKind::kText &&
      url_length(content(text, line[first + 1])) > 0)
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
    if (token.kind == TokenKind::kText && has_words(content(text, token))) return false;
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
