#include "collection/report/report_charts.hpp"

#include "collection/dataset_card.hpp"
#include "formats/text/field_text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace touchstone::formats::internal {
namespace {

std::string one_digit(double value) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 1);
  return {buffer, end.ptr};
}

std::string bar(double share) {
  return "<span class=\"bar\" style=\"inline-size:" + one_digit(std::clamp(share, 0.0, 1.0) * 100) + "%\"></span>";
}

std::string cell(std::uint64_t value) {
  return "<td class=\"n\">" + with_commas(value) + "</td>";
}

/// One column of a histogram: parts from below to above.
struct Column {
  std::string label;  ///< under the column; may be empty
  std::string tooltip;
  std::vector<std::uint64_t> parts;
};

std::uint64_t height_of(const Column& column) {
  std::uint64_t sum = 0;
  for (const auto part : column.parts) sum += part;
  return sum;
}

/// A step of the series 1, 2, 5, 10, ... that gives at most five lines up to `max`.
std::uint64_t grid_step(std::uint64_t max) {
  return bin_width(max, 5);
}

constexpr double kWidth = 640;
constexpr double kHeight = 240;
constexpr double kTop = 14;
constexpr double kBottom = 44;

std::string svg_text(double x, double y, const char* anchor, const char* style, std::string_view text) {
  return "<text x=\"" + one_digit(x) + "\" y=\"" + one_digit(y) + "\" text-anchor=\"" + anchor + "\" class=\"" + style +
         "\">" + escape_html(text) + "</text>";
}

std::string histogram(const std::vector<Column>& columns, std::string_view title, std::string_view x_title,
                      std::string_view y_title, bool labels_at_edges) {
  std::uint64_t max = 1;
  for (const auto& column : columns) max = std::max(max, height_of(column));
  const std::uint64_t step = grid_step(max);
  const std::uint64_t top = (max + step - 1) / step * step;
  // Room for the axis title and the longest number beside it.
  const double left = 34 + 6.5 * static_cast<double>(with_commas(top).size());
  const double plot_width = kWidth - left - 8;
  const double plot_height = kHeight - kTop - kBottom;
  const double slot = plot_width / static_cast<double>(columns.size());
  const auto y_of = [&](std::uint64_t value) {
    return kTop + plot_height * (1 - static_cast<double>(value) / static_cast<double>(top));
  };

  std::string out = "<svg class=\"chart\" viewBox=\"0 0 " + one_digit(kWidth) + " " + one_digit(kHeight) +
                    "\" role=\"img\" aria-label=\"" + escape_html(title) + "\">";
  for (std::uint64_t value = 0; value <= top; value += step) {
    out += "<line class=\"grid\" x1=\"" + one_digit(left) + "\" x2=\"" + one_digit(kWidth - 8) + "\" y1=\"" +
           one_digit(y_of(value)) + "\" y2=\"" + one_digit(y_of(value)) + "\"/>";
    out += svg_text(left - 6, y_of(value) + 4, "end", "tick", with_commas(value));
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = left + slot * static_cast<double>(i);
    const double gap = std::min(3.0, slot * 0.15);
    std::uint64_t below = 0;
    out += "<g><title>" + escape_html(columns[i].tooltip) + "</title>";
    // An unseen strip over the whole height, so that low columns show their tooltip too.
    out += "<rect class=\"hit\" x=\"" + one_digit(x) + "\" y=\"" + one_digit(kTop) + "\" width=\"" + one_digit(slot) +
           "\" height=\"" + one_digit(plot_height) + "\"/>";
    for (std::size_t part = 0; part < columns[i].parts.size(); ++part) {
      const std::uint64_t value = columns[i].parts[part];
      if (value > 0) {
        out += "<rect class=\"part" + std::to_string(part) + "\" x=\"" + one_digit(x + gap) + "\" y=\"" +
               one_digit(y_of(below + value)) + "\" width=\"" + one_digit(std::max(slot - 2 * gap, 0.5)) +
               "\" height=\"" + one_digit(std::max(y_of(below) - y_of(below + value), 0.5)) + "\"/>";
      }
      below += value;
    }
    out += "</g>";
    if (!columns[i].label.empty()) {
      out += svg_text(labels_at_edges ? x : x + slot / 2, kHeight - kBottom + 16, "middle", "tick", columns[i].label);
    }
  }
  if (labels_at_edges) out += svg_text(kWidth - 8, kHeight - kBottom + 16, "middle", "tick", "1");
  out += svg_text(left + plot_width / 2, kHeight - 8, "middle", "axis", x_title);
  out += "<text class=\"axis\" text-anchor=\"middle\" transform=\"translate(12 " + one_digit(kTop + plot_height / 2) +
         ") rotate(-90)\">" + escape_html(y_title) + "</text>";
  return out + "</svg>";
}

}  // namespace

std::uint64_t bin_width(std::uint64_t max, std::uint64_t max_bins) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max() / 100;
  for (std::uint64_t power = 1; power < kLargest; power *= 10) {
    for (const std::uint64_t digit : {1U, 2U, 5U}) {
      if (max / (digit * power) + (max % (digit * power) == 0 ? 0 : 1) <= max_bins) return digit * power;
    }
  }
  return kLargest;
}

std::string bucket_table(const CollectionNumbers& numbers) {
  if (numbers.buckets.empty()) return "<p class=\"empty\">No topics.</p>";
  double max = 0;
  for (const auto& bucket : numbers.buckets) max = std::max(max, bucket.evidence_mean);
  std::string out =
      "<table class=\"bars\"><thead><tr><th scope=\"col\">members</th><th scope=\"col\" class=\"n\">topics</th>"
      "<th scope=\"col\" class=\"n\">members in all</th><th scope=\"col\" class=\"n\">evidence</th>"
      "<th scope=\"col\" class=\"wide\">evidence per topic (mean)</th></tr></thead><tbody>";
  for (const auto& bucket : numbers.buckets) {
    out += "<tr><th scope=\"row\">" + escape_html(bucket.label) + "</th>" + cell(bucket.topics) + cell(bucket.members) +
           cell(bucket.evidence) + "<td class=\"wide\"><span class=\"track\">" +
           bar(max > 0 ? bucket.evidence_mean / max : 0) + "</span><span class=\"value\">" +
           two_digits(bucket.evidence_mean) + "</span></td></tr>";
  }
  return out + "</tbody></table>";
}

std::string evidence_histogram(const std::vector<std::uint64_t>& evidence_per_topic) {
  if (evidence_per_topic.empty()) return "<p class=\"empty\">No topics.</p>";
  const std::uint64_t max = *std::max_element(evidence_per_topic.begin(), evidence_per_topic.end());
  const std::uint64_t width = bin_width(max + 1, 25);
  std::vector<Column> columns(static_cast<std::size_t>(max / width + 1));
  const std::size_t label_every = columns.size() > 13 ? 2 : 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::uint64_t first = i * width;
    const std::string range =
        width == 1 ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(first + width - 1);
    if (i % label_every == 0) columns[i].label = width == 1 ? range : std::to_string(first);
    columns[i].parts = {0};
    columns[i].tooltip = range;
  }
  for (const auto evidence : evidence_per_topic) ++columns[static_cast<std::size_t>(evidence / width)].parts[0];
  for (auto& column : columns) {
    column.tooltip += " evidence passages: " + with_commas(column.parts[0]) + " topics";
  }
  return histogram(columns, "Histogram: topics by number of evidence passages",
                   width == 1 ? "evidence passages" : "evidence passages (from; bins of " + with_commas(width) + ")",
                   "topics", false);
}

std::string probability_histogram(const std::array<std::array<std::uint64_t, 2>, kProbabilityBins>& probabilities) {
  std::vector<Column> columns;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double from = static_cast<double>(i) / static_cast<double>(kProbabilityBins);
    const double to = static_cast<double>(i + 1) / static_cast<double>(kProbabilityBins);
    total += probabilities[i][0] + probabilities[i][1];
    columns.push_back({i % 2 == 0 ? (i == 0 ? "0" : one_digit(from)) : "",
                       two_digits(from) + " to " + two_digits(to) + ": " + with_commas(probabilities[i][0]) + " no, " +
                           with_commas(probabilities[i][1]) + " yes",
                       {probabilities[i][0], probabilities[i][1]}});
  }
  if (total == 0) return "<p class=\"empty\">No judgment has a probability.</p>";
  return histogram(columns, "Histogram: judgments by the judge's probability of yes", "probability of yes", "judgments",
                   true);
}

std::string discarded_table(const std::map<std::string, std::uint64_t>& discarded) {
  if (discarded.empty()) return "<p class=\"empty\">Nothing was left out.</p>";
  std::vector<std::pair<std::string, std::uint64_t>> rows(discarded.begin(), discarded.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const double max = static_cast<double>(std::max<std::uint64_t>(rows.front().second, 1));
  std::string out =
      "<table class=\"bars\"><thead><tr><th scope=\"col\">reason</th><th scope=\"col\" class=\"wide\">count</th></tr>"
      "</thead><tbody>";
  for (const auto& [reason, count] : rows) {
    out += "<tr><th scope=\"row\">" + escape_html(reason) + "</th><td class=\"wide\"><span class=\"track\">" +
           bar(static_cast<double>(count) / max) + "</span><span class=\"value\">" + with_commas(count) +
           "</span></td></tr>";
  }
  return out + "</tbody></table>";
}

}  // namespace touchstone::formats::internal
