#pragma once

#include "extractors/page_loader.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace touchstone::extractors::wikitext::preprocessor {

/// What becomes of `{{...}}`.
enum class TemplateMode : std::uint8_t {
  kDrop,    ///< nothing of a template is shown
  kRules,   ///< templates with a rule are rendered by it, all others are dropped
  kExpand,  ///< templates are expanded from their pages (WikitextOptions::loader); those without a page as kRules does
            ///< it
};

/// Bounds that keep hostile pages harmless. Reaching one is counted, never fatal.
struct WikitextLimits {
  std::size_t max_depth = 100;                            ///< nesting of templates, links, tables and tags
  std::size_t max_table_cells = 500'000;                  ///< positions of all grids of a page, spans written out
  std::size_t max_repeated_bytes = std::size_t{8} << 20;  ///< text and links of a page's cells that spans repeat
  std::size_t max_span = 1'000;                           ///< rowspan and colspan, as browsers clip them
};

struct WikitextOptions {
  TemplateMode templates = TemplateMode::kRules;
  bool collect_text = false;     ///< fill Document::text and Document::flow
  bool count_templates = false;  ///< fill Document::template_uses
  /// The moment that ages, {{#time:}} and {{CURRENTYEAR}} are counted to, in seconds since 1970 UTC: that of the dump,
  /// never that of the run. Nothing where it is not known; what depends on it is then not shown.
  std::optional<std::int64_t> now;
  const PageLoader* loader = nullptr;  ///< for kExpand; outlives the call
  WikitextLimits limits;
};

}  // namespace touchstone::extractors::wikitext::preprocessor
