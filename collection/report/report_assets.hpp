#pragma once

#include <string_view>

/// web/report.{html,css,js}, as they were when the program was built.
namespace touchstone::formats::internal {

extern const std::string_view kReport_html;
extern const std::string_view kReport_css;
extern const std::string_view kReport_js;

}  // namespace touchstone::formats::internal
