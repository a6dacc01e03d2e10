#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstddef>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines {

/// The caption among the options of `[[File:...|option|option]]`, and whether a reader sees it.
struct ImageCaption {
  std::size_t begin = 0, end = 0;  ///< tokens
  bool figure = false;             ///< a block of its own: framed or aligned
  bool shown = false;
};

enum class CaptionPlace : unsigned char {
  kImage,
  kGallery,  ///< a line of a gallery: only alt= and link= are options, the caption is always shown
};

/// Finds the caption among the options that the tokens from `first` on form. Splits text tokens at the pipes. Links in
/// options that are not shown, and targets of `link=`, become hidden links. Source: mediawiki.org Help:Images (read
/// 2025-01).
ImageCaption find_caption(tokens::TokenContext& context, std::string_view text, tokens::Tokens& tokens,
                          std::size_t first, CaptionPlace place, tokens::LinkFindings& findings);

/// The tokens of a caption that is not shown as text. \param caption  from `find_caption`
tokens::Tokens hidden_caption(const tokens::TokenContext& context, std::string_view text, const tokens::Tokens& tokens,
                              const ImageCaption& caption);

}  // namespace touchstone::extractors::wikitext::inlines
