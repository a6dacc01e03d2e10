#pragma once

#include <string>

namespace touchstone::analysis::presentation {

/// docs/measures.md: the table of all measures in Markdown.
std::string measures_markdown();

}  // namespace touchstone::analysis::presentation
