#include "analysis/presentation/paper_table.hpp"

#include "analysis/presentation/text_parts.hpp"
#include "common/error.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

namespace internal {
namespace {

/// Rows of small type that a page holds with its caption, and rows with cells of several lines.
constexpr std::size_t kMaxRowsOfAPage = 45, kMaxTallRowsOfAPage = 8;

constexpr std::pair<char, std::string_view> kLatexSpecial[] = {{'&', "\\&"},
                                                               {'%', "\\%"},
                                                               {'$', "\\$"},
                                                               {'#', "\\#"},
                                                               {'_', "\\_"},
                                                               {'{', "\\{"},
                                                               {'}', "\\}"},
                                                               {'~', "\\textasciitilde{}"},
                                                               {'^', "\\textasciicircum{}"},
                                                               {'\\', "\\textbackslash{}"},
                                                               {'<', "\\textless{}"},
                                                               {'>', "\\textgreater{}"},
                                                               {'|', "\\textbar{}"}};

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
  for (const char c : formats::fields::replace_characters(formats::fields::one_line(text), kLatexSpecial)) {
    if (c == before && joins_with_its_like(c)) out += "{}";
    out += c;
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

}  // namespace internal

namespace {

using namespace internal;  // numbers and sources as text

/// a, b, ..., z, aa, ab, ...
std::string letters_of(std::size_t index) {
  std::string letters;
  for (++index; index > 0; index = (index - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('a' + (index - 1) % 26));
  return letters;
}

std::string markdown_escaped(std::string_view text) {
  static constexpr std::pair<char, std::string_view> kSpecial[] = {
      {'|', "\\|"},   {'*', "\\*"}, {'_', "\\_"}, {'`', "\\`"},   {'<', "&lt;"}, {'>', "&gt;"},
      {'&', "&amp;"}, {'[', "\\["}, {']', "\\]"}, {'\\', "\\\\"}, {'~', "\\~"}};
  return formats::fields::replace_characters(formats::fields::one_line(text), kSpecial);
}

const std::vector<double>& means_of(const MeasureResult& result) {
  return result.pairs ? result.pairs->means : result.baseline->means;
}

const std::vector<std::size_t>& ranking_of(const MeasureResult& result) {
  return result.pairs ? result.pairs->ranking : result.baseline->ranking;
}

/// The marks of one mean.
struct Marks {
  bool is_best = false;
  std::string letters;  ///< of the systems that are significantly worse, separated by commas if longer than one letter
  int against_baseline = 0;  ///< 1 significantly better, -1 significantly worse
};

/// \param row_of  row in the table, by system
Marks marks_of(const MeasureResult& result, std::size_t system, const std::vector<std::size_t>& row_of) {
  const auto& means = means_of(result);
  Marks marks;
  marks.is_best = means[system] >= *std::max_element(means.begin(), means.end()) - statistics::kEqualScores;
  if (result.baseline) {
    const auto* against = result.baseline->of(system);
    if (against != nullptr && against->significant) marks.against_baseline = against->difference > 0 ? 1 : -1;
    return marks;
  }
  std::vector<std::size_t> worse;
  for (const auto& pair : result.pairs->pairs) {
    if (pair.first == system && pair.significant) worse.push_back(row_of[pair.second]);
  }
  std::sort(worse.begin(), worse.end());
  const char* separator = row_of.size() > 26 ? "," : "";
  for (const auto row : worse) marks.letters += (marks.letters.empty() ? "" : separator) + letters_of(row);
  return marks;
}

std::string cell(double mean, const Marks& marks, PaperFormat format) {
  const auto number = short_number(mean);
  if (format == PaperFormat::kLatex) {
    std::string out = marks.is_best ? fmt::format("\\textbf{{{}}}", number) : number;
    if (!marks.letters.empty()) out += fmt::format("$^{{{}}}$", marks.letters);
    if (marks.against_baseline > 0) out += "$^{\\blacktriangle}$";
    if (marks.against_baseline < 0) out += "$^{\\blacktriangledown}$";
    return out;
  }
  std::string out = marks.is_best ? fmt::format("**{}**", number) : number;
  if (!marks.letters.empty()) out += fmt::format("<sup>{}</sup>", marks.letters);
  if (marks.against_baseline != 0) out += marks.against_baseline > 0 ? "▲" : "▼";
  return out;
}

/// "43 topics", with the measures if their numbers of topics differ, and what became of topics that a run lacks.
std::string topics_of(std::span<const MeasureResult> results) {
  const auto& first = results.front().scores;
  const bool alike = std::all_of(results.begin(), results.end(), [&](const MeasureResult& result) {
    return result.scores.topics.size() == first.topics.size();
  });
  std::vector<std::string> counts;
  for (const auto& result : results) {
    auto count = fmt::to_string(result.scores.topics.size());
    if (!alike) count += fmt::format(" ({})", measure_or_score(result.scores.source));
    if (counts.empty() || !alike) counts.push_back(count);
  }
  auto text = fmt::format("{} topics", fmt::join(counts, ", "));
  const auto missing = missing_answers(first);
  return missing.empty() ? text : fmt::format("{}; {}", text, missing);
}

std::string caption_of(std::span<const MeasureResult> results) {
  const auto& first = results.front();
  const auto& options = first.pairs ? first.pairs->options : first.baseline->options;
  const bool exact = first.pairs ? first.pairs->exact : first.baseline->exact;
  std::string caption = fmt::format("Means over {}, {}. ", topics_of(results), first.scores.source.judgments());
  if (first.baseline) {
    caption +=
        fmt::format("Triangles: significantly better or worse than {}", first.scores.systems[first.baseline->baseline]);
  } else {
    caption += "Letters: significantly better than the systems with these letters";
  }
  caption += fmt::format(" ({}{}). {}", test_words(options, exact),
                         results.size() > 1 ? "; each measure is tested by itself" : "", program_and_version());
  return caption;
}

}  // namespace

std::string paper_table(std::span<const MeasureResult> results, PaperFormat format) {
  TS_CHECK(!results.empty(), "a table needs a measure");
  const auto& first = results.front();
  const auto& ranking = ranking_of(first);
  std::vector<std::size_t> row_of(ranking.size());
  for (std::size_t row = 0; row < ranking.size(); ++row) row_of[ranking[row]] = row;
  const bool latex = format == PaperFormat::kLatex;
  const auto escaped = [&](std::string_view text) { return latex ? latex_escaped(text) : markdown_escaped(text); };
  std::vector<std::vector<std::string>> rows = {{latex ? "System" : "system"}};
  for (const auto& result : results) rows[0].push_back(escaped(measure_or_score(result.scores.source)));
  for (std::size_t row = 0; row < ranking.size(); ++row) {
    const auto system = ranking[row];
    std::string name = escaped(first.scores.systems[system]);
    if (first.pairs) name = fmt::format("{} {}", letters_of(row), name);
    if (first.baseline && first.baseline->baseline == system) name += " (baseline)";
    rows.push_back({name});
    for (const auto& result : results)
      rows.back().push_back(cell(means_of(result)[system], marks_of(result, system, row_of), format));
  }
  const auto caption = escaped(caption_of(results));
  if (latex) return latex_table({caption, "", "l" + std::string(results.size(), 'r'), std::move(rows)});
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
    if (i > 0) continue;
    out += "|---|";
    for (std::size_t m = 0; m < results.size(); ++m) out += "---:|";
    out += "\n";
  }
  return out + "\n" + caption + "\n";
}

}  // namespace touchstone::analysis::presentation
