#include "extractors/wikitext/blocks/list_elements.hpp"

#include "extractors/wikitext/inline/bare_urls.hpp"

#include <cctype>

namespace touchstone::extractors::wikitext::blocks::internal {
using inlines::bare_url_length;
using tokens::kInConversionRule;
using tokens::Tag;
using tokens::Token;
using tokens::TokenKind;
namespace {

/// True for `<br/>`; to MediaWiki, `<br>` is a tag that never ends when it looks for the colon behind a term.
bool ends_itself(std::string_view text, const Token& tag) noexcept {
  return (tag.tag == Tag::kBreak || tag.tag == Tag::kRule) && tag.end < text.size() && text[tag.end] == '/';
}

/// The number of language conversion rules ("-{zh-hans:...}-") that a text opens, minus those that it closes.
int variants_opened(std::string_view text) noexcept {
  int opened = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '-' && text[i + 1] == '{') ++opened;
    if (text[i] == '}' && text[i + 1] == '-') --opened;
  }
  return opened;
}

/// The first colon outside of URLs and language conversion rules; `variants` counts the open rules from text to text.
std::size_t find_colon(std::string_view text, int& variants) {
  std::size_t looked = 0;
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    variants += variants_opened(text.substr(looked, at - looked));
    looked = at;
    if (variants > 0) continue;
    std::size_t scheme = at;
    while (scheme > 0 && std::isalpha(static_cast<unsigned char>(text[scheme - 1]))) --scheme;
    const std::size_t url = scheme < at ? bare_url_length(text, scheme) : 0;
    if (url == 0) return at;
    at = scheme + url - 1;
  }
  variants += variants_opened(text.substr(looked));
  return std::string_view::npos;
}

}  // namespace

void ListElements::open(char marker) {
  switch (marker) {
    case '*':
      builder_.open(Tag::kUl, {});
      builder_.open(Tag::kLi, {});
      break;
    case '#':
      builder_.open(Tag::kOl, {});
      builder_.open(Tag::kLi, {});
      break;
    case ':':
      builder_.open(Tag::kDl, {});
      builder_.open(Tag::kDd, {});
      break;
    default:
      builder_.open(Tag::kDl, {});
      builder_.open(Tag::kDt, {});
      in_term_ = true;
      break;
  }
}

void ListElements::next(char marker) {
  if (marker == '*' || marker == '#') {
    builder_.close(Tag::kLi);
    builder_.open(Tag::kLi, {});
    return;
  }
  builder_.close(in_term_ ? Tag::kDt : Tag::kDd);
  in_term_ = marker == ';';
  builder_.open(in_term_ ? Tag::kDt : Tag::kDd, {});
}

void ListElements::close(char marker) {
  if (marker == '*' || marker == '#') {
    builder_.close(Tag::kLi);
    builder_.close(marker == '*' ? Tag::kUl : Tag::kOl);
    return;
  }
  builder_.close(in_term_ ? Tag::kDt : Tag::kDd);
  in_term_ = false;
  builder_.close(Tag::kDl);
}

std::optional<TermEnd> find_term_end(std::string_view text, std::span<const Token> line, std::size_t from) {
  std::size_t depth = 0;
  int variants = 0;
  bool bold = false;
  bool italic = false;
  for (std::size_t i = from; i < line.size(); ++i) {
    const Token& t = line[i];
    switch (t.kind) {
      case TokenKind::kLinkBegin:
      case TokenKind::kImageBegin:
        ++depth;
        break;
      case TokenKind::kLinkEnd:
      case TokenKind::kImageEnd:
        --depth;
        break;
      case TokenKind::kOpenTag:
        if (t.value == 2 || t.value == 5) italic = !italic;
        if (t.value == 3 || t.value == 5) bold = !bold;
        if (t.value == 0 && !ends_itself(text, t)) ++depth;
        break;
      case TokenKind::kCloseTag:
        if (depth > 0) --depth;
        break;
      case TokenKind::kText: {
        if (depth > 0 || bold || italic || t.value == kInConversionRule) break;
        const std::size_t colon = find_colon(text.substr(t.begin, t.end - t.begin), variants);
        if (colon != std::string_view::npos) return TermEnd{i, t.begin + static_cast<std::uint32_t>(colon)};
        break;
      }
      default:
        break;
    }
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
