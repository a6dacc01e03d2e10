#pragma once

#include "extractors/page_loader.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace touchstone::extractors::wikitext::preprocessor {

/// How `{{...}}` is treated.
enum class TemplateMode : std::uint8_t {
  kDrop,    ///< templates show nothing
  kRules,   ///< templates with a rule are rendered by the rule, all others are dropped
  kExpand,  ///< templates are expanded from their pages (WikitextOptions::loader); without a page, as kRules
};

/// Bounds that make hostile pages harmless. Reaching one is counted and never fatal.
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
  /// The present of ages, {{#time:}} and {{CURRENTYEAR}}, in seconds since 1970 UTC. It is the time of the dump, never
  /// that of the run. If it is absent, what depends on it is not shown.
  std::optional<std::int64_t> now;
  const PageLoader* loader = nullptr;  ///< for kExpand; outlives the call
  WikitextLimits limits;
};

}  // namespace touchstone::extractors::wikitext::preprocessor
