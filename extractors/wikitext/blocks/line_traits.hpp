#pragma once

#include "extractors/wikitext/tokens/html_tags.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace touchstone::extractors::internal {

/// What the tokens of a line mean for the paragraphs and lists around it, as bits. Source: BlockLevelPass of MediaWiki
/// 1.39, which looks for the tags of these elements anywhere in a line.
using LineBits = std::uint32_t;
enum : LineBits {
  kOpensBlock = 1,   ///< an element begins in which lines are no paragraphs, or a table's cell ends
  kClosesBlock = 2,  ///< such an element ends, or one begins in which lines are paragraphs
  kOpensPre = 4,
  kClosesPre = 8,
  kHasQuotation = 16,  ///< a tag of <blockquote>
  kHasQuotes = 32,     ///< runs of apostrophes
  kHasBracket = 64,    ///< what may open an external link
  kHasChange = 128,    ///< a switch, or a marker of preformatted text: the line is not shown as it is written
};

/// What one token adds to that.
struct TokenTraits {
  LineBits bits = 0;
  std::int16_t links = 0;  ///< opened
  std::int16_t opens = 0;  ///< links and captions opened
};

constexpr LineBits bits_of_tag(Tag tag, bool open) noexcept {
  switch (tag) {
    case Tag::kPre:
      return open ? kOpensBlock | kOpensPre : kClosesBlock | kClosesPre;
    case Tag::kTable:
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6:
    case Tag::kParagraph:
    case Tag::kUl:
    case Tag::kOl:
    case Tag::kDl:
      return open ? kOpensBlock : kClosesBlock;
    case Tag::kTd:
    case Tag::kTh:
      return open ? kClosesBlock : kOpensBlock;
    case Tag::kTr:
    case Tag::kCaption:
    case Tag::kDt:
    case Tag::kDd:
    case Tag::kLi:
      return kOpensBlock;
    case Tag::kBlockquote:
      return kClosesBlock | kHasQuotation;
    case Tag::kCenter:
    case Tag::kDiv:
    case Tag::kRule:
      return kClosesBlock;
    default:
      return 0;
  }
}

constexpr TokenTraits traits_of(TokenKind kind, Tag tag) noexcept {
  switch (kind) {
    case TokenKind::kOpenTag:
      return {bits_of_tag(tag, true)};
    case TokenKind::kCloseTag:
      return {bits_of_tag(tag, false)};
    case TokenKind::kMarker:
      if (tag == Tag::kNone) return {};
      return {tag == Tag::kPre  ? kClosesBlock | kHasChange
              : tag == Tag::kUl ? kOpensBlock | kClosesBlock
                                : kClosesBlock};
    case TokenKind::kSwitch:
      return {kHasChange};
    case TokenKind::kQuotes:
      return {kHasQuotes};
    case TokenKind::kBracketOpen:
      return {kHasBracket};
    case TokenKind::kLinkBegin:
      return {0, 1, 1};
    case TokenKind::kLinkEnd:
      return {0, -1, -1};
    case TokenKind::kImageBegin:
      return {tag == Tag::kFigure ? LineBits{kClosesBlock} : 0, 0, 1};
    case TokenKind::kImageEnd:
      return {tag == Tag::kFigure ? LineBits{kClosesBlock} : 0, 0, -1};
    default:
      return {};
  }
}

inline constexpr std::size_t kTokenKinds = static_cast<std::size_t>(TokenKind::kRaw) + 1;
inline constexpr std::size_t kTags = static_cast<std::size_t>(Tag::kReferences) + 1;

constexpr auto make_token_traits() {
  std::array<std::array<TokenTraits, kTags>, kTokenKinds> all{};
  for (std::size_t kind = 0; kind < kTokenKinds; ++kind) {
    for (std::size_t tag = 0; tag < kTags; ++tag)
      all[kind][tag] = traits_of(static_cast<TokenKind>(kind), static_cast<Tag>(tag));
  }
  return all;
}
inline constexpr auto kTokenTraits = make_token_traits();

/// Adds up what the tokens of a line mean, from the left to the right.
class LineReader {
 public:
  void add(const Token& token) noexcept {
    const TokenTraits traits = kTokenTraits[static_cast<std::size_t>(token.kind)][static_cast<std::size_t>(token.tag)];
    bits_ |= links_ > 0 ? bits_in_link(token, traits.bits) : traits.bits;
    links_ += traits.links;
    opens_ += traits.opens;
  }

  LineBits bits() const noexcept { return bits_; }

  /// True where a line end is a blank.
  bool in_link_or_caption() const noexcept { return opens_ > 0; }

  void start_line() noexcept { bits_ = 0; }

 private:
  /// What stands in the text of a link is put in later, when blocks mean nothing any more.
  static LineBits bits_in_link(const Token& token, LineBits bits) noexcept {
    constexpr LineBits kOfBlocks = kOpensBlock | kClosesBlock | kOpensPre | kClosesPre;
    return token.kind == TokenKind::kMarker ? bits : bits & ~kOfBlocks;
  }

  LineBits bits_ = 0;
  int links_ = 0, opens_ = 0;
};

}  // namespace touchstone::extractors::internal
