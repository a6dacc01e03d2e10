#pragma once

#include "extractors/site/site_info.hpp"

namespace touchstone::extractors::site {

/// True if the pages of a namespace are lists that belong to articles: "Anexo" of the Spanish Wikipedia. Their text is
/// read, as that of articles is. Source: the configuration of the Spanish, Portuguese and Asturian Wikipedias.
inline bool is_list_namespace(const SiteInfo& site, std::int32_t id) {
  const auto* found = id == kNamespaceMain ? nullptr : site.find_namespace(id);
  return found != nullptr && (found->name == "Anexo" || found->name == "Anexu");
}

}  // namespace touchstone::extractors::site
