#include "analysis/presentation/figures.hpp"

#include "analysis/presentation/external_program.hpp"
#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <system_error>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

using formats::svg::Chart;

/// Draws FIGURE.pdf from each FIGURE.svg, and removes those of an earlier run if that is impossible. \returns the
/// reason
std::string draw_figures_as_pdf(std::span<const Chart> charts, const std::filesystem::path& folder) {
  std::string reason;
  for (const auto& chart : charts) {
    const auto figure = std::filesystem::absolute(folder) / chart.name;
    const auto file = [&](const char* ending) { return figure.string() + ending; };
    std::error_code ignored;
    if (reason.empty()) {
      try {
        // A fixed time of creation in the file.
        const int missing =
            internal::run_program({"rsvg-convert", "--format=pdf", "--output=" + file(".pdf.partial"), file(".svg")},
                                  {"SOURCE_DATE_EPOCH=0"});
        if (missing != 0) reason = fmt::format("cannot start rsvg-convert ({})", system_reason(missing));
      } catch (const Error& error) {
        reason = error.what();
      }
    }
    if (reason.empty()) {
      std::filesystem::rename(file(".pdf.partial"), file(".pdf"), ignored);
      continue;
    }
    std::filesystem::remove(file(".pdf.partial"), ignored);
    std::filesystem::remove(file(".pdf"), ignored);
  }
  if (reason.empty()) return "";
  return fmt::format(
      "figures are written as SVG and not as PDF: {}; install the package librsvg2-bin and run again if you need PDF",
      reason);
}

}  // namespace

std::string write_figures(std::span<const Chart> charts, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw StorageError(fmt::format("cannot make the folder {}: {}", folder.string(), failed.message()));
  for (const auto& chart : charts)
    write_file_atomically(folder / (chart.name + ".svg"), svg_chart(chart).markup() + "\n");
  return draw_figures_as_pdf(charts, folder);
}

formats::html::Html internal::figure(const Chart& chart) {
  using formats::html::element;
  return element("figure", {{"class", "card"}}, svg_chart(chart), element("figcaption", {}, chart.caption));
}

}  // namespace touchstone::analysis::presentation
