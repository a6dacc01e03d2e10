#pragma once

#include "extractors/internal/expander.hpp"

#include <string_view>

namespace touchstone::extractors::internal {

/// Renders a call of the template `name` (title without namespace) by its rule into `out`. False, with `out` unchanged,
/// when there is no rule or the rule cannot render these arguments.
bool render_by_rule(Expander& expander, std::string_view name, const CallArguments& arguments, ExpandedText& out);

}  // namespace touchstone::extractors::internal
