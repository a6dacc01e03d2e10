#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::internal {

/// Evaluates the arithmetic of `{{#expr: ...}}`; an empty expression gives an empty result. Nothing for expressions
/// that MediaWiki answers with an error. Source: mediawiki.org Help:Extension:ParserFunctions##expr (read 2025-01).
std::optional<double> evaluate(std::string_view expression, bool& empty);

/// A number as MediaWiki prints it: at most 14 significant digits, "1.0E+25" for large ones.
std::string format_number(double number);

}  // namespace touchstone::extractors::internal
