#pragma once

#include "common/error.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// Cutting a line of a column file into fields and reading their numbers. Fields are views into the line.
namespace touchstone::formats::fields {

/// Whether `c` is white space inside a line, as the C locale's isspace and so trec_eval see it.
inline bool is_field_blank(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

/// Cuts the next field off the line, without a copy or an allocation. Empty at the end of the line.
inline std::string_view next_field(std::string_view& line) noexcept {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at != end && is_field_blank(*at)) ++at;
  const char* const start = at;
  while (at != end && !is_field_blank(*at)) ++at;
  line = {at, static_cast<std::size_t>(end - at)};
  return {start, static_cast<std::size_t>(at - start)};
}

/// Fields parted by runs of white space; stops after `max_fields` of them.
inline std::vector<std::string_view> split_at_white_space(std::string_view line, std::size_t max_fields) {
  std::vector<std::string_view> fields;
  for (auto field = next_field(line); !field.empty() && fields.size() < max_fields; field = next_field(line))
    fields.push_back(field);
  return fields;
}

/// Parts between single separators; an empty part counts; stops after `max_parts` of them.
inline std::vector<std::string_view> split_at(std::string_view text, char separator,
                                              std::size_t max_parts = std::string_view::npos) {
  std::vector<std::string_view> parts;
  while (parts.size() < max_parts) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

/// Columns parted by single tabs.
inline std::vector<std::string_view> split_at_tabs(std::string_view line, std::size_t max_columns) {
  return split_at(line, '\t', max_columns);
}

/// Reads the whole of `text` as an integer from `low` to `high`: no sign "+", no blanks, no fraction. Returns false if
/// it is not one; `value` then keeps what it was.
template <class Integer>
bool parse_integer(std::string_view text, Integer low, Integer high, Integer& value) {
  Integer parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size() || parsed < low || parsed > high) return false;
  value = parsed;
  return true;
}

/// Reads the whole of `text` as a number, which may be infinite or NaN: no sign "+", no blanks. Returns false if it is
/// not one.
inline bool parse_real(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// Throws FormatError if line 1 of a column file starts with a byte-order mark.
inline void refuse_byte_order_mark(const std::filesystem::path& path, std::string_view line, std::uint64_t number) {
  if (number == 1 && line.starts_with("\xEF\xBB\xBF")) {
    throw FormatError(path.string() +
                      ":1: starts with a byte-order mark, which would become part of the first id; save the file as "
                      "UTF-8 without it");
  }
}

}  // namespace touchstone::formats::fields
