#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::functions::internal {

/// The result of an expression.
struct Evaluation {
  std::string text;     ///< the number as MediaWiki prints it, "" for an empty expression, or what is wrong with it
  bool failed = false;  ///< `text` is an error message
  bool holds = false;   ///< for {{#ifexpr:}}: the value is not zero
};

/// Evaluates the arithmetic of `{{#expr: ...}}` as MediaWiki does: signs bind closer than powers, all else goes from
/// left to right, numbers have at most 14 significant digits, "1.0E+25" for large ones.
/// Source: mediawiki.org Help:Extension:ParserFunctions##expr (read 2025-01), MediaWiki 1.39 as oracle.
Evaluation evaluate(std::string_view expression);

/// A number as MediaWiki prints it: 14 significant digits at most, "1.0E+25" for large ones.
std::string print_number(double number);

}  // namespace touchstone::extractors::wikitext::functions::internal
