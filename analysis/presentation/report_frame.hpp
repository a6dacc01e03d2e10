#pragma once

#include "formats/html/html.hpp"

#include <span>
#include <string>
#include <string_view>

/// The frame that the reports of numbers share with those of collections.
namespace touchstone::analysis::presentation::internal {

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

}  // namespace touchstone::analysis::presentation::internal
