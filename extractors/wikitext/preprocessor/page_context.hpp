#pragma once

#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/preprocessor/template_renderer.hpp"
#include "extractors/wikitext/preprocessor/wikitext_options.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {

/// What the parse of one page reads and counts, shared by all its parts.
struct PageContext {
  const site::SiteInfo& site;
  const TemplateRenderer& renderer;
  const Title& page;
  const WikitextOptions& options;
  DocumentCounters counters = {};
  std::vector<std::string_view> templates_used = {};  ///< may hold a name several times
  std::map<std::string, TemplateUse> template_uses = {};
  std::map<std::string, std::uint32_t> call_errors = {};  ///< by message; only if calls are counted
};

}  // namespace touchstone::extractors::wikitext::preprocessor
