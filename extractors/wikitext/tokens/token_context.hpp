#pragma once

#include "extractors/wikitext/preprocessor/page_context.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::tokens {

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

}  // namespace touchstone::extractors::wikitext::tokens
