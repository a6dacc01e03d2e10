#pragma once

#include "extractors/wikitext/blocks/document_builder.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace touchstone::extractors::wikitext::blocks::internal {

/// Opens and closes the elements that list markers ('*', '#', ':', ';') stand for.
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

}  // namespace touchstone::extractors::wikitext::blocks::internal
