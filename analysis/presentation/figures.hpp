#pragma once

#include "formats/html/html.hpp"
#include "formats/svg/chart.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// The frame that the reports of numbers share with those of collections.

/// A file of web/ as it was when the program was built.
struct FrameFile {
  std::string_view name;  ///< "report.css"
  std::string_view text;
};

/// The frame and the styles that these reports use.
std::span<const FrameFile> frame_files();

/// A whole page.
/// \param kind  what the page is, above its title
std::string report_page(std::string_view kind, std::string_view title, const formats::html::Html& content);

}  // namespace internal

}  // namespace touchstone::analysis::presentation
