#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/gnuplot.hpp"
#include "analysis/significance/distributions.hpp"
#include "analysis/significance/paired_tests.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/html/html.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis {
namespace {

// Blue, orange and grey of the Okabe-Ito palette, which people with any colour vision tell apart.
constexpr const char* kBlue = "#0072b2";
constexpr const char* kOrange = "#d55e00";
constexpr const char* kGrey = "#8c8c8c";
constexpr int kRowHeight = 15, kMargins = 110;
constexpr std::size_t kNamedMovers = 8;

constexpr const char* kCommon =
    "set encoding utf8\nset border 3 lc rgb '#555555'\nset tics nomirror out\nset grid lc rgb '#e4e4e4' lw 1\n";

/// A name between single quotes, where gnuplot looks for no escapes and runs nothing.
std::string name_in_quotes(std::string_view name) {
  std::string out = "'";
  for (const char c : name) {
    if (c == '\'') out += c;
    out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return out + "'";
}

/// The same as a tic's label, where a percent sign would start a number format.
std::string tic_label(std::string_view name) {
  std::string out;
  for (const char c : name_in_quotes(name)) out.append(c == '%' ? 2 : 1, c);
  return out;
}

std::size_t longest_name(const ScoreMatrix& scores) {
  std::size_t longest = 0;
  for (const auto& name : scores.systems) longest = std::max(longest, name.size());
  return std::min<std::size_t>(longest, 48);
}

/// Half the width of a system's interval.
double half_interval(const ScoreMatrix& scores, const Comparison& comparison, std::size_t system) {
  if (comparison.critical_difference) return *comparison.critical_difference / 2;
  const std::size_t topics = scores.topics.size();
  const std::span<const double> row(scores.values.data() + system * topics, topics);
  const auto n = static_cast<double>(topics);
  return internal::t_critical(comparison.options.alpha, n - 1) * internal::moments(row).deviation / std::sqrt(n);
}

Plot leaderboard(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  const auto bracket = comparison.not_worse_than_best();
  std::size_t last = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::string data, labels;
  for (std::size_t r = 0; r < count; ++r) {
    const auto system = comparison.ranking[r];
    const double mean = comparison.means[system], half = half_interval(scores, comparison, system);
    low = std::min(low, mean - half);
    high = std::max(high, mean + half);
    if (bracket[r]) last = r;
    data += fmt::format("{} {} {} {} {}\n", r + 1, mean, mean - half, mean + half, bracket[r] ? 1 : 0);
    labels += fmt::format("{}{} {}", r > 0 ? "," : "", tic_label(scores.systems[system]), r + 1);
  }
  const double margin = (high - low) * 0.04, side = high + margin;
  Plot plot;
  plot.name = "leaderboard";
  plot.title = "Leaderboard";
  plot.caption = std::string("Means over topics. ") +
                 (comparison.critical_difference
                      ? "Bars are half the critical difference to each side: two systems whose bars do not overlap "
                        "differ significantly. "
                      : "Bars are intervals of each mean by itself; pairs are tested on their differences, so bars of "
                        "systems that differ may overlap. ") +
                 "Blue, and inside the bracket: not significantly worse than the best.";
  plot.width = 560 + static_cast<int>(longest_name(scores)) * 7;
  plot.height = kMargins + kRowHeight * static_cast<int>(count);
  plot.script = fmt::format(
      "{}$d << EOD\n{}EOD\nset ytics ({}) noenhanced font ',9'\nset yrange [{}:0.3]\nset xrange [{}:{}]\n"
      "set xlabel 'mean over {} topics'\nunset key\n"
      "set arrow from {},{} to {},{} nohead lc rgb '{}' lw 2\n"
      "set arrow from {},{} to {},{} nohead lc rgb '{}' lw 2\nset arrow from {},{} to {},{} nohead lc rgb '{}' lw 2\n"
      "plot $d using 2:1:3:4 with xerrorbars pt 0 lc rgb '#b5b5b5' lw 1.5, "
      "'' using ($5==0?$2:NaN):1 with points pt 7 ps 0.6 lc rgb '{}', "
      "'' using ($5==1?$2:NaN):1 with points pt 7 ps 0.8 lc rgb '{}'\n",
      kCommon, data, labels, static_cast<double>(count) + 0.7, low - margin, side + margin, scores.topics.size(), side,
      0.6, side, static_cast<double>(last) + 1.4, kBlue, side - margin / 3, 0.6, side, 0.6, kBlue, side - margin / 3,
      static_cast<double>(last) + 1.4, side, static_cast<double>(last) + 1.4, kBlue, kGrey, kBlue);
  return plot;
}

Plot significance_map(const ScoreMatrix& scores, const Comparison& comparison) {
  const std::size_t count = comparison.ranking.size();
  std::string data, labels;
  for (std::size_t r = 0; r < count; ++r) {
    labels += fmt::format("{}{} {}", r > 0 ? "," : "", tic_label(scores.systems[comparison.ranking[r]]), r);
    for (std::size_t c = 0; c < count; ++c) {
      // 0 no significant difference, 1 to 3 by how small p is; the diagonal and what lies above it stay empty.
      if (c >= r) {
        data += "NaN ";
        continue;
      }
      const auto& pair = comparison.at_ranks(c, r);
      data += !pair.significant ? "0 " : pair.p_value > 0.01 ? "1 " : pair.p_value > 0.001 ? "2 " : "3 ";
    }
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
  plot.width = std::max(420, 150 + cell * static_cast<int>(count)) + static_cast<int>(longest_name(scores)) * 6;
  plot.height = 130 + std::max(160, cell * static_cast<int>(count));
  plot.script = fmt::format(
      "{}$d << EOD\n{}EOD\nset ytics ({}) noenhanced font ',{}' scale 0\nset yrange [{}:-0.5]\nset xrange [-0.5:{}]\n"
      "unset grid\nset border 0\nset rmargin 16\nset xtics scale 0 font ',9' ({})\nset xlabel 'rank of the better "
      "system'\n"
      "set palette maxcolors 4 defined (0 '#e8e8e8', 1 '#9ecae1', 2 '#4292c6', 3 '#08306b')\nset cbrange [-0.5:3.5]\n"
      "set cbtics scale 0 ('not significant' 0, 'significant' 1, 'p <= .01' 2, 'p <= .001' 3)\n"
      "plot $d matrix using 1:2:3 with image notitle\n",
      kCommon, data, labels,
      count > 80   ? 6
      : count > 40 ? 7
                   : 9,
      static_cast<double>(count) - 0.5, static_cast<double>(count) - 0.5, [&] {
        std::string tics;
        const std::size_t step = count > 60 ? 10 : count > 20 ? 5 : 1;
        for (std::size_t r = 1; r <= count; r += r == 1 && step > 1 ? step - 1 : step)
          tics += fmt::format("{}'{}' {}", tics.empty() ? "" : ",", r, r - 1);
        return tics;
      }());
  return plot;
}

Plot topic_differences(const ScoreMatrix& scores, const Comparison& comparison) {
  const auto& pair = comparison.at_ranks(0, 1);
  std::vector<std::size_t> order(scores.topics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto difference = [&](std::size_t t) { return scores.at(pair.first, t) - scores.at(pair.second, t); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return difference(a) > difference(b); });
  std::string data, labels;
  for (std::size_t i = 0; i < order.size(); ++i) {
    data += fmt::format("{} {}\n", i, difference(order[i]));
    labels += fmt::format("{}{} {}", i > 0 ? "," : "", tic_label(scores.topics[order[i]]), i);
  }
  const bool labelled = order.size() <= 100;
  Plot plot;
  plot.name = "topics";
  plot.title = "The two best systems, topic by topic";
  plot.caption = fmt::format(
      "Score of {} minus score of {} on each topic, sorted; p = {:.4g}. A few large bars mean that "
      "few topics decide.",
      scores.systems[pair.first], scores.systems[pair.second], pair.p_value);
  plot.width = std::clamp(140 + 14 * static_cast<int>(order.size()), 420, 1600);
  plot.height = 420;
  plot.script = fmt::format(
      "{}$d << EOD\n{}EOD\nset style fill solid 1 noborder\nset boxwidth 0.8\nset xrange [-1:{}]\n"
      "set xzeroaxis lt 1 lc rgb '#555555'\nunset key\nset ylabel 'difference'\n{}"
      "plot $d using 1:($2>=0?$2:NaN) with boxes lc rgb '{}', '' using 1:($2<0?$2:NaN) with boxes lc rgb '{}'\n",
      kCommon, data, order.size(),
      labelled ? "set xtics (" + labels + ") rotate by 90 right noenhanced font ',8' scale 0\nset xlabel 'topic'\n"
               : "set xlabel 'topics, sorted'\n",
      kBlue, kOrange);
  return plot;
}

/// A rectangle on the plot of two leaderboards, in pixels from its upper left corner.
struct Box {
  double left, top, right, bottom;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};
constexpr double kPlotWidth = 660, kPlotHeight = 600;
constexpr double kLetterWidth = 6, kLetterHeight = 12, kPointSize = 6;

/// Where a name stands beside its point, as gnuplot says it.
struct Place {
  const char *align, *offset;
  double across, down;  ///< of the name's middle, in widths and heights of name and point together
};
constexpr Place kPlaces[] = {
    {"left", "0.8,0", 1, 0}, {"right", "-0.8,0", -1, 0}, {"center", "0,0.7", 0, -1}, {"center", "0,-0.7", 0, 1}};

Box name_box(double x, double y, std::size_t letters, const Place& place) {
  const double half_width = static_cast<double>(letters) * kLetterWidth / 2, half_height = kLetterHeight / 2;
  x += place.across * (half_width + kPointSize);
  y += place.down * (half_height + kPointSize / 2);
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

/// The places of all systems on a plot of two rankings, and the names of those that move furthest, where there is room.
class NamedPoints {
 public:
  NamedPoints(const ScoreMatrix& scores, const Comparison& comparison, const std::vector<std::size_t>& other_rank)
      : scores_(scores), comparison_(comparison), other_rank_(other_rank), named_(comparison.ranking.size()) {
    std::vector<std::size_t> order(comparison.ranking.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const auto r : order) taken_.push_back(point_box(r));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
    for (std::size_t i = 0; i < std::min(order.size(), kNamedMovers); ++i) {
      if (moved(order[i]) > 0) place_name(order[i]);
    }
  }
  double end() const { return static_cast<double>(comparison_.ranking.size()) + 1; }
  bool is_named(std::size_t rank) const { return named_[rank]; }
  const std::string& labels() const { return labels_; }

 private:
  double other_rank(std::size_t rank) const { return static_cast<double>(other_rank_[comparison_.ranking[rank]]); }
  double moved(std::size_t rank) const { return std::abs(other_rank(rank) - static_cast<double>(rank)); }
  double x(std::size_t rank) const { return (end() - static_cast<double>(rank) - 1) / end() * kPlotWidth; }
  double y(std::size_t rank) const { return (other_rank(rank) + 1) / end() * kPlotHeight; }
  Box point_box(std::size_t rank) const {
    constexpr double kHalf = kPointSize / 2;
    return {x(rank) - kHalf, y(rank) - kHalf, x(rank) + kHalf, y(rank) + kHalf};
  }
  void place_name(std::size_t rank) {
    const std::string& name = scores_.systems[comparison_.ranking[rank]];
    for (const auto& place : kPlaces) {
      const Box box = name_box(x(rank), y(rank), name.size(), place);
      const bool inside = box.left >= 0 && box.top >= 0 && box.right <= kPlotWidth && box.bottom <= kPlotHeight;
      if (!inside || std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.meets(other); }))
        continue;
      taken_.push_back(box);
      named_[rank] = true;
      labels_ += fmt::format("set label {} at {},{} {} offset {} font ',9' noenhanced\n", name_in_quotes(name),
                             rank + 1, other_rank(rank) + 1, place.align, place.offset);
      return;
    }
  }

  const ScoreMatrix& scores_;
  const Comparison& comparison_;
  const std::vector<std::size_t>& other_rank_;  ///< [systems]
  std::vector<bool> named_;                     ///< [ranks]
  std::vector<Box> taken_;
  std::string labels_;
};

Plot two_leaderboards(const ScoreMatrix& scores, const Comparison& comparison, const Comparison& other) {
  std::vector<std::size_t> rank(other.ranking.size());
  for (std::size_t r = 0; r < rank.size(); ++r) rank[other.ranking[r]] = r;
  const NamedPoints points(scores, comparison, rank);
  std::string data;
  for (std::size_t r = 0; r < comparison.ranking.size(); ++r)
    data += fmt::format("{} {} {}\n", r + 1, rank[comparison.ranking[r]] + 1, points.is_named(r) ? 1 : 0);
  Plot plot;
  plot.name = "leaderboards";
  plot.title = "The two leaderboards against each other";
  plot.caption =
      "Rank by the first judgments against rank by the other; on the line the rank is the same. Orange and "
      "named: the systems that move furthest, where the name has room.";
  plot.width = 760;
  plot.height = 680;
  plot.script = fmt::format(
      "{}$d << EOD\n{}EOD\nset xrange [{}:0]\nset yrange [{}:0]\nunset key\nset xlabel 'rank by the first judgments'\n"
      "set ylabel 'rank by the other judgments'\nset rmargin 4\nset arrow from {},{} to 0,0 nohead lc rgb '#555555' dt "
      "2\n{}"
      "plot $d using ($3==0?$1:NaN):2 with points pt 7 ps 0.7 lc rgb '{}', "
      "'' using ($3==1?$1:NaN):2 with points pt 7 ps 0.9 lc rgb '{}'\n",
      kCommon, data, points.end(), points.end(), points.end(), points.end(), points.labels(), kBlue, kOrange);
  return plot;
}

/// Of the report's pictures while they are made.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "touchstone-plots-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw StorageError("cannot make a folder under " + name + " for the plots");
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
                                   const JudgmentComparison* judgments) {
  std::vector<Plot> plots = {leaderboard(scores, comparison), significance_map(scores, comparison)};
  if (judgments != nullptr) plots.push_back(two_leaderboards(scores, comparison, judgments->other));
  plots.push_back(topic_differences(scores, comparison));
  return plots;
}

void write_plots(const std::vector<Plot>& plots, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw StorageError("cannot make the folder " + folder.string() + ": " + failed.message());
  for (const auto& plot : plots) {
    const auto file = [&](const char* end) { return (folder / (plot.name + end)).string(); };
    const auto in_quotes = [](const std::string& path) {
      std::string out;
      for (const char c : path) out += c == '\'' ? "''" : std::string(1, c);
      return out;
    };
    write_file_atomically(
        file(".gp"),
        fmt::format("set terminal svg size {0},{1} dynamic font 'sans-serif,11' name '{2}' background '#ffffff'\n"
                    "set output '{3}'\n{4}unset output\n"
                    "set terminal pngcairo size {0},{1} font 'sans-serif,9'\nset output '{5}'\nreplot\nunset output\n",
                    plot.width, plot.height, plot.name, in_quotes(file(".svg")), plot.script, in_quotes(file(".png"))));
    internal::run_gnuplot(file(".gp"));
  }
}

std::string comparison_report(const std::string& table, const std::vector<Plot>& plots) {
  const ScratchFolder scratch;
  write_plots(plots, scratch.path);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Comparison of systems</title>\n"
      "<style>\nbody { font: 16px/1.5 sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222; "
      "}\n"
      "svg { max-width: 100%; height: auto; }\nsvg image { image-rendering: pixelated; }\npre { overflow-x: auto; "
      "font-size: 13px; line-height: 1.35; }\n"
      "figcaption { color: #555; max-width: 48rem; }\nfigure { margin: 0 0 2.5rem; }\n</style>\n</head>\n<body>\n"
      "<h1>Comparison of systems</h1>\n";
  page += "<p style=\"white-space: pre-line\">" + formats::html::escape(table.substr(0, table.find("\n\n"))) + "</p>\n";
  for (const auto& plot : plots) {
    const std::string svg = read_file(scratch.path / (plot.name + ".svg"));
    const auto start = svg.find("<svg");
    if (start == std::string::npos) throw Error("gnuplot wrote no SVG for the plot " + plot.name + "; is it complete?");
    page += fmt::format("<h2>{}</h2>\n<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
                        formats::html::escape(plot.title), svg.substr(start), formats::html::escape(plot.caption));
  }
  return page + "<h2>Numbers</h2>\n<pre>" + formats::html::escape(table) + "</pre>\n</body>\n</html>\n";
}

}  // namespace touchstone::analysis
