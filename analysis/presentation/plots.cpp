#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/figures.hpp"
#include "analysis/presentation/text_parts.hpp"
#include "formats/html/html.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

namespace html = formats::html;
using formats::svg::Chart;
using formats::svg::ChartSeries;
using significance::Comparison;
using statistics::ScoreMatrix;

constexpr const char* kGrey = "#8c8c8c";
constexpr std::size_t kLongestFile = 30;  ///< bytes of a file's path at an axis
constexpr std::size_t kMostNamedTopics = 100;

/// The test, its options, the number of topics and the program.
std::string test_facts(const ScoreMatrix& scores, const Comparison& comparison) {
  return fmt::format("{}; {} topics; {}", internal::test_words(comparison.options, comparison.exact),
                     scores.topics.size(), internal::program_and_version());
}

/// A file at an axis: its path, or its name if the path is long.
std::string shown_file(const std::string& file) {
  if (file.size() <= kLongestFile) return file;
  return ".../" + std::filesystem::path(file).filename().string();
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

/// A series of single points.
ChartSeries points_named(std::string name, std::string colour = "", bool cells = false) {
  return {.name = std::move(name), .points = {}, .line = false, .cells = cells, .colour = std::move(colour)};
}

/// The names of the systems by rank.
std::vector<std::string> names_by_rank(const ScoreMatrix& scores, const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto system : comparison.ranking) names.push_back(scores.systems[system]);
  return names;
}

Chart leaderboard(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  const auto not_worse = comparison.not_worse_than_best();
  const double best = comparison.means[comparison.ranking.front()];
  double low = comparison.means[comparison.ranking.back()], high = best;
  for (std::size_t r = 0; r < count; ++r) {
    const Bar bar = bar_of(comparison, r);
    if (std::isfinite(bar.low)) low = std::min(low, bar.low);
    if (std::isfinite(bar.high)) high = std::max(high, bar.high);
  }
  auto first = points_named("not significantly worse than the best"),
       others = points_named("significantly worse", kGrey);
  for (std::size_t r = 0; r < count; ++r) {
    const Bar bar = bar_of(comparison, r);
    (not_worse[r] ? first : others)
        .points.push_back({static_cast<double>(r), comparison.means[comparison.ranking[r]],
                           std::clamp(bar.low, low, high), std::clamp(bar.high, low, high)});
  }
  Chart chart;
  chart.name = "leaderboard";
  chart.title = "Leaderboard";
  chart.caption =
      fmt::format("{}. {} Blue: not significantly worse than the best.", mean_axis(scores), bar_caption(comparison));
  chart.x_axis = "systems by rank";
  chart.y_axis = mean_axis(scores);
  chart.series = {std::move(first), std::move(others)};
  if (!comparison.critical_difference)
    chart.series.push_back({.name = "mean of the best",
                            .points = {{0, best}, {static_cast<double>(count - 1), best}},
                            .dashed = true,
                            .colour = kGrey});
  chart.categories = names_by_rank(scores, comparison);
  chart.corner = test_facts(scores, comparison);
  return chart;
}

/// Shade of a pair on the map of significance.
std::size_t shade(const significance::PairComparison& pair) {
  if (!pair.significant) return 0;
  return pair.p_value > 0.01 ? 1 : pair.p_value > 0.001 ? 2 : 3;
}

/// The ranks from 1 as names of categories: all of them, or 1 and the multiples of a step if there are many.
std::vector<std::string> rank_names(std::size_t count) {
  const std::size_t step = count > 60 ? 10 : count > 20 ? 5 : 1;
  std::vector<std::string> names;
  for (std::size_t rank = 1; rank <= count; ++rank)
    names.push_back(rank == 1 || rank % step == 0 ? fmt::to_string(rank) : "");
  return names;
}

Chart significance_map(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  Chart chart;
  chart.series = {points_named("not significant", "#e8e8e8", true), points_named("significant", "#9ecae1", true),
                  points_named("p <= .01", "#4292c6", true), points_named("p <= .001", "#08306b", true)};
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t column = 0; column < row; ++column)
      chart.series[shade(comparison.at_ranks(column, row))].points.push_back(
          {static_cast<double>(column), static_cast<double>(row)});
  }
  chart.name = "significance";
  chart.title = "Which pairs differ";
  chart.caption = fmt::format(
      "One cell a pair: is the system of the row worse than the one of the column? Systems are sorted by rank, in "
      "columns as in rows. Grey: no significant difference at {}; the darker a cell is, the smaller p.",
      comparison.options.alpha);
  chart.x_axis = rank_axis(scores.source) + ", of the better system";
  chart.categories = rank_names(count);
  chart.y_categories = names_by_rank(scores, comparison);
  chart.corner = test_facts(scores, comparison);
  return chart;
}

Chart topic_differences(const ScoreMatrix& scores, const Comparison& comparison, const SystemPair& named) {
  const auto& first = scores.systems[named.first];
  const auto& second = scores.systems[named.second];
  std::vector<std::size_t> order(scores.topics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto difference = [&](std::size_t t) { return scores.at(named.first, t) - scores.at(named.second, t); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return difference(a) > difference(b); });
  Chart chart;
  chart.series = {points_named(first + " is better or equal"), points_named(second + " is better")};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = difference(order[i]);
    chart.series[value < 0 ? 1 : 0].points.push_back(
        {static_cast<double>(i), value, std::min(value, 0.0), std::max(value, 0.0)});
    if (order.size() <= kMostNamedTopics) chart.categories.push_back(scores.topics[order[i]]);
  }
  const auto file = shown_file(scores.source.judgments());
  const auto p_value = internal::p_value_text(comparison.of(named.first, named.second).p_value);
  chart.name = "topics";
  chart.title = fmt::format("{} and {}, topic by topic", first, second);
  chart.caption = fmt::format(
      "{} of {} minus that of {} on each topic, sorted; p = {}. A few large bars mean that few topics decide.",
      internal::measure_or_score(scores.source), first, second, p_value);
  chart.x_axis = fmt::format("topics{}{}, sorted", file.empty() ? "" : " of ", file);
  chart.y_axis = "difference of " + internal::measure_or_score(scores.source);
  chart.corner = fmt::format("p = {}; {}", p_value, test_facts(scores, comparison));
  return chart;
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

Chart two_leaderboards(const ScoreMatrix& scores, const Comparison& comparison,
                       const agreement::JudgmentComparison& judgments) {
  const std::size_t count = comparison.ranking.size();
  const auto first_ranks = shared_ranks(comparison), other_ranks = shared_ranks(judgments.other);
  std::vector<double> moves;
  for (std::size_t system = 0; system < count; ++system)
    moves.push_back(std::abs(first_ranks[system] - other_ranks[system]));
  const double least_move = internal::least_move_of(moves);
  auto others = points_named("systems"), movers = points_named(fmt::format("move by {} ranks or more", least_move));
  Chart chart;
  for (const auto system : comparison.ranking) {
    const bool moves_far = least_move > 0 && moves[system] >= least_move;
    const double x = first_ranks[system] - 1, y = other_ranks[system] - 1;
    (moves_far ? movers : others).points.push_back({x, y});
    if (moves_far) chart.labels.push_back({x, y, scores.systems[system]});
  }
  const auto end = static_cast<double>(count) - 0.5;
  chart.name = "leaderboards";
  chart.title = "The two leaderboards against each other";
  chart.caption = fmt::format(
      "Rank by the first judgments ({}) against rank by the other ({}); on the line the rank is the same. Systems with "
      "equal means share their mean rank. {}",
      internal::source_line(scores.source), internal::source_line(judgments.source),
      chart.labels.empty()
          ? "No system moves."
          : fmt::format("Orange: the systems that move by {} ranks or more ({}).", least_move, chart.labels.size()));
  chart.x_axis = rank_axis(scores.source);
  chart.y_axis = rank_axis(judgments.source);
  chart.series = {std::move(others),
                  std::move(movers),
                  {.name = "same rank", .points = {{-0.5, -0.5}, {end, end}}, .dashed = true, .colour = kGrey}};
  chart.categories = chart.y_categories = rank_names(count);
  const auto topics = scores.topics.size() == judgments.topics
                          ? fmt::to_string(judgments.topics)
                          : fmt::format("{} and {}", scores.topics.size(), judgments.topics);
  chart.corner = fmt::format("{} topics; {}", topics, internal::program_and_version());
  return chart;
}

}  // namespace

double internal::least_move_of(std::vector<double> moves) {
  constexpr std::size_t kMostMovers = 8;
  std::sort(moves.begin(), moves.end(), std::greater<>());
  if (moves.empty() || moves.front() <= 0) return 0;
  std::size_t count = std::min(moves.size(), kMostMovers);
  const auto continues = [&](std::size_t n) { return n < moves.size() && moves[n] == moves[n - 1]; };
  while (count > 0 && (continues(count) || moves[count - 1] <= 0)) --count;
  return count > 0 ? moves[count - 1] : moves.front();
}

std::vector<Chart> comparison_plots(const ScoreMatrix& scores, const Comparison& comparison,
                                    const agreement::JudgmentComparison* judgments, std::optional<SystemPair> pair) {
  if (!pair) pair = {comparison.ranking[0], comparison.ranking[1]};
  std::vector<Chart> plots = {leaderboard(scores, comparison), significance_map(scores, comparison)};
  if (judgments != nullptr) plots.push_back(two_leaderboards(scores, comparison, *judgments));
  plots.push_back(topic_differences(scores, comparison, *pair));
  return plots;
}

std::string comparison_report(const ScoreMatrix& scores, const std::string& table, const std::vector<Chart>& plots) {
  html::Html figures;
  for (const auto& plot : plots) figures += html::element("h2", {}, plot.title) + internal::figure(plot);
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
