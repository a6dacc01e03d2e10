#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/gnuplot.hpp"
#include "analysis/presentation/plot_templates.hpp"
#include "analysis/presentation/point_labels.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/html/html.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

using namespace fmt::literals;
namespace html = formats::html;
using internal::gnuplot_quoted;
using internal::GnuplotText;
using significance::Comparison;
using statistics::ScoreMatrix;

// Blue, orange and grey of the Okabe-Ito palette, which people with any colour vision can tell apart.
constexpr const char* kBlue = "#0072b2";
constexpr const char* kOrange = "#d55e00";
constexpr const char* kGrey = "#8c8c8c";
constexpr int kRowHeight = 15, kMargins = 110;  ///< pixels
constexpr std::size_t kMostNamedTopics = 100;

std::string script_head(const std::string& data) {
  return fmt::format(internal::kScriptHead, "data"_a = data);
}

/// One tic with its label.
std::string tic(std::string_view label, std::size_t at) {
  return fmt::format("{} {}", gnuplot_quoted(label, GnuplotText::kTicLabel), at);
}

/// Letters of the longest name of a system, at most 48.
int longest_name(const ScoreMatrix& scores) {
  std::size_t longest = 0;
  for (const auto& name : scores.systems) longest = std::max(longest, name.size());
  return static_cast<int>(std::min<std::size_t>(longest, 48));
}

constexpr const char* kCriticalDifferenceCaption =
    "Bars are half the critical difference to each side: two systems whose bars do not overlap differ significantly.";
constexpr const char* kIntervalCaption =
    "Bars are intervals of each mean by itself; pairs are tested on their differences, so bars of systems that differ "
    "may overlap.";

Plot leaderboard(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  const auto in_bracket = comparison.not_worse_than_best();
  std::size_t last = 0;  // rank in the bracket
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::string data;
  std::vector<std::string> systems;
  for (std::size_t r = 0; r < count; ++r) {
    const auto system = comparison.ranking[r];
    const double mean = comparison.means[system], half = half_interval(scores, comparison, system);
    low = std::min(low, mean - half);
    high = std::max(high, mean + half);
    if (in_bracket[r]) last = r;
    data += fmt::format("{} {} {} {} {}\n", r + 1, mean, mean - half, mean + half, in_bracket[r] ? 1 : 0);
    systems.push_back(tic(scores.systems[system], r + 1));
  }
  const double margin = (high - low) * 0.04, bracket = high + margin;
  Plot plot;
  plot.name = "leaderboard";
  plot.title = "Leaderboard";
  plot.caption =
      fmt::format("Means over topics. {} Blue, and inside the bracket: not significantly worse than the best.",
                  comparison.critical_difference ? kCriticalDifferenceCaption : kIntervalCaption);
  plot.width = 560 + longest_name(scores) * 7;
  plot.height = kMargins + kRowHeight * static_cast<int>(count);
  plot.script = fmt::format(internal::kLeaderboardScript, "head"_a = script_head(data),
                            "systems"_a = fmt::join(systems, ","), "lowest_rank"_a = static_cast<double>(count) + 0.7,
                            "left"_a = low - margin, "right"_a = bracket + margin, "topics"_a = scores.topics.size(),
                            "bracket"_a = bracket, "bracket_tip"_a = bracket - margin / 3, "bracket_top"_a = 0.6,
                            "bracket_bottom"_a = static_cast<double>(last) + 1.4, "blue"_a = kBlue, "grey"_a = kGrey);
  return plot;
}

/// Shade of a pair on the map of significance.
int shade(const significance::PairComparison& pair) {
  if (!pair.significant) return 0;
  return pair.p_value > 0.01 ? 1 : pair.p_value > 0.001 ? 2 : 3;
}

/// Tics at rank 1 and at multiples of a step that suits the number of ranks.
std::vector<std::string> rank_tics(std::size_t count) {
  std::vector<std::string> tics;
  const std::size_t step = count > 60 ? 10 : count > 20 ? 5 : 1;
  for (std::size_t rank = 1; rank <= count; rank += rank == 1 && step > 1 ? step - 1 : step)
    tics.push_back(tic(fmt::to_string(rank), rank - 1));
  return tics;
}

Plot significance_map(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  std::string data;
  std::vector<std::string> systems;
  for (std::size_t row = 0; row < count; ++row) {
    systems.push_back(tic(scores.systems[comparison.ranking[row]], row));
    for (std::size_t column = 0; column < count; ++column)
      data += column < row ? fmt::format("{} ", shade(comparison.at_ranks(column, row))) : "NaN ";
    data += "\n";
  }
  Plot plot;
  plot.name = "significance";
  plot.title = "Which pairs differ";
  plot.caption = fmt::format(
      "One square a pair: is the system of the row worse than the one of the column? Systems stand by rank, in columns "
      "as in rows. Palest: no significant difference at {}; darker: smaller p.",
      comparison.options.alpha);
  const int cell = count > 80 ? 9 : count > 40 ? 11 : 16;
  plot.width = std::max(420, 150 + cell * static_cast<int>(count)) + longest_name(scores) * 6;
  plot.height = 130 + std::max(160, cell * static_cast<int>(count));
  const int font_size = count > 80 ? 6 : count > 40 ? 7 : 9;
  plot.script = fmt::format(internal::kSignificanceScript, "head"_a = script_head(data),
                            "systems"_a = fmt::join(systems, ","), "font_size"_a = font_size,
                            "end"_a = static_cast<double>(count) - 0.5, "ranks"_a = fmt::join(rank_tics(count), ","));
  return plot;
}

Plot topic_differences(const ScoreMatrix& scores, const Comparison& comparison) {
  const auto& pair = comparison.at_ranks(0, 1);
  std::vector<std::size_t> order(scores.topics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto difference = [&](std::size_t t) { return scores.at(pair.first, t) - scores.at(pair.second, t); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return difference(a) > difference(b); });
  std::string data;
  std::vector<std::string> topics;
  for (std::size_t i = 0; i < order.size(); ++i) {
    data += fmt::format("{} {}\n", i, difference(order[i]));
    topics.push_back(tic(scores.topics[order[i]], i));
  }
  const auto axis = order.size() <= kMostNamedTopics
                        ? fmt::format(internal::kNamedTopicAxis, "topics"_a = fmt::join(topics, ","))
                        : std::string(internal::kUnnamedTopicAxis);
  Plot plot;
  plot.name = "topics";
  plot.title = "The two best systems, topic by topic";
  plot.caption = fmt::format(
      "Score of {} minus score of {} on each topic, sorted; p = {:.4g}. A few large bars mean that few topics decide.",
      scores.systems[pair.first], scores.systems[pair.second], pair.p_value);
  plot.width = std::clamp(140 + 14 * static_cast<int>(order.size()), 420, 1600);
  plot.height = 420;
  plot.script = fmt::format(internal::kTopicsScript, "head"_a = script_head(data), "topics"_a = order.size(),
                            "topic_axis"_a = axis, "blue"_a = kBlue, "orange"_a = kOrange);
  return plot;
}

Plot two_leaderboards(const ScoreMatrix& scores, const Comparison& comparison, const Comparison& other) {
  std::vector<std::size_t> other_rank(other.ranking.size());
  for (std::size_t r = 0; r < other_rank.size(); ++r) other_rank[other.ranking[r]] = r;
  const auto labels = internal::label_points(scores, comparison, other_rank);
  std::string data;
  for (std::size_t r = 0; r < comparison.ranking.size(); ++r)
    data += fmt::format("{} {} {}\n", r + 1, other_rank[comparison.ranking[r]] + 1, labels.is_named[r] ? 1 : 0);
  Plot plot;
  plot.name = "leaderboards";
  plot.title = "The two leaderboards against each other";
  plot.caption =
      "Rank by the first judgments against rank by the other; on the line the rank is the same. Orange and named: the "
      "systems that move furthest, where the name has room.";
  plot.width = 760;
  plot.height = 680;
  plot.script =
      fmt::format(internal::kLeaderboardsScript, "head"_a = script_head(data), "end"_a = comparison.ranking.size() + 1,
                  "labels"_a = labels.commands, "blue"_a = kBlue, "orange"_a = kOrange);
  return plot;
}

/// A temporary folder for the plots of a report, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "touchstone-plots-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw StorageError(fmt::format("cannot make a folder under {} for the plots", name));
    path = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::filesystem::path path;
};

}  // namespace

std::vector<Plot> comparison_plots(const ScoreMatrix& scores, const Comparison& comparison,
                                   const agreement::JudgmentComparison* judgments) {
  std::vector<Plot> plots = {leaderboard(scores, comparison), significance_map(scores, comparison)};
  if (judgments != nullptr) plots.push_back(two_leaderboards(scores, comparison, judgments->other));
  plots.push_back(topic_differences(scores, comparison));
  return plots;
}

void write_plots(const std::vector<Plot>& plots, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw StorageError(fmt::format("cannot make the folder {}: {}", folder.string(), failed.message()));
  for (const auto& plot : plots) {
    const auto file = [&](const char* suffix) { return (folder / (plot.name + suffix)).string(); };
    write_file_atomically(
        file(".gp"),
        fmt::format(internal::kDrawScript, "width"_a = plot.width, "height"_a = plot.height, "name"_a = plot.name,
                    "script"_a = plot.script, "svg"_a = gnuplot_quoted(file(".svg"), GnuplotText::kPath),
                    "png"_a = gnuplot_quoted(file(".png"), GnuplotText::kPath)));
    internal::run_gnuplot(file(".gp"));
  }
}

std::string comparison_report(const std::string& table, const std::vector<Plot>& plots) {
  const ScratchFolder scratch;
  write_plots(plots, scratch.path);
  html::Html figures;
  for (const auto& plot : plots) {
    const std::string svg = read_file(scratch.path / (plot.name + ".svg"));
    const auto start = svg.find("<svg");
    if (start == std::string::npos)
      throw Error(fmt::format("gnuplot wrote no SVG for the plot {}; is it complete?", plot.name));
    const auto line_end = html::raw("\n");
    figures += html::element("h2", {}, plot.title) + line_end;
    figures += html::element("figure", {}, line_end, html::raw(svg.substr(start)), line_end,
                             html::element("figcaption", {}, plot.caption), line_end);
    figures += line_end;
  }
  const auto summary = table.substr(0, table.find("\n\n"));
  return html::fill(internal::kReportPage, {{"summary", summary}, {"figures", figures}, {"table", table}});
}

}  // namespace touchstone::analysis::presentation
