#pragma once

#include "common/title.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/site/link_target.hpp"
#include "extractors/wikitext/preprocessor/page_context.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::tokens {

enum class TokenKind : std::uint8_t {
  kText,  ///< bytes [begin, end) of the expanded text; value: 0 or kInConversionRule
  kNewline,
  kOpenTag,  ///< attributes are [begin, end)
  kCloseTag,
  kMarker,          ///< an extension tag; value is its number, tag the block that it makes, if it makes one
  kApostrophes,     ///< two or more apostrophes
  kLinkOpen,        ///< [[
  kLinkClose,       ///< ]]
  kBracketOpen,     ///< [
  kBracketClose,    ///< ]
  kBehaviorSwitch,  ///< __NOTOC__ and the like: nothing is shown
  kPlainLink,       ///< `[[Title]]` or `[[Title|words]]` and nothing special: its text, `trail`; value as kLinkBegin
  kLinkBegin,       ///< made by the link pass: value is the number of the link, or kNoLink; its text follows
  kLinkEnd,         ///< [begin, end) are letters behind the link that belong to its text
  kOwnedText,       ///< text that is not in the buffer: value is its number in TokenContext::owned_texts
  kImageBegin,      ///< a figure or inline image, value is its number; its caption follows. tag: kFigure, or kNone
  kImageEnd,
  kAutoNumber,  ///< the number that represents an external link without text: value
  kRaw,         ///< text of an extension tag; value is its number among the raw texts of the line
};

/// Number of links that are not recorded: to the page itself, to other wikis, to special pages.
inline constexpr std::uint32_t kNoLink = 0xFFFFFFFF;

/// Marks text of a language conversion rule, in which a colon does not end a term.
inline constexpr std::uint32_t kInConversionRule = 1;

struct Token {
  TokenKind kind = TokenKind::kText;
  Tag tag = Tag::kNone;
  std::uint16_t trail = 0;  ///< kPlainLink: letters behind its brackets that belong to its text
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t value = 0;

  constexpr Token() = default;
  constexpr Token(TokenKind token_kind, Tag token_tag, std::uint32_t from, std::uint32_t to, std::uint32_t number)
      : kind(token_kind), tag(token_tag), begin(from), end(to), value(number) {}

  /// Its bytes. \\param text  what it points into
  constexpr std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }

  /// Takes blanks off the end.
  void trim_end(std::string_view text) { end = begin + static_cast<std::uint32_t>(scan::trim_right(in(text)).size()); }

  /// End of the markup that the token was made from.
  constexpr std::uint32_t written_end() const noexcept { return kind == TokenKind::kPlainLink ? end + 2 + trail : end; }
};

/// Apostrophes and brackets: shown as they are written where they turn out not to be markup.
constexpr bool is_sign(TokenKind kind) noexcept {
  return kind >= TokenKind::kApostrophes && kind <= TokenKind::kBracketClose;
}

using Tokens = std::vector<Token>;

/// True if a recorded link begins; its number is `value`.
constexpr bool shows_link(const Token& token) noexcept {
  return (token.kind == TokenKind::kPlainLink || token.kind == TokenKind::kLinkBegin) && token.value != kNoLink;
}

/// A link to a page of the wiki as the link pass found it.
struct FoundLink {
  Title target;
  std::string fragment;
  bool made = false;  ///< written by a template rule

  FoundLink() = default;
  FoundLink(site::LinkTarget&& link, bool is_made)
      : target(std::move(link.parsed.title)), fragment(std::move(link.parsed.fragment)), made(is_made) {}
  /// To a page whose title is `text` but for its first letter.
  FoundLink(std::int32_t ns, std::string_view text, char first, bool is_made)
      : target{ns, std::string(text)}, made(is_made) {
    target.text.front() = first;
  }
};

/// An image of the page as the link pass found it.
struct FoundImage {
  std::string file;  ///< title without its namespace; empty if it is not known
  Tokens caption;    ///< of an image in a line of text, whose caption is not part of the page
};

/// What all passes over the tokens of one page share: the page, and what tokens refer to by number.
struct TokenContext : preprocessor::PageContext {
  std::vector<FoundLink>& links;              ///< of all texts of the page
  std::vector<std::string> owned_texts = {};  ///< of links that show something else than what is written
  std::vector<FoundImage> images = {};

  /// Returns the number of the image.
  std::uint32_t add_image(std::string file) {
    images.push_back({std::move(file), {}});
    return static_cast<std::uint32_t>(images.size() - 1);
  }
};

/// Links of a text beside those that its tokens show (TokenContext::links).
struct LinkFindings {
  std::vector<FoundLink> hidden_links;  ///< in image options that are not shown
  std::vector<Title> categories;

  void clear() {
    hidden_links.clear();
    categories.clear();
  }
};

}  // namespace touchstone::extractors::wikitext::tokens
