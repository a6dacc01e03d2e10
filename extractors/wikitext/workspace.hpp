#pragma once

#include "extractors/wikitext/inline/link_findings.hpp"
#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/preprocessor/extension_tags.hpp"
#include "extractors/wikitext/preprocessor/markup_tree.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace touchstone::extractors::wikitext::internal {

/// Buffers for one text, used again for the next.
struct Scratch {
  preprocessor::ExpandedText expanded;
  std::vector<std::uint64_t> stops;  ///< of the tokenizer
  tokens::Tokens tokens, linked;
  inlines::LinkFindings findings;
};

/// Memory that the pages of one thread use in turn, since most pages need about as much as the one before.
struct Workspace {
  std::deque<Scratch> scratch;                 ///< by nesting
  std::deque<preprocessor::MarkupTree> trees;  ///< by nesting
  std::vector<tokens::FoundLink> links;        ///< see tokens::TokenContext
  std::vector<preprocessor::Extension> extensions;

  /// False if a huge page made it large; such a workspace is not kept.
  bool is_small() const noexcept;
};

}  // namespace touchstone::extractors::wikitext::internal
