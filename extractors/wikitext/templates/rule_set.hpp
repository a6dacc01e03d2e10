#pragma once

#include "extractors/wikitext/template_rules.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::extractors::internal {

/// A text with holes for arguments, such as `{1}[ ({2})]`: `{a/b:text}` is the first of the arguments a and b that is
/// not empty, else the text; what stands in square brackets is left out when one of its arguments is empty; `\` takes
/// the next character as it is.
struct Pattern {
  struct Piece {
    enum class Kind : std::uint8_t { kText, kArgument, kGroupBegin, kGroupEnd } kind = Kind::kText;
    std::string text;  ///< kText; for kArgument the text that stands for an empty one
    bool has_default = false;
    std::vector<std::string> names;  ///< kArgument
    std::size_t group_end = 0;       ///< kGroupBegin: index of its end
  };
  std::vector<Piece> pieces;

  bool empty() const noexcept { return pieces.empty(); }
};

/// Reads a pattern. \param problem  set when the text is none
Pattern read_pattern(std::string_view text, std::string& problem);

struct RenderCall;
struct ExpandedText;

/// Appends what the call shows to `out`; false, with `out` unchanged, when it cannot tell.
using Renderer = bool (*)(const RenderCall& call, ExpandedText& out);

/// What one template shows.
struct Rule {
  Pattern show;                       ///< wikitext that it gives; may be empty for templates that show nothing
  Pattern link;                       ///< when set: title that a link leads to, whose text is `show`
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

}  // namespace touchstone::extractors::internal

namespace touchstone::extractors {

struct TemplateRules::Impl {
  std::vector<internal::Rule> rules;
  internal::NameMap<std::uint32_t> by_name;                      ///< template title -> index of its rule
  std::vector<std::pair<std::string, std::uint32_t>> by_prefix;  ///< "Lang-" -> index of its rule
  internal::NameMap<std::string> languages;                      ///< language code -> name of the language
  internal::NameMap<std::string> countries;                      ///< code -> name, or "name|article"
  internal::NameMap<bool> aside;  ///< templates that have no running text: boxes, notes, marks for editors
  std::vector<std::string> aside_prefixes, aside_suffixes;
  std::string digest_source;  ///< all that was read

  const internal::Rule* find(std::string_view title) const;
  bool is_aside(std::string_view title) const;
};

}  // namespace touchstone::extractors
