#pragma once

#include "formats/html/html.hpp"
#include "formats/svg/chart.hpp"

#include <filesystem>
#include <span>
#include <string>

/// Charts in pages and as files.
namespace touchstone::analysis::presentation {

/// Writes NAME.svg and NAME.pdf of each chart into `folder`, which is created if necessary. The program rsvg-convert
/// draws the PDF files; the same SVG, fonts and version of the program give the same bytes. Throws StorageError.
/// \returns a sentence for the user if the figures could not be written as PDF, else an empty text
[[nodiscard]] std::string write_figures(std::span<const formats::svg::Chart> charts,
                                        const std::filesystem::path& folder);

namespace internal {

/// The chart with its caption as an element of a page.
formats::html::Html figure(const formats::svg::Chart& chart);

}  // namespace internal
}  // namespace touchstone::analysis::presentation
