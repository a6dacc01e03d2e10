#pragma once

#include <span>
#include <string_view>

namespace touchstone::extractors::wikitext::templates {

/// A file of configs/templates/ as it was when the program was built.
struct BuiltinRules {
  std::string_view language;
  std::string_view source;
};

std::span<const BuiltinRules> builtin_rules();

}  // namespace touchstone::extractors::wikitext::templates
