#pragma once

#include <cstdint>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

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

}  // namespace touchstone::extractors::wikitext::preprocessor
