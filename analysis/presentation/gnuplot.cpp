#include "analysis/presentation/gnuplot.hpp"

#include "analysis/presentation/external_program.hpp"
#include "common/descriptor.hpp"
#include "common/error.hpp"

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {

std::string gnuplot_quoted(std::string_view text, GnuplotText use) {
  std::string out = "'";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20;
    const bool is_doubled = c == '\'' || (c == '%' && use == GnuplotText::kTicLabel);
    out.append(is_doubled ? 2 : 1, is_control && use != GnuplotText::kPath ? '?' : c);
  }
  return out + "'";
}

void run_gnuplot(const std::filesystem::path& script) {
  const int failed = run_program({"gnuplot", script.string()});
  if (failed == 0) return;
  throw Error(fmt::format(
      "cannot start gnuplot, which draws the plots ({}); install the package gnuplot-nox, or leave out --plots and "
      "--report",
      system_reason(failed)));
}

}  // namespace touchstone::analysis::presentation::internal
