#pragma once

#include "extractors/wikitext/blocks/document_builder.hpp"
#include "extractors/wikitext/blocks/token_writer.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::blocks::internal {

/// Opens and closes the elements that list markers ('*', '#', ':', ';') represent.
class ListElements {
 public:
  explicit ListElements(DocumentBuilder& builder) : builder_(builder) {}

  /// A list with its first item.
  void open(char marker);
  /// The next item of the innermost list.
  void next(char marker);
  void close(char marker);

  /// True if the last definition list has an open term.
  bool in_term() const noexcept { return in_term_; }

 private:
  tokens::Tag open_item(char marker) const noexcept;

  DocumentBuilder& builder_;
  bool in_term_ = false;
};

struct TermEnd {
  std::size_t token = 0;
  std::uint32_t byte = 0;  ///< of the text
};

/// The colon between a term and its definition: the first one outside of links, tags, URLs and language conversion
/// rules.
///
/// \param text  what the tokens point into
std::optional<TermEnd> find_term_end(std::string_view text, std::span<const tokens::Token> line, std::size_t from);

/// Effects of a line's tokens on the paragraphs and lists around it, as bits. Source: BlockLevelPass of MediaWiki
/// 1.39, which looks for the tags of these elements anywhere in a line.
using LineBits = std::uint32_t;
enum : LineBits {
  kOpensBlock = 1,   ///< an element begins in which lines are not paragraphs, or a table's cell ends
  kClosesBlock = 2,  ///< such an element ends, or one begins in which lines are paragraphs
  kOpensPre = 4,
  kClosesPre = 8,
  kHasQuotation = 16,    ///< a tag of <blockquote>
  kHasApostrophes = 32,  ///< runs of apostrophes
  kHasBracket = 64,      ///< what may open an external link
  kHasChange = 128,      ///< a behavior switch, or a marker of preformatted text: the line must be changed
};

/// Effects of one token.
struct TokenTraits {
  LineBits bits = 0;
  std::int16_t links = 0;  ///< opened
  std::int16_t opens = 0;  ///< links and captions opened
};

constexpr LineBits bits_of_tag(tokens::Tag tag, bool open) noexcept {
  switch (tag) {
    case tokens::Tag::kPre:
      return open ? kOpensBlock | kOpensPre : kClosesBlock | kClosesPre;
    case tokens::Tag::kTable:
    case tokens::Tag::kH1:
    case tokens::Tag::kH2:
    case tokens::Tag::kH3:
    case tokens::Tag::kH4:
    case tokens::Tag::kH5:
    case tokens::Tag::kH6:
    case tokens::Tag::kParagraph:
    case tokens::Tag::kUl:
    case tokens::Tag::kOl:
    case tokens::Tag::kDl:
      return open ? kOpensBlock : kClosesBlock;
    case tokens::Tag::kTd:
    case tokens::Tag::kTh:
      return open ? kClosesBlock : kOpensBlock;
    case tokens::Tag::kTr:
    case tokens::Tag::kCaption:
    case tokens::Tag::kDt:
    case tokens::Tag::kDd:
    case tokens::Tag::kLi:
      return kOpensBlock;
    case tokens::Tag::kBlockquote:
      return kClosesBlock | kHasQuotation;
    case tokens::Tag::kCenter:
    case tokens::Tag::kDiv:
    case tokens::Tag::kRule:
      return kClosesBlock;
    default:
      return 0;
  }
}

constexpr TokenTraits traits_of(tokens::TokenKind kind, tokens::Tag tag) noexcept {
  switch (kind) {
    case tokens::TokenKind::kOpenTag:
      return {bits_of_tag(tag, true)};
    case tokens::TokenKind::kCloseTag:
      return {bits_of_tag(tag, false)};
    case tokens::TokenKind::kMarker:
      if (tag == tokens::Tag::kNone) return {};
      return {tag == tokens::Tag::kPre  ? kClosesBlock | kHasChange
              : tag == tokens::Tag::kUl ? kOpensBlock | kClosesBlock
                                        : kClosesBlock};
    case tokens::TokenKind::kBehaviorSwitch:
      return {kHasChange};
    case tokens::TokenKind::kApostrophes:
      return {kHasApostrophes};
    case tokens::TokenKind::kBracketOpen:
      return {kHasBracket};
    case tokens::TokenKind::kLinkBegin:
      return {0, 1, 1};
    case tokens::TokenKind::kLinkEnd:
      return {0, -1, -1};
    case tokens::TokenKind::kImageBegin:
      return {tag == tokens::Tag::kFigure ? LineBits{kClosesBlock} : 0, 0, 1};
    case tokens::TokenKind::kImageEnd:
      return {tag == tokens::Tag::kFigure ? LineBits{kClosesBlock} : 0, 0, -1};
    default:
      return {};
  }
}

inline constexpr std::size_t kTokenKinds = static_cast<std::size_t>(tokens::TokenKind::kRaw) + 1;
inline constexpr std::size_t kTags = static_cast<std::size_t>(tokens::Tag::kReferences) + 1;

constexpr auto make_token_traits() {
  std::array<std::array<TokenTraits, kTags>, kTokenKinds> all{};
  for (std::size_t kind = 0; kind < kTokenKinds; ++kind) {
    for (std::size_t tag = 0; tag < kTags; ++tag)
      all[kind][tag] = traits_of(static_cast<tokens::TokenKind>(kind), static_cast<tokens::Tag>(tag));
  }
  return all;
}
inline constexpr auto kTokenTraits = make_token_traits();

/// Sums up the effects of a line's tokens, from left to right.
class LineReader {
 public:
  void add(const tokens::Token& token) noexcept {
    const TokenTraits traits = kTokenTraits[static_cast<std::size_t>(token.kind)][static_cast<std::size_t>(token.tag)];
    bits_ |= links_ > 0 ? bits_in_link(token, traits.bits) : traits.bits;
    links_ += traits.links;
    opens_ += traits.opens;
  }

  LineBits bits() const noexcept { return bits_; }

  /// True if a line end at this place is a blank.
  bool in_link_or_caption() const noexcept { return opens_ > 0; }

  void start_line() noexcept { bits_ = 0; }

 private:
  /// MediaWiki inserts the text of links after it has found blocks, so block elements in them have no effect.
  static LineBits bits_in_link(const tokens::Token& token, LineBits bits) noexcept {
    constexpr LineBits kOfBlocks = kOpensBlock | kClosesBlock | kOpensPre | kClosesPre;
    return token.kind == tokens::TokenKind::kMarker ? bits : bits & ~kOfBlocks;
  }

  LineBits bits_ = 0;
  int links_ = 0, opens_ = 0;
};

}  // namespace touchstone::extractors::wikitext::blocks::internal

namespace touchstone::extractors::wikitext::blocks {

/// Reads the text line by line. The first characters of lines decide on paragraphs, lists and preformatted text;
/// external links are resolved; everything else goes to the DocumentBuilder. Source: mediawiki.org Help:Formatting,
/// Help:Lists (read 2025-01), checked against MediaWiki 1.39.
class BlockPass {
 public:
  BlockPass(const preprocessor::Expander& expander, DocumentBuilder& builder, const ExtensionHandler& handler,
            std::uint32_t& auto_numbers)
      : expander_(expander),
        builder_(builder),
        writer_(expander, builder, handler),
        auto_numbers_(auto_numbers),
        lists_(builder) {}

  /// Makes no paragraphs of lines, as in a list item. To be called before `run`.
  void without_paragraphs() noexcept { in_block_ = true; }

  /// \param tokens  from the link pass; apostrophe runs in them are resolved
  /// \param gaps    offsets in `text` at which a sentence lacks words, ascending
  void run(std::string_view text, tokens::Tokens& tokens, std::span<const std::size_t> gaps);

 private:
  void change_line();
  void take_made_line();
  void add_pre(const preprocessor::Extension& extension);
  void end_line(bool last);
  void replace_external_links();
  void list_line(std::string_view prefix, std::size_t& from);
  void paragraph_line(std::size_t from, bool blank, bool starts_with_blank);
  void find_quotation();
  void close_paragraph();
  std::string take_markers(std::size_t first);
  bool is_blank(std::size_t from) const;

  const preprocessor::Expander& expander_;
  DocumentBuilder& builder_;
  internal::TokenWriter writer_;
  std::uint32_t& auto_numbers_;

  std::string_view text_;
  std::span<tokens::Token> line_;  ///< in the tokens of `run`, or in `made_line_` when it had to be changed
  tokens::Tokens made_line_, scratch_;
  internal::LineBits bits_ = 0;  ///< of `line_`
  bool only_addresses_ = false;  ///< `line_` is nothing but external links

  // State from line to line.
  enum class Paragraph : std::uint8_t { kNone, kParagraph, kPre };
  enum class Pending : std::uint8_t { kNone, kOpen, kReopen };
  internal::ListElements lists_;
  std::string last_prefix_;
  bool in_pre_ = false;
  bool in_block_ = false;
  bool in_blockquote_ = false;
  Paragraph paragraph_ = Paragraph::kNone;
  Pending pending_ = Pending::kNone;
};

}  // namespace touchstone::extractors::wikitext::blocks
