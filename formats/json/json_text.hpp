#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Writing JSON lines: fields stay in the order in which they are added, and equal values give equal bytes.
namespace touchstone::formats {

/// Appends `text` as a JSON string with its quotes. Quotes, backslashes, controls and the line separators U+0085,
/// U+2028 and U+2029 are escaped (some readers split lines at them); bytes that are not UTF-8 become U+FFFD; everything
/// else stays readable.
void append_json_string(std::string& out, std::string_view text);

/// `value` with at most `digits` digits after the point, at least one, and no trailing zeros beyond it: "0.25", "1.0".
/// \pre value is finite
std::string fixed_number(double value, int digits);

/// `value` rounded to `digits` digits after the point, so that it prints short.
double round_to(double value, int digits);

/// One JSON object on one line, built field by field:
/// `JsonLine().text("_id", id).begin("metadata").number("page_id", 3).end().line()` gives
/// `{"_id":"x","metadata":{"page_id":3}}` and a line end.
class JsonLine {
 public:
  JsonLine() { out_ += '{'; }

  JsonLine& text(std::string_view name, std::string_view value);
  /// The string, or null when it is empty.
  JsonLine& text_or_null(std::string_view name, std::string_view value);
  JsonLine& texts(std::string_view name, const std::vector<std::string>& values);
  JsonLine& number(std::string_view name, std::uint64_t value);
  JsonLine& boolean(std::string_view name, bool value);
  /// [[first, second], ...]
  JsonLine& ranges(std::string_view name, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& values);
  /// `json` is written as it is: a number, null, ...
  JsonLine& raw(std::string_view name, std::string_view json);
  JsonLine& begin(std::string_view name);
  JsonLine& end();

  /// The finished object with "\n"; the builder must not be used afterwards.
  std::string line();

 private:
  void name(std::string_view name);

  std::string out_;
  bool first_ = true;
};

}  // namespace touchstone::formats
