#pragma once

#include "extractors/wikitext/templates/rule_scope.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::templates {

/// Adds the rules of one file to `rules`; they win over rules of the same name that it has already.
///
/// \param source  the file's text, TOML; the head of configs/templates/common.toml explains the form
/// \param file    its name, for messages
/// \param scope   which wiki the rules are for
/// Throws ConfigError (what, file, line).
void add_rules(RuleSet& rules, std::string_view source, const std::string& file, RuleScope scope);

}  // namespace touchstone::extractors::wikitext::templates
