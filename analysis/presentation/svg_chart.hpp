#pragma once

#include "analysis/studies/study_output.hpp"
#include "formats/html/html.hpp"

/// Figures of studies as SVG, which needs no other program.
namespace touchstone::analysis::presentation::internal {

/// The figure as an <svg> element that can stand in a page or in a file of its own. Points that are not finite are left
/// out, and break a line. The same chart gives the same bytes. Pure.
formats::html::Html svg_chart(const studies::Chart& chart);

}  // namespace touchstone::analysis::presentation::internal
