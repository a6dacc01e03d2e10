#pragma once

#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/template_rules.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors {

/// What becomes of `{{...}}`.
enum class TemplateMode : std::uint8_t {
  kDrop,    ///< nothing of a template is shown
  kRules,   ///< templates with a rule are rendered by it, all others are dropped
  kExpand,  ///< templates are expanded from their pages (WikitextOptions::loader); those without a page as kRules does
            ///< it
};

/// Gives the wikitext of pages that others include. Implementations are thread-safe.
class PageLoader {
 public:
  virtual ~PageLoader() = default;

  /// The wikitext of the page, or nothing when the wiki has no such page.
  virtual std::optional<std::string> load(const Title& title) const = 0;

  /// Whether the wiki has the page, for {{#ifexist:}}; also for pages whose text is not at hand.
  virtual bool exists(const Title& title) const { return load(title).has_value(); }
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

/// The moment that a text such as "2026-05-31", "20260531" or "2026-05-31T12:00:00Z" names; nothing for all else.
std::optional<std::int64_t> read_fixed_moment(std::string_view text);

/// The date in the name of a dump's file ("enwiki-20260101-pages-articles.xml.bz2"), or nothing.
std::optional<std::int64_t> moment_of_dump(std::string_view file_name);

/// Reads the wikitext of one page into a Document.
///
/// \param page      the page's own title: for subpage links, self links and {{PAGENAME}}
/// \param wikitext  UTF-8 (invalid bytes become U+FFFD); not kept after return
/// \note  Pure and thread-safe; linear in the length of the text; never throws on input.
/// Source: mediawiki.org Help:Formatting, Help:Links, Help:Tables, Markup spec (read 2025-01), and MediaWiki 1.39 as
/// oracle.
Document parse_wikitext(const SiteInfo& site, const TemplateRules& rules, const Title& page, std::string_view wikitext,
                        const WikitextOptions& options = {});

}  // namespace touchstone::extractors
