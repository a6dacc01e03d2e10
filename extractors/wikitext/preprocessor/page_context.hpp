#pragma once

#include "extractors/document.hpp"
#include "extractors/page_loader.hpp"
#include "extractors/site/site_info.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  bool* asks_now = nullptr;  ///< set if the page depends on `now`; of one page at a time, and outlives the call
  const PageLoader* loader = nullptr;  ///< for kExpand; outlives the call
  WikitextLimits limits;
};

class CallArguments;
struct ExpandedText;
struct PageContext;

/// Number of a rule of a TemplateRenderer.
using RuleNumber = std::uint32_t;
inline constexpr RuleNumber kNoRule = 0xFFFFFFFF;

/// Shows templates without expanding their pages. The expander asks it; the rules of templates/ are the implementation.
/// Const members are thread-safe.
class TemplateRenderer {
 public:
  virtual ~TemplateRenderer() = default;

  /// The rule that shows the template of this title (without namespace), or kNoRule.
  virtual RuleNumber find_rule(std::string_view title) const = 0;

  /// True for templates that are known to have no running text: boxes, notes, marks for editors.
  virtual bool is_aside(std::string_view title) const = 0;

  /// True for the rules of notes that lead to other pages, such as {{main}}.
  virtual bool is_note(RuleNumber rule) const = 0;

  /// Appends what a call of the template `title` on `page` shows by `rule`. Returns false, with `out` unchanged, when
  /// the rule cannot show these arguments.
  virtual bool render(RuleNumber rule, const PageContext& page, std::string_view title, const CallArguments& arguments,
                      ExpandedText& out) const = 0;
};

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

  /// The present, for what is shown by it.
  std::optional<std::int64_t> now() const {
    if (options.asks_now != nullptr) *options.asks_now = true;
    return options.now;
  }
};

}  // namespace touchstone::extractors::wikitext::preprocessor
