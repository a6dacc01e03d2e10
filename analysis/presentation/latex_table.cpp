#include "analysis/presentation/latex_table.hpp"

#include "common/error.hpp"
#include "formats/fields/one_line.hpp"

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {
namespace {

/// Rows of small type that a page holds with its caption, and rows with cells of several lines.
constexpr std::size_t kMaxRowsOfAPage = 45, kMaxTallRowsOfAPage = 8;

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "\\&";
    case '%':
      return "\\%";
    case '$':
      return "\\$";
    case '#':
      return "\\#";
    case '_':
      return "\\_";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '\\':
      return "\\textbackslash{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    default:
      return {};
  }
}

/// Characters that LaTeX joins into another one if they follow each other, as "--" into a dash.
bool joins_with_its_like(char c) {
  return c == '-' || c == '\'' || c == '`' || c == ',';
}

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
}

}  // namespace

std::string latex_escaped(std::string_view text) {
  // At the begin of a row, `[` and `*` would be arguments of the `\\` before it.
  std::string out = text.starts_with('[') || text.starts_with('*') ? "{}" : "";
  char before = 0;
  for (const char c : formats::fields::one_line(text)) {
    if (c == before && joins_with_its_like(c)) out += "{}";
    const auto special = escaped(c);
    out += special.empty() ? std::string_view(&c, 1) : special;
    before = c;
  }
  return out;
}

std::string latex_table(const LatexTable& table) {
  TS_CHECK(!table.rows.empty(), "a table has a head");
  const auto label = table.label.empty() ? "" : fmt::format("\\label{{{}}}", table.label);
  const auto caption = fmt::format("\\caption{{{}}}{}", table.caption, label);
  std::string body;
  for (std::size_t i = 1; i < table.rows.size(); ++i) body += line_of(table.rows[i]);
  const auto max_rows = table.alignment.find('p') == std::string::npos ? kMaxRowsOfAPage : kMaxTallRowsOfAPage;
  if (table.fits_line && table.rows.size() - 1 > max_rows) {
    return fmt::format(
        "{{\\scriptsize\\setlength{{\\tabcolsep}}{{3pt}}\n\\begin{{longtable}}{{{}}}\n{} \\\\\n\\toprule\n{}\\midrule\n"
        "\\endfirsthead\n\\toprule\n{}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n{}\\end{{longtable}}}}\n",
        table.alignment, caption, line_of(table.rows[0]), line_of(table.rows[0]), body);
  }
  const auto tabular = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n\\end{{tabular}}",
                                   table.alignment, line_of(table.rows[0]), body);
  if (!table.fits_line) return fmt::format("\\begin{{table}}\n{}\n{}\n\\end{{table}}\n", caption, tabular);
  return fmt::format(
      "\\begin{{table}}\n\\centering\n{}\n\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%"
      "\n{}}}\n\\end{{table}}\n",
      caption, tabular);
}

}  // namespace touchstone::analysis::presentation::internal
