#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <string_view>

namespace touchstone::extractors::internal {

/// Renders a call of the template `name` (title without namespace) on `page` by `rule` into `out`. False, with `out`
/// unchanged, when the rule cannot render these arguments.
bool render_rule(const Rule& rule, const PageContext& page, std::string_view name, const CallArguments& arguments,
                 ExpandedText& out);

}  // namespace touchstone::extractors::internal
