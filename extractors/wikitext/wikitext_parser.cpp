#include "extractors/wikitext/wikitext_parser.hpp"

#include "extractors/wikitext/page_parser.hpp"
#include "extractors/wikitext/preprocessor/clean_text.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"
#include "extractors/wikitext/workspace.hpp"

#include <memory>
#include <string>
#include <utility>

namespace touchstone::extractors::wikitext {
using preprocessor::clean;
using preprocessor::is_clean;
using site::SiteInfo;

Document parse_wikitext(const SiteInfo& site, const TemplateRules& rules, const Title& page, std::string_view wikitext,
                        const WikitextOptions& options) {
  Document document;
  std::string repaired;
  if (!is_clean(wikitext)) {
    repaired = clean(wikitext);
    wikitext = repaired;
  }
  // Taken while in use: a PageLoader may read pages itself.
  thread_local std::unique_ptr<internal::Workspace> spare;
  std::unique_ptr<internal::Workspace> workspace = std::move(spare);
  if (workspace == nullptr) workspace = std::make_unique<internal::Workspace>();
  internal::PageParser(site, rules.rule_set(), page, options, *workspace, document).parse(wikitext);
  if (workspace->is_small()) spare = std::move(workspace);
  return document;
}

}  // namespace touchstone::extractors::wikitext
