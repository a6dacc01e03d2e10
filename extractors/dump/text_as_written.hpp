#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::dump::internal {

/// The text of the last revision of a `<page>` element, with the tags that stand in it as they are written. An export
/// writes tags with references (`&lt;b>`); other programs leave them as they are, and an XML parser then takes them for
/// elements.
///
/// \param page  well-formed XML
std::string text_as_written(std::string_view page);

}  // namespace touchstone::extractors::dump::internal
