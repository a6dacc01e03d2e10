#pragma once

#include <string_view>

/// Texts of plots and reports with named fields. fmt fills in the `{fields}` of a script; a field without a value does
/// not compile.
namespace touchstone::analysis::presentation::internal {

/// Opens every script. `$d` holds the data, a row for each line of {data}. {facts} stand in the upper left corner.
inline constexpr std::string_view kScriptHead = R"(# {program}
set encoding utf8
set tmargin 2
set label {facts} at character 1,screen 1 offset 0,-0.7 left noenhanced font ',8' textcolor rgb '#777777'
set border 3 lc rgb '#555555'
set tics nomirror out
set grid lc rgb '#e4e4e4' lw 1
$d << EOD
{data}EOD
)";

/// Columns of the data: rank, mean, low, high, 1 inside a bracket.
inline constexpr std::string_view kLeaderboardScript = R"({head}set ytics ({systems}) noenhanced font ',9'
set yrange [{lowest_rank}:0.3]
set xrange [{left}:{right}]
set xlabel {axis} noenhanced
unset key
{marks}plot $d using 2:1:3:4 with xerrorbars pt 0 lc rgb '#b5b5b5' lw 1.5, '' using ($5==0?$2:NaN):1 with points pt 7 ps 0.6 lc rgb '{grey}', '' using ($5==1?$2:NaN):1 with points pt 7 ps 0.8 lc rgb '{blue}'
)";

/// A bracket around systems that follow each other.
inline constexpr std::string_view kBracket =
    R"(set arrow from {right},{top} to {right},{bottom} nohead lc rgb '{blue}' lw 2
set arrow from {tip},{top} to {right},{top} nohead lc rgb '{blue}' lw 2
set arrow from {tip},{bottom} to {right},{bottom} nohead lc rgb '{blue}' lw 2
)";
/// The mean of the best system, which the bars of the others are compared with.
inline constexpr std::string_view kBestLine =
    R"(set arrow from {best},{lowest_rank} to {best},0.3 nohead lc rgb '{blue}' dt 2
)";

/// The data is a matrix: 0 not significant, 1 to 3 by falling p-value, NaN for no square.
inline constexpr std::string_view kSignificanceScript =
    R"({head}set ytics ({systems}) noenhanced font ',{font_size}' scale 0
set yrange [{end}:-0.5]
set xrange [-0.5:{end}]
unset grid
set border 0
set rmargin 16
set xtics scale 0 font ',9' ({ranks})
set xlabel {axis} noenhanced
set palette maxcolors 4 defined (0 '#e8e8e8', 1 '#9ecae1', 2 '#4292c6', 3 '#08306b')
set cbrange [-0.5:3.5]
set cbtics scale 0 ('not significant' 0, 'significant' 1, 'p <= .01' 2, 'p <= .001' 3)
plot $d matrix using 1:2:3 with image notitle
)";

/// Columns of the data: place, difference.
inline constexpr std::string_view kTopicsScript = R"({head}set tmargin 4
set title {pair} noenhanced
set style fill solid 1 noborder
set boxwidth 0.8
set xrange [-1:{topics}]
set xzeroaxis lt 1 lc rgb '#555555'
unset key
set ylabel {axis} noenhanced
{topic_axis}plot $d using 1:($2>=0?$2:NaN) with boxes lc rgb '{blue}', '' using 1:($2<0?$2:NaN) with boxes lc rgb '{orange}'
)";
inline constexpr std::string_view kNamedTopicAxis =
    R"(set xtics ({topics}) rotate by 90 right noenhanced font ',8' scale 0
set xlabel {axis} noenhanced
)";
inline constexpr std::string_view kUnnamedTopicAxis = R"(set xlabel {axis} noenhanced
)";

/// Columns of the data: rank by the first judgments, rank by the other, 1 for a system that moves far. The margins
/// leave kPointAreaWidth x kPointAreaHeight pixels.
inline constexpr std::string_view kLeaderboardsScript = R"({head}set lmargin at screen {left}
set rmargin at screen {right}
set bmargin at screen {bottom}
set tmargin at screen {top}
set xrange [{end}:0]
set yrange [{end}:0]
set xtics ({ranks})
set ytics ({ranks})
unset key
set xlabel {first_axis} noenhanced
set ylabel {other_axis} noenhanced
set arrow from {end},{end} to 0,0 nohead lc rgb '#555555' dt 2
{labels}plot $d using ($3==0?$1:NaN):2 with points pt 7 ps 0.7 lc rgb '{blue}', '' using ($3==1?$1:NaN):2 with points pt 7 ps 0.9 lc rgb '{orange}'
)";
inline constexpr std::string_view kPointLabel =
    R"(set label {name} at {x:.4f},{y:.4f} center font ',9' noenhanced
)";
/// From a point to a name that stands further off.
inline constexpr std::string_view kPointLine =
    R"(set arrow from {x},{y} to {name_x:.4f},{name_y:.4f} nohead lc rgb '#b5b5b5' lw 1
)";

/// Draws a script as SVG, then as PNG.
inline constexpr std::string_view kDrawScript =
    R"(set terminal svg size {width},{height} dynamic font 'sans-serif,11' name '{name}' background '#ffffff'
set output {svg}
{script}unset output
set terminal pngcairo size {width},{height} font 'sans-serif,9'
set output {png}
replot
unset output
)";

}  // namespace touchstone::analysis::presentation::internal
