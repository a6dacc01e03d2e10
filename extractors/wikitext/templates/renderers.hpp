#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <initializer_list>
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
  /// Set to false where the renderer asks for something that is not known. The call is then dropped, whatever the
  /// renderer gives.
  bool& certain;

  /// Trimmed value, empty if absent. The call is dropped if it is not known. The view is valid as long as the call.
  std::string_view get(const preprocessor::ArgumentName& argument) const {
    if (arguments.is_unknown(argument)) {
      certain = false;
      return {};
    }
    return arguments.trimmed(argument);
  }

  /// A wording of the rules' language. The call is dropped if the language has none.
  std::string_view word(std::string_view key) const {
    const auto found = rules.words.find(key);
    if (found == rules.words.end()) certain = false;
    return found == rules.words.end() ? std::string_view() : std::string_view(found->second);
  }

  /// True if the argument has text to show with `append_value`. What is not known in it shows nothing; the call is
  /// dropped if nothing of it is known.
  bool shows(const preprocessor::ArgumentName& argument) const {
    if (arguments.find_filled(argument) != nullptr) return true;
    if (arguments.is_unknown(argument)) certain = false;
    return false;
  }
};

/// Null if there is no renderer of that name.
Renderer find_renderer(std::string_view name) noexcept;
std::string renderer_names();

/// Appends `[[target|text]]` as a link that the rule made; `lead` is in front of the target.
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

/// A wording with values in the places {1}, {2}, ...
std::string phrase(std::string_view wording, std::initializer_list<std::string_view> values);

/// Appends the value of an argument in the place {1} of a wording.
void append_phrase(const RenderCall& call, std::string_view wording, const preprocessor::ArgumentName& argument,
                   preprocessor::ExpandedText& out);

/// Appends several of them, with text in front of each and between them.
void append_joined(const RenderCall& call, const std::vector<int>& positions, std::string_view before,
                   std::string_view between, preprocessor::ExpandedText& out);

/// What is in front of item `i` of `count`: "A", "A and B", "A, B, and C".
std::string_view list_separator(const RenderCall& call, std::size_t i, std::size_t count);

/// Positions of the unnamed arguments that are not empty, up to the first absent one. The call is dropped if one is
/// not known at all.
std::vector<int> positional(const RenderCall& call);

/// The same for lists of texts, in which what is not known is left out.
std::vector<int> shown_positions(const RenderCall& call);

/// True if the units and numbers that the program writes itself, which are English, are those of the rules' language.
inline bool knows_units(const RenderCall& call) {
  return call.word("units") == "English";
}

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
