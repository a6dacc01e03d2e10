#pragma once

#include "extractors/wikitext/blocks/document_builder.hpp"
#include "extractors/wikitext/blocks/line_traits.hpp"
#include "extractors/wikitext/blocks/list_elements.hpp"
#include "extractors/wikitext/blocks/token_writer.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::blocks {

/// Reads the text line by line. The first characters of lines decide on paragraphs, lists and preformatted text;
/// external links are resolved; everything else goes to the DocumentBuilder. Source: mediawiki.org Help:Formatting,
/// Help:Lists (read 2025-01), checked against MediaWiki 1.39.
class BlockPass {
 public:
  BlockPass(const preprocessor::Expander& expander, DocumentBuilder& builder, ExtensionHandler& handler,
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
  std::string_view content(const tokens::Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

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
