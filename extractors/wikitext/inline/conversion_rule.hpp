#pragma once

#include "extractors/site/language_variants.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::inlines::internal {

/// Stands for a tag or marker in the text of a form.
inline constexpr char kTagByte = '\x7F';

/// What a form such as `-{zh-hans:a;zh-hant:b}-` does for a reader who chose no variant.
struct ConversionRule {
  enum class Action : std::uint8_t { kNone, kDefine, kForget };

  /// Bytes of its text that are shown, and words around them: names of variants, in a description of the form.
  struct Part {
    std::size_t begin = 0, end = 0;
    std::string before = {}, behind = {};
  };
  std::vector<Part> shown;  ///< ascending, disjoint
  bool is_wrong = false;    ///< MediaWiki shows a message; nothing is shown here
  bool converts = false;    ///< what is shown is subject to definitions
  Action action = Action::kNone;
  /// Words of other variants and those for the wiki's own code, as views into the text; later ones count.
  std::vector<std::pair<std::string_view, std::string_view>> definitions;
};

/// Reads what stands between `-{` and `}-`, with forms inside of it resolved and kTagByte for each tag.
///
/// \note  Linear in the length of the text.
/// Source: mediawiki.org Writing systems/Syntax (read 2025-01), checked against MediaWiki 1.39.
ConversionRule read_conversion_rule(const site::VariantLanguage& language, std::string_view text);

}  // namespace touchstone::extractors::wikitext::inlines::internal
