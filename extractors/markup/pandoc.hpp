#pragma once

#include "extractors/markup/rendered_page.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::markup {

/// Whether the program `pandoc` is on the PATH.
bool pandoc_is_installed();

/// Its name and version, "pandoc 2.17"; "pandoc, not installed" where it is missing.
std::string pandoc_version();

/// Renders a document with the program `pandoc`, which may neither read other files nor the network. It gets 512 MiB of
/// memory and a minute. The title is that of the document. Footnotes and tables of contents are left out. Thread-safe.
/// Throws StorageError if no temporary file can be written.
/// \param format   as pandoc calls it: "rst"
/// \param problem  why it cannot be converted; stays empty for a good one
RenderedPage render_with_pandoc(std::string_view bytes, std::string_view format, std::string& problem);

}  // namespace touchstone::extractors::markup
