#pragma once

#include "extractors/wikitext/blocks/document_builder.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::blocks {

/// Called in page order for extension tags whose content is wikitext: footnotes, galleries, poems, image maps,
/// indicators.
using ExtensionHandler = std::function<void(const preprocessor::Extension&)>;

}  // namespace touchstone::extractors::wikitext::blocks

namespace touchstone::extractors::wikitext::blocks::internal {

/// Hands the tokens of lines to the DocumentBuilder, and extension tags among them to their handler.
class TokenWriter {
 public:
  TokenWriter(const preprocessor::Expander& expander, DocumentBuilder& builder, const ExtensionHandler& handler)
      : expander_(expander), builder_(builder), handler_(handler) {}

  /// \param text  what the tokens point into; outlives their writing
  /// \param gaps  offsets in it at which a sentence lacks words, ascending; outlive it as well
  void start_text(std::string_view text, std::span<const std::size_t> gaps) {
    text_ = text;
    gaps_ = gaps;
    next_url_ = std::min(text.find("://"), text.size());
  }

  /// Writes some tokens. Those of a text come in ascending order.
  void write(std::span<const tokens::Token> line);

  /// A token for text of an extension tag, which must live until `clear_raw`. \param literal  holds no references
  tokens::Token add_raw(std::string_view text, bool literal);
  void clear_raw() noexcept {
    raw_.clear();
    raw_literal_.clear();
  }

  /// Content of a tag that is shown verbatim, without markers. Only {{#tag:}} makes content that contains markers.
  std::string_view as_it_stands(std::string_view content);

  /// Keeps `text` alive as long as this object.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  bool may_hold_url(const tokens::Token& token);
  std::string_view shown_text(const tokens::Token& token);
  void write_around_gaps(const tokens::Token& token);
  void write_token(const tokens::Token& token);
  void write_tag(const tokens::Token& token);
  void write_marker(const preprocessor::Extension& extension);
  void begin_image(const tokens::Token& token);
  void write_hidden_caption(const tokens::Tokens& caption);
  void write_hidden_token(const tokens::Token& token);
  void find_footnotes(std::string_view attributes);

  const preprocessor::Expander& expander_;
  DocumentBuilder& builder_;
  const ExtensionHandler& handler_;
  std::string_view text_;
  std::span<const std::size_t> gaps_;  ///< those that no block has yet
  std::size_t next_url_ = 0;           ///< the first "://" behind the text that was written
  std::vector<std::string_view> raw_;
  std::vector<bool> raw_literal_;
  std::deque<std::string> kept_;
};

}  // namespace touchstone::extractors::wikitext::blocks::internal
