#pragma once

#include <string>

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// A formula in one line, as one writes it in running text: "x^2 + a/b", "√(x + 1)", "sin x". Presentation MathML, and
/// the common operators of content MathML, whatever else is named with its arguments: "max(a, b)". Annotations, which
/// say the same twice, are left out. Pure. Source: w3.org/TR/MathML3.
std::string math_text(const xmlNode* math);

/// The formula that an element shows: of <math>, of MediaWiki's element around a formula, and of its picture. Empty for
/// other elements.
std::string formula_of(const xmlNode* element);

}  // namespace touchstone::extractors::html
