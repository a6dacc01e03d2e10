#pragma once

#include <string_view>

namespace touchstone::extractors::internal {

/// The words of one language for `{{PAGENAME}}`, `{{lc:...}}` and the like, as "local=canonical" separated by '|'.
/// Canonical names in capitals are words whose case matters; the others are functions, whose case does not.
struct MagicWordData {
  std::string_view code;
  std::string_view words;
};

/// The entry of a language code (lower case); null when it has no words of its own.
const MagicWordData* find_magic_words(std::string_view code);

}  // namespace touchstone::extractors::internal
