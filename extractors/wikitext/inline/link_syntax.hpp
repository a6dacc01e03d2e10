#pragma once

#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines::internal {

/// A link as written. Numbers are indices of tokens, or bytes of the text.
struct WrittenLink {
  std::size_t open = 0;  ///< the opening token
  std::uint32_t target_begin = 0, target_end = 0;
  bool has_pipe = false;
  std::size_t text_token = 0;    ///< token that the text begins in
  std::uint32_t text_begin = 0;  ///< byte where the text begins
  std::size_t close = 0;         ///< the closing token; `end` if it is missing
  bool extra_bracket = false;    ///< "]]]" closes an external link in the text, too
  bool bracket_text = false;     ///< "|]]]]": the text is the first bracket, and the last one is behind the link
  std::uint32_t mark = 0;        ///< number of the first unknown value in the target; 0 if the target is known
};

/// What is known of the target of a link.
struct KnownTarget {
  std::string text;      ///< only if a part of the target is not known
  bool unknown = false;  ///< the page is not known; if only the section is not, the link leads to the page
};

/// \param target  of `written`, with marks for what is not known
KnownTarget known_target(std::string_view target, const WrittenLink& written);

/// How a target is shown in a link that never ends: with its percent-encoding decoded.
std::string shown_target(std::string_view target);

/// True at the beginning of `[[...]]`.
inline bool opens_link(const tokens::Token& token) noexcept {
  return token.kind == tokens::TokenKind::kLinkOpen || token.kind == tokens::TokenKind::kPlainLink;
}

/// Finds where links begin and end among the tokens of one text.
class LinkSyntax {
 public:
  /// \param made_links_nest  whether links that a template rule made may be in a link's text
  LinkSyntax(const preprocessor::ExpandedText& expanded, const tokens::Tokens& tokens, bool made_links_nest)
      : expanded_(expanded), text_(expanded.text), tokens_(tokens), made_links_nest_(made_links_nest) {}

  /// Reads the link whose "[[" is token `open` and that ends before token `end`. Returns false when no target is
  /// there or nothing can close it.
  bool read(std::size_t open, std::size_t end, WrittenLink& written) const;

  /// The "]]" that closes an image whose caption holds links, counted from the next "[[" on; `end` when it is missing.
  ///
  /// \param limit  set behind what was looked at
  std::size_t find_image_close(std::size_t from, std::size_t end, std::size_t& limit) const;

 private:
  std::size_t behind_made(std::size_t open, std::size_t end) const;

  const preprocessor::ExpandedText& expanded_;
  std::string_view text_;
  const tokens::Tokens& tokens_;
  bool made_links_nest_;
};

}  // namespace touchstone::extractors::wikitext::inlines::internal
