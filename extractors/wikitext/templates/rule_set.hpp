#pragma once

#include "common/text_map.hpp"
#include "extractors/wikitext/preprocessor/page_context.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::templates {

/// Which wiki rules are read for.
enum class RuleScope : std::uint8_t {
  kWikimedia,  ///< a wiki of Wikimedia: all rules hold
  kAnyWiki,    ///< another wiki: rules of templates that only wikis of Wikimedia have do not hold
};

/// When rules of templates that only wikis of Wikimedia have are used.
enum class WikimediaRules : std::uint8_t {
  kAuto,  ///< if the address of the wiki is one of Wikimedia's, or not known
  kOn,
  kOff,
};

RuleScope scope_of(WikimediaRules choice, const site::SiteInfo& site);

namespace internal {

struct RenderCall;

/// A text with holes for arguments, such as `{1}[ ({2})]`. `{a/b:text}` is the first of the arguments a and b that is
/// not empty, else the text. The part in square brackets is left out if one of its arguments is empty. `\` escapes the
/// next character.
struct Pattern {
  struct Piece {
    enum class Kind : std::uint8_t { kText, kArgument, kGroupBegin, kGroupEnd } kind = Kind::kText;
    std::string text;  ///< kText; for kArgument the text that represents an empty one
    bool has_default = false;
    std::vector<std::string> names;  ///< kArgument
    std::size_t group_end = 0;       ///< kGroupBegin: index of its end
  };
  std::vector<Piece> pieces;

  bool empty() const noexcept { return pieces.empty(); }
};

}  // namespace internal

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

/// The rules of one language that say what a template shows or links to (`configs/templates/<language>.toml`), and the
/// names that its templates need. Immutable after loading and thread-safe.
struct RuleSet final : preprocessor::TemplateRenderer {
  /// The built-in rules of `language` and, on top of them, rule files in order: a later rule of the same name wins.
  /// Throws ConfigError (what, file, line, remedy).
  static RuleSet load(std::string_view language, std::span<const std::filesystem::path> files,
                      RuleScope scope = RuleScope::kWikimedia);

  /// The rules compiled into the program for `language`, on top of those of "common".
  static RuleSet built_in(std::string_view language, RuleScope scope = RuleScope::kWikimedia);

  /// Digest of the built-in rules of all languages.
  static std::string built_in_digest();

  /// Digest of all rules, for stage fingerprints.
  std::string digest() const;

  std::vector<Rule> rules;
  TextMap<preprocessor::RuleNumber> by_name;                                ///< template title -> its rule
  std::vector<std::pair<std::string, preprocessor::RuleNumber>> by_prefix;  ///< "Lang-" -> its rule
  TextMap<std::string> languages;                                           ///< language code -> name of the language
  TextMap<std::string> countries;                                           ///< code -> name, or "name|article"
  TextMap<std::string> words;                                               ///< what renderers write, by key
  TextMap<bool> aside;                                                      ///< templates that have no running text
  std::vector<std::string> aside_prefixes, aside_suffixes;
  std::string digest_source;  ///< all that was read

  preprocessor::RuleNumber find_rule(std::string_view title) const override;
  bool is_aside(std::string_view title) const override;
  bool is_note(preprocessor::RuleNumber number) const override;
  bool render(preprocessor::RuleNumber rule, const preprocessor::PageContext& page, std::string_view title,
              const preprocessor::CallArguments& arguments, preprocessor::ExpandedText& out) const override;
};

/// A file of configs/templates/ as it was when the program was built.
struct BuiltinRules {
  std::string_view language;
  std::string_view source;
};

std::span<const BuiltinRules> builtin_rules();

}  // namespace touchstone::extractors::wikitext::templates
