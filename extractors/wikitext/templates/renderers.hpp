#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::templates::internal {

/// A call for a built-in renderer.
struct RenderCall {
  const preprocessor::CallArguments& arguments;
  std::string_view name;  ///< title of the template
  const preprocessor::PageContext& page;
  const RuleSet& rules;

  /// Trimmed value, empty if absent. The view is valid as long as the call.
  std::string_view get(const preprocessor::ArgumentName& argument) const { return arguments.trimmed(argument); }
};

/// Null if there is no renderer of that name.
Renderer find_renderer(std::string_view name) noexcept;
std::string renderer_names();

/// Appends `[[target|text]]` as a link that the rule made; `lead` stands in front of the target.
void append_link(std::string_view lead, std::string_view target, std::string_view text,
                 preprocessor::ExpandedText& out);
inline void append_link(std::string_view target, std::string_view text, preprocessor::ExpandedText& out) {
  append_link({}, target, text, out);
}

/// Appends the expanded, trimmed value of an argument.
inline void append_value(const RenderCall& call, const preprocessor::ArgumentName& argument,
                         preprocessor::ExpandedText& out) {
  call.arguments.expand_trimmed(argument, out);
}

/// Appends several of them, with text in front of each and between them.
void append_joined(const RenderCall& call, const std::vector<int>& positions, std::string_view before,
                   std::string_view between, preprocessor::ExpandedText& out);

/// Positions of the unnamed arguments that are not empty, up to the first absent one.
std::vector<int> positional(const RenderCall& call);

bool render_age(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_age_date(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_as_of(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_chinese(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_convert(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_coordinates(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_country(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_country_icon(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_country_name(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_date(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_date_list(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_fraction(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_in_language(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_ipa(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_ipa_english(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_iso_date(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_language(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_national_team(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_native_name(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_nihongo(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_number(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_value(const RenderCall& call, preprocessor::ExpandedText& out);
bool render_years(const RenderCall& call, preprocessor::ExpandedText& out);

}  // namespace touchstone::extractors::wikitext::templates::internal
