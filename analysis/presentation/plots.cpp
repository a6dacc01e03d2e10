#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/gnuplot.hpp"
#include "analysis/presentation/plot_templates.hpp"
#include "analysis/presentation/point_labels.hpp"
#include "analysis/presentation/report_frame.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/test_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "formats/html/html.hpp"

#include <algorithm>
#include <cmath>
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
constexpr int kRowHeight = 15, kMargins = 130;                ///< pixels
constexpr int kLeastWidth = 420;                              ///< pixels
constexpr int kLetterWidth = 7, kSmallLetterWidth = 6;        ///< pixels
constexpr std::size_t kLongestFile = 60;                      ///< bytes of a file's path at an axis
constexpr int kPointPlotWidth = 760, kPointPlotHeight = 680;  ///< pixels
constexpr std::size_t kMostNamedTopics = 100;

/// A label that is shown as it is.
std::string label(const std::string& text) {
  return gnuplot_quoted(text, GnuplotText::kLabel);
}

/// \param facts  what the axes do not say of the data
std::string script_head(const std::string& facts, const std::string& data) {
  return fmt::format(internal::kScriptHead, "program"_a = internal::program_and_version(), "facts"_a = label(facts),
                     "data"_a = data);
}

/// The test, its options, the number of topics and the program.
std::string test_facts(const ScoreMatrix& scores, const Comparison& comparison) {
  return fmt::format("{}; {} topics; {}", internal::test_words(comparison.options, comparison.exact),
                     scores.topics.size(), internal::program_and_version());
}

/// Pixels that a plot needs for a text of small letters in its corner.
int width_of(const std::string& facts) {
  return 24 + kSmallLetterWidth * static_cast<int>(facts.size());
}

/// A file at an axis: its path, or its name if the path is long.
std::string shown_file(const std::string& file) {
  if (file.size() <= kLongestFile) return file;
  return ".../" + std::filesystem::path(file).filename().string();
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

/// The axis of means: the measure, the number of topics and the file.
std::string mean_axis(const ScoreMatrix& scores) {
  const auto file = shown_file(scores.source.judgments());
  return fmt::format("{}, mean over {} topics{}{}", internal::measure_or_score(scores.source), scores.topics.size(),
                     file.empty() ? "" : " of ", file);
}

/// The axis of ranks by one set of judgments.
std::string rank_axis(const statistics::ScoreSource& source) {
  const auto file = shown_file(source.judgments());
  return fmt::format("rank by {}{}{}", internal::measure_or_score(source), file.empty() ? "" : ", ", file);
}

/// The bar of a system on the leaderboard.
struct Bar {
  double low, high;
};

/// With a critical difference, half of it to each side of the mean: the bars of two systems overlap unless they differ
/// significantly. Otherwise the interval of the difference from the best system, laid off from the mean of the best.
/// The best system has then no bar.
Bar bar_of(const Comparison& comparison, std::size_t rank) {
  const double mean = comparison.means[comparison.ranking[rank]];
  if (comparison.critical_difference)
    return {mean - *comparison.critical_difference / 2, mean + *comparison.critical_difference / 2};
  if (rank == 0) return {mean, mean};
  const auto& pair = comparison.at_ranks(0, rank);
  const double best = comparison.means[pair.first];
  return {best - pair.high, best - pair.low};
}

std::string bar_caption(const Comparison& comparison) {
  if (comparison.critical_difference)
    return "Bars are half the critical difference to each side: two systems whose bars do not overlap differ "
           "significantly.";
  using significance::SignificanceTest;
  const auto test = comparison.options.test;
  const bool own = test == SignificanceTest::kTTest || test == SignificanceTest::kBootstrap;
  std::string caption = fmt::format(
      "Bars are {} intervals of the difference from the best system, laid off from the mean of the best (dashed line)",
      comparison.intervals.simultaneous
          ? fmt::format("simultaneous {:.6g} %", 100 * (1 - comparison.options.alpha))
          : fmt::format("{:.6g} %, each by itself, not simultaneous,", 100 * (1 - comparison.intervals.alpha)));
  if (comparison.intervals.simultaneous) caption += ", by Bonferroni's correction";
  const auto correction = comparison.options.correction;
  if (correction == significance::Correction::kHolm || correction == significance::Correction::kBenjaminiHochberg)
    caption += fmt::format("; {} may find a system worse whose bar reaches that line", correction_name(correction));
  if (!own)
    caption += fmt::format("; they are those of the paired t test, while colours follow the {} test", test_name(test));
  return caption + ".";
}

/// Brackets around the systems of `in_bracket`, one for each sequence of ranks, so that no other system is inside.
std::string brackets(const std::vector<bool>& in_bracket, double right, double tip) {
  std::string marks;
  for (std::size_t first = 0, last; first < in_bracket.size(); first = last) {
    for (last = first; last < in_bracket.size() && in_bracket[last] == in_bracket[first];) ++last;
    if (!in_bracket[first]) continue;
    marks +=
        fmt::format(internal::kBracket, "right"_a = right, "tip"_a = tip, "top"_a = static_cast<double>(first) + 0.6,
                    "bottom"_a = static_cast<double>(last) + 0.4, "blue"_a = kBlue);
  }
  return marks;
}

Plot leaderboard(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  const auto in_bracket = comparison.not_worse_than_best();
  double low = comparison.means[comparison.ranking.back()], high = comparison.means[comparison.ranking.front()];
  std::vector<std::string> systems;
  for (std::size_t r = 0; r < count; ++r) {
    const Bar bar = bar_of(comparison, r);
    if (std::isfinite(bar.low)) low = std::min(low, bar.low);
    if (std::isfinite(bar.high)) high = std::max(high, bar.high);
    systems.push_back(tic(scores.systems[comparison.ranking[r]], r + 1));
  }
  const double margin = high > low ? (high - low) * 0.04 : 0.01, right = high + margin;
  std::string data;
  for (std::size_t r = 0; r < count; ++r) {
    const Bar bar = bar_of(comparison, r);
    data += fmt::format("{} {} {} {} {}\n", r + 1, comparison.means[comparison.ranking[r]],
                        std::max(bar.low, low - margin), std::min(bar.high, high), in_bracket[r] ? 1 : 0);
  }
  const double lowest_rank = static_cast<double>(count) + 0.7;
  std::string marks = brackets(in_bracket, right, right - margin / 3);
  if (!comparison.critical_difference)
    marks += fmt::format(internal::kBestLine, "best"_a = comparison.means[comparison.ranking.front()],
                         "lowest_rank"_a = lowest_rank, "blue"_a = kBlue);
  Plot plot;
  plot.name = "leaderboard";
  plot.title = "Leaderboard";
  plot.caption = fmt::format("{}. {} Blue, and inside a bracket: not significantly worse than the best.",
                             mean_axis(scores), bar_caption(comparison));
  const auto facts = test_facts(scores, comparison);
  const int names = longest_name(scores) * kLetterWidth;
  const int axis_width = 40 + kLetterWidth * static_cast<int>(mean_axis(scores).size());
  plot.width = std::max({560 + names, axis_width + names, width_of(facts)});
  plot.height = kMargins + kRowHeight * static_cast<int>(count);
  plot.script = fmt::format(internal::kLeaderboardScript, "head"_a = script_head(facts, data),
                            "systems"_a = fmt::join(systems, ","), "lowest_rank"_a = lowest_rank,
                            "left"_a = low - margin, "right"_a = right + margin, "axis"_a = label(mean_axis(scores)),
                            "marks"_a = marks, "blue"_a = kBlue, "grey"_a = kGrey);
  return plot;
}

/// Shade of a pair on the map of significance.
int shade(const significance::PairComparison& pair) {
  if (!pair.significant) return 0;
  return pair.p_value > 0.01 ? 1 : pair.p_value > 0.001 ? 2 : 3;
}

/// Tics at rank 1 and at multiples of a step that suits the number of ranks.
/// \param first  where rank 1 is on the axis
std::vector<std::string> rank_tics(std::size_t count, std::size_t first) {
  std::vector<std::string> tics;
  const std::size_t step = count > 60 ? 10 : count > 20 ? 5 : 1;
  for (std::size_t rank = 1; rank <= count; rank += rank == 1 && step > 1 ? step - 1 : step)
    tics.push_back(tic(fmt::to_string(rank), first + rank - 1));
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
      "as in rows. Grey: no significant difference at {}; the more a square stands out, the smaller p.",
      comparison.options.alpha);
  const int cell = count > 40 ? 12 : 16;  // a name of font size 8 needs 12 pixels
  const auto facts = test_facts(scores, comparison);
  const int names = longest_name(scores) * kSmallLetterWidth;
  plot.width = std::max({kLeastWidth + names, 150 + cell * static_cast<int>(count) + names, width_of(facts)});
  plot.height = 130 + std::max(160, cell * static_cast<int>(count));
  const int font_size = count > 40 ? 8 : 9;
  plot.script = fmt::format(internal::kSignificanceScript, "head"_a = script_head(facts, data),
                            "systems"_a = fmt::join(systems, ","), "font_size"_a = font_size,
                            "end"_a = static_cast<double>(count) - 0.5, "ranks"_a = fmt::join(rank_tics(count, 0), ","),
                            "axis"_a = label(rank_axis(scores.source) + ", of the better system"));
  return plot;
}

Plot topic_differences(const ScoreMatrix& scores, const Comparison& comparison, const SystemPair& named) {
  const auto [first, second] = named;
  std::vector<std::size_t> order(scores.topics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto difference = [&](std::size_t t) { return scores.at(named.first, t) - scores.at(named.second, t); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return difference(a) > difference(b); });
  std::string data;
  std::vector<std::string> topics;
  for (std::size_t i = 0; i < order.size(); ++i) {
    data += fmt::format("{} {}\n", i, difference(order[i]));
    topics.push_back(tic(scores.topics[order[i]], i));
  }
  const auto file = shown_file(scores.source.judgments());
  const auto topic_label = label(fmt::format("topics{}{}, sorted", file.empty() ? "" : " of ", file));
  const auto axis = order.size() <= kMostNamedTopics ? fmt::format(internal::kNamedTopicAxis, "axis"_a = topic_label,
                                                                   "topics"_a = fmt::join(topics, ","))
                                                     : fmt::format(internal::kUnnamedTopicAxis, "axis"_a = topic_label);
  Plot plot;
  plot.name = "topics";
  plot.title = fmt::format("{} and {}, topic by topic", scores.systems[first], scores.systems[second]);
  const auto p_value = internal::p_value_text(comparison.of(first, second).p_value);
  const auto pair = fmt::format("{} minus {}, p = {}", scores.systems[first], scores.systems[second], p_value);
  plot.caption = fmt::format(
      "{} of {} minus that of {} on each topic, sorted; p = {}. A few large bars mean that few topics decide.",
      internal::measure_or_score(scores.source), scores.systems[first], scores.systems[second], p_value);
  const auto facts = test_facts(scores, comparison);
  const int title_width = 140 + kLetterWidth * static_cast<int>(std::min<std::size_t>(pair.size(), 200));
  plot.width = std::max({kLeastWidth, title_width, width_of(facts),
                         140 + 14 * static_cast<int>(std::min<std::size_t>(order.size(), 104))});
  plot.height = 440;
  plot.script = fmt::format(internal::kTopicsScript, "head"_a = script_head(facts, data), "pair"_a = label(pair),
                            "topics"_a = order.size(), "topic_axis"_a = axis,
                            "axis"_a = label("difference of " + internal::measure_or_score(scores.source)),
                            "blue"_a = kBlue, "orange"_a = kOrange);
  return plot;
}

/// Ranks from 1, by system. Systems with equal means share the mean of their ranks.
std::vector<double> shared_ranks(const Comparison& comparison) {
  const auto& ranking = comparison.ranking;
  std::vector<double> ranks(ranking.size());
  for (std::size_t first = 0, last; first < ranking.size(); first = last) {
    last = first + 1;
    while (last < ranking.size() &&
           comparison.means[ranking[last - 1]] - comparison.means[ranking[last]] <= statistics::kEqualScores)
      ++last;
    for (std::size_t r = first; r < last; ++r) ranks[ranking[r]] = static_cast<double>(first + last + 1) / 2;
  }
  return ranks;
}

std::string movers_caption(const internal::PointLabels& labels) {
  if (labels.movers == 0) return "No system moves.";
  auto caption =
      fmt::format("Orange: the systems that move by {} ranks or more ({}).", labels.least_move, labels.movers);
  if (labels.named < labels.movers)
    caption += fmt::format(" {} of them have no room for a name.", labels.movers - labels.named);
  return caption;
}

Plot two_leaderboards(const ScoreMatrix& scores, const Comparison& comparison,
                      const agreement::JudgmentComparison& judgments) {
  const auto& other = judgments.other;
  const auto first_ranks = shared_ranks(comparison), other_ranks = shared_ranks(other);
  std::vector<internal::RankedSystem> systems;
  for (const auto system : comparison.ranking)
    systems.push_back({scores.systems[system], first_ranks[system], other_ranks[system]});
  const auto labels = internal::label_points(systems);
  std::string data;
  for (std::size_t i = 0; i < systems.size(); ++i)
    data += fmt::format("{} {} {}\n", systems[i].first_rank, systems[i].other_rank, labels.is_mover[i] ? 1 : 0);
  Plot plot;
  plot.name = "leaderboards";
  plot.title = "The two leaderboards against each other";
  plot.caption = fmt::format(
      "Rank by the first judgments ({}) against rank by the other ({}); on the line the rank is the same. Systems with "
      "equal means share their mean rank. {}",
      internal::source_line(scores.source), internal::source_line(judgments.source), movers_caption(labels));
  plot.width = kPointPlotWidth;
  plot.height = kPointPlotHeight;
  const auto topics = scores.topics.size() == judgments.topics
                          ? fmt::to_string(judgments.topics)
                          : fmt::format("{} and {}", scores.topics.size(), judgments.topics);
  const auto facts = fmt::format("{} topics; {}", topics, internal::program_and_version());
  plot.script = fmt::format(
      internal::kLeaderboardsScript, "head"_a = script_head(facts, data), "end"_a = comparison.ranking.size() + 1,
      "ranks"_a = fmt::join(rank_tics(comparison.ranking.size(), 1), ","), "labels"_a = labels.commands,
      "first_axis"_a = label(rank_axis(scores.source)), "other_axis"_a = label(rank_axis(judgments.source)),
      "blue"_a = kBlue, "orange"_a = kOrange, "left"_a = 80.0 / kPointPlotWidth,
      "right"_a = (80 + internal::kPointAreaWidth) / kPointPlotWidth, "bottom"_a = 60.0 / kPointPlotHeight,
      "top"_a = (60 + internal::kPointAreaHeight) / kPointPlotHeight);
  return plot;
}

}  // namespace

std::vector<Plot> comparison_plots(const ScoreMatrix& scores, const Comparison& comparison,
                                   const agreement::JudgmentComparison* judgments, std::optional<SystemPair> pair) {
  if (!pair) pair = {comparison.ranking[0], comparison.ranking[1]};
  std::vector<Plot> plots = {leaderboard(scores, comparison), significance_map(scores, comparison)};
  if (judgments != nullptr) plots.push_back(two_leaderboards(scores, comparison, *judgments));
  plots.push_back(topic_differences(scores, comparison, *pair));
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

std::string comparison_report(const ScoreMatrix& scores, const std::string& table, const std::vector<Plot>& plots) {
  const ScratchFolder scratch("plots");
  write_plots(plots, scratch.path());
  html::Html figures;
  for (const auto& plot : plots) {
    const std::string svg = read_file(scratch.path() / (plot.name + ".svg"));
    const auto start = svg.find("<svg");
    if (start == std::string::npos)
      throw Error(fmt::format("gnuplot wrote no SVG for the plot {}; is it complete?", plot.name));
    const auto line_end = html::raw("\n");
    figures += html::element("h2", {}, plot.title) + line_end;
    figures += html::element("figure", {{"class", "card"}}, line_end, html::raw(svg.substr(start)), line_end,
                             html::element("figcaption", {}, plot.caption), line_end);
    figures += line_end;
  }
  const auto summary = table.substr(0, table.find("\n\n"));
  const auto sources = internal::table_foot(internal::source_facts(scores));
  const auto content =
      html::element("p", {{"class", "sentence"}}, summary) + figures + html::element("h2", {}, "Numbers") +
      html::element("div", {{"class", "card"}}, html::element("pre", {}, table)) + html::element("h2", {}, "Sources") +
      html::element("div", {{"class", "card"}}, html::element("pre", {}, sources));
  return internal::report_page("Comparison", "Comparison of systems, " + internal::measure_or_score(scores.source),
                               content);
}

}  // namespace touchstone::analysis::presentation
