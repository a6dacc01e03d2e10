#pragma once

#include "analysis/presentation/statistics_text.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::analysis::internal {

using Json = nlohmann::ordered_json;

/// Rows of text in columns: the first to the left, numbers to the right, or parted by tabs.
class TextTable {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Columns two blanks apart, padded to the widest cell (in bytes; names are ASCII by the formats' rule).
  std::string aligned(std::size_t left_columns = 1) const {
    std::vector<std::size_t> widths;
    for (const auto& cells : rows_) {
      widths.resize(std::max(widths.size(), cells.size()));
      for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
    }
    std::string out;
    for (const auto& cells : rows_) {
      std::string line;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        if (c > 0) line += "  ";
        line +=
            c < left_columns ? fmt::format("{:<{}}", cells[c], widths[c]) : fmt::format("{:>{}}", cells[c], widths[c]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

  std::string tabbed() const {
    std::string out;
    for (const auto& cells : rows_) out += fmt::format("{}\n", fmt::join(cells, "\t"));
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Four decimals for people.
inline std::string short_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value == 0 ? 0 : value);
}
/// The shortest text that reads back as the same number.
inline std::string full_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", value == 0 ? 0 : value);
}
/// How a format other than JSON writes numbers.
inline auto number_text(StatisticsFormat format) {
  return format == StatisticsFormat::kTable ? short_number : full_number;
}
/// NaN and infinity are null in JSON.
inline Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
inline std::string json_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace touchstone::analysis::internal
