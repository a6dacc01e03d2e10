#include "formats/json/json_text.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace touchstone::formats {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const char32_t c = next_code_point(text, i);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case kReplacementCharacter:
        append_utf8(out, c);
        break;
      default:
        if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029) {
          char escaped[8];
          std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
          out += escaped;
        } else {
          out.append(text.substr(start, i - start));
        }
    }
  }
  out += '"';
}

std::string fixed_number(double value, int digits) {
  TS_CHECK(std::isfinite(value) && digits > 0, "a number that JSON can hold");
  char buffer[400];  // to_chars knows no locale, so the point stays a point
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value, std::chars_format::fixed, digits);
  TS_CHECK(end.ec == std::errc(), "the longest double fits");
  std::string out(buffer, end.ptr);
  while (out.back() == '0' && out[out.size() - 2] != '.') out.pop_back();
  return out;
}

double round_to(double value, int digits) {
  const double factor = std::pow(10.0, digits);
  return std::round(value * factor) / factor;
}

void JsonLine::name(std::string_view name) {
  if (!first_) out_ += ',';
  first_ = false;
  append_json_string(out_, name);
  out_ += ':';
}

JsonLine& JsonLine::text(std::string_view field, std::string_view value) {
  name(field);
  append_json_string(out_, value);
  return *this;
}

JsonLine& JsonLine::text_or_null(std::string_view field, std::string_view value) {
  return value.empty() ? raw(field, "null") : text(field, value);
}

JsonLine& JsonLine::texts(std::string_view field, const std::vector<std::string>& values) {
  name(field);
  out_ += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += ',';
    append_json_string(out_, values[i]);
  }
  out_ += ']';
  return *this;
}

JsonLine& JsonLine::number(std::string_view field, std::uint64_t value) {
  return raw(field, std::to_string(value));
}

JsonLine& JsonLine::boolean(std::string_view field, bool value) {
  return raw(field, value ? "true" : "false");
}

JsonLine& JsonLine::ranges(std::string_view field, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& values) {
  name(field);
  out_ += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += ',';
    out_ += '[';
    out_ += std::to_string(values[i].first);
    out_ += ',';
    out_ += std::to_string(values[i].second);
    out_ += ']';
  }
  out_ += ']';
  return *this;
}

JsonLine& JsonLine::raw(std::string_view field, std::string_view json) {
  name(field);
  out_ += json;
  return *this;
}

JsonLine& JsonLine::begin(std::string_view field) {
  name(field);
  out_ += '{';
  first_ = true;
  return *this;
}

JsonLine& JsonLine::end() {
  out_ += '}';
  first_ = false;
  return *this;
}

std::string JsonLine::line() {
  out_ += "}\n";
  return std::move(out_);
}

}  // namespace touchstone::formats
