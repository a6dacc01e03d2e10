#pragma once

#include "common/title.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <vector>

namespace touchstone::extractors::wikitext::inlines {

/// Links of a text beside those that its tokens show (TokenContext::links).
struct LinkFindings {
  std::vector<tokens::FoundLink> hidden_links;  ///< in image options that are not shown
  std::vector<Title> categories;

  void clear() {
    hidden_links.clear();
    categories.clear();
  }
};

}  // namespace touchstone::extractors::wikitext::inlines
