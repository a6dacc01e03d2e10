#include "extractors/wikitext/blocks/table_attributes.hpp"

#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace touchstone::extractors::wikitext::blocks::internal {
using scan::decode_references;
using scan::trim_left;
using tokens::attribute_value;
using tokens::read_attributes;
namespace {

std::uint32_t read_number(std::string_view value, std::uint32_t absent) noexcept {
  value = trim_left(value);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc::result_out_of_range) return 65534;
  return error == std::errc() ? number : absent;
}

std::uint32_t read_span(std::string_view value, std::uint32_t absent) {
  if (value.find('&') == std::string_view::npos) return read_number(value, absent);
  return read_number(decode_references(value), absent);
}

}  // namespace

bool is_navigation(std::string_view attributes) noexcept {
  if (attribute_value(attributes, "id") == "toc") return true;
  std::string_view classes = attribute_value(attributes, "class");
  while (!classes.empty()) {
    const std::size_t end = std::min(classes.find(' '), classes.size());
    if (classes.substr(0, end) == "toc") return true;
    classes.remove_prefix(std::min(classes.size(), end + 1));
  }
  return false;
}

void read_spans(std::string_view attributes, WrittenCell& cell) {
  if (attributes.empty()) return;
  constexpr std::array<std::string_view, 2> kSpans = {"colspan", "rowspan"};
  std::array<std::string_view, kSpans.size()> values;
  read_attributes(attributes, kSpans, values);
  const auto [columns, rows] = values;
  cell.column_span = std::max<std::uint32_t>(1, columns.empty() ? 1 : read_span(columns, 1));
  cell.row_span = rows.empty() ? 1 : read_span(rows, 1);
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
