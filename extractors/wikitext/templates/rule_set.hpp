#pragma once

#include "extractors/wikitext/preprocessor/template_renderer.hpp"
#include "extractors/wikitext/templates/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::templates {

namespace internal {
struct RenderCall;
}

/// Appends what the call shows to `out`. Returns false when it cannot tell; what it appended then does not count.
using Renderer = bool (*)(const internal::RenderCall& call, preprocessor::ExpandedText& out);

/// What one template shows.
struct Rule {
  internal::Pattern show;             ///< wikitext that it gives; may be empty for templates that show nothing
  internal::Pattern link;             ///< when set: title that a link leads to, whose text is `show`
  std::vector<std::string> required;  ///< arguments that must not be empty, else the template is dropped
  std::vector<std::string> refused;   ///< arguments that it cannot render: with one of them the template is dropped
  Renderer renderer = nullptr;        ///< a built-in one; null for patterns
};

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using NameMap = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;

/// The rules of one language, and the names that its templates need. Filled by `add_rules`, then immutable and
/// thread-safe.
struct RuleSet final : preprocessor::TemplateRenderer {
  std::vector<Rule> rules;
  NameMap<preprocessor::RuleNumber> by_name;                                ///< template title -> its rule
  std::vector<std::pair<std::string, preprocessor::RuleNumber>> by_prefix;  ///< "Lang-" -> its rule
  NameMap<std::string> languages;                                           ///< language code -> name of the language
  NameMap<std::string> countries;                                           ///< code -> name, or "name|article"
  NameMap<std::string> words;                                               ///< what renderers write, by key
  NameMap<bool> aside;                                                      ///< templates that have no running text
  std::vector<std::string> aside_prefixes, aside_suffixes;
  std::string digest_source;  ///< all that was read

  preprocessor::RuleNumber find_rule(std::string_view title) const override;
  bool is_aside(std::string_view title) const override;
  bool is_note(preprocessor::RuleNumber number) const override;
  bool render(preprocessor::RuleNumber rule, const preprocessor::PageContext& page, std::string_view title,
              const preprocessor::CallArguments& arguments, preprocessor::ExpandedText& out) const override;

 private:
  struct CallPlace {
    const preprocessor::CallArguments& arguments;
    std::string_view title;
    const preprocessor::PageContext& page;
  };
  bool run(Renderer renderer, const CallPlace& place, preprocessor::ExpandedText& out) const;
};

}  // namespace touchstone::extractors::wikitext::templates
