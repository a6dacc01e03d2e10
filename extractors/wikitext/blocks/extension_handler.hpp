#pragma once

#include "extractors/wikitext/preprocessor/extension_tags.hpp"

namespace touchstone::extractors::wikitext::blocks {

/// Receives the extension tags that the page's parser handles.
class ExtensionHandler {
 public:
  virtual ~ExtensionHandler() = default;

  /// Called in page order for tags whose content is wikitext: footnotes, galleries, poems, image maps, indicators.
  virtual void on_extension(const preprocessor::Extension& extension) = 0;
};

}  // namespace touchstone::extractors::wikitext::blocks
