#pragma once

#include "extractors/site/language_variants.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::inlines::internal {

/// Stands for a tag or marker in the text of a conversion rule.
inline constexpr char kTagByte = '\x7F';

/// The effect of a language conversion rule such as `-{zh-hans:a;zh-hant:b}-` for a reader who chose no variant.
struct ConversionRule {
  enum class Action : std::uint8_t { kNone, kDefine, kForget };

  /// Bytes of the rule's text that are shown. In a description of the rule, names of variants stand around them.
  struct Part {
    std::size_t begin = 0, end = 0;
    std::string before = {}, behind = {};
  };
  std::vector<Part> shown;  ///< ascending, disjoint
  bool is_wrong = false;    ///< MediaWiki shows a message; nothing is shown here
  bool converts = false;    ///< the page's definitions apply to what is shown
  Action action = Action::kNone;
  /// Words of other variants, each with the word of the wiki's own code. Views into the text; later ones win.
  std::vector<std::pair<std::string_view, std::string_view>> definitions;
};

/// Reads the text between `-{` and `}-`, in which inner rules are resolved and kTagByte stands for each tag.
///
/// \note  Linear in the length of the text.
/// Source: mediawiki.org Writing systems/Syntax (read 2025-01), checked against MediaWiki 1.39.
ConversionRule read_conversion_rule(const site::VariantLanguage& language, std::string_view text);

}  // namespace touchstone::extractors::wikitext::inlines::internal
