#pragma once

#include "extractors/internal/expander.hpp"
#include "extractors/internal/rule_set.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::internal {

/// A call for a built-in renderer.
struct RenderCall {
  const CallArguments& arguments;
  std::string_view name;  ///< title of the template
  const TemplateRules::Impl& rules;

  /// Trimmed value, empty when absent.
  std::string get(std::string_view argument) const;
  std::string get(int position) const { return get(std::to_string(position)); }
};

/// Appends what the call shows to `out`; false, with `out` unchanged, when it cannot tell.
using Renderer = bool (*)(const RenderCall& call, ExpandedText& out);

/// Null when there is no renderer of that name.
Renderer find_renderer(std::string_view name) noexcept;
bool has_renderer(std::string_view name) noexcept;
std::string renderer_names();

/// Appends `[[target|text]]` as a link that the rule made.
void append_link(std::string_view target, std::string_view text, ExpandedText& out);

bool render_convert(const RenderCall& call, ExpandedText& out);
bool render_date(const RenderCall& call, ExpandedText& out);
bool render_as_of(const RenderCall& call, ExpandedText& out);
bool render_iso_date(const RenderCall& call, ExpandedText& out);
bool render_age_date(const RenderCall& call, ExpandedText& out);

}  // namespace touchstone::extractors::internal
