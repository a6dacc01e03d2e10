#pragma once

#include <cstdint>

namespace touchstone::extractors::wikitext::templates {

/// Which wiki rules are read for.
enum class RuleScope : std::uint8_t {
  kWikimedia,  ///< a wiki of Wikimedia: all rules hold
  kAnyWiki,    ///< another wiki: rules of templates that only wikis of Wikimedia have do not hold
};

}  // namespace touchstone::extractors::wikitext::templates
