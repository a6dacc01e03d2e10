#include "common/unicode.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/entities.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace touchstone::extractors::scan {
using data::data_table;
using data::DataRow;
using data::DataTable;
using data::for_each_row;
using data::throw_bad_row;
namespace {

struct Entity {
  std::string_view name;
  std::array<char, 8> bytes;  ///< two code points take no more
  std::uint8_t size;
};

/// The value of upper-case hexadecimal digits; larger than any code point for other text.
char32_t read_hexadecimal(std::string_view digits) noexcept {
  constexpr char32_t kNone = 0x110000;
  constexpr std::size_t kMostDigits = 6;
  if (digits.empty() || digits.size() > kMostDigits) return kNone;
  char32_t value = 0;
  for (const char c : digits) {
    const bool letter = c >= 'A' && c <= 'F';
    if (!letter && (c < '0' || c > '9')) return kNone;
    value = value * 16 + static_cast<char32_t>(letter ? c - 'A' + 10 : c - '0');
  }
  return value;
}

Entity read_entity(const DataTable& table, const DataRow<2>& row) {
  std::string text;
  std::string_view rest = row[1];
  while (true) {
    const std::size_t blank = rest.find(' ');
    const char32_t code_point = read_hexadecimal(rest.substr(0, blank));
    if (code_point > 0x10FFFF) throw_bad_row(table, rest, "expected code points with a blank between them");
    append_utf8(text, code_point);
    if (blank == std::string_view::npos) break;
    rest.remove_prefix(blank + 1);
  }
  Entity entity{row[0], {}, static_cast<std::uint8_t>(text.size())};
  if (text.size() > entity.bytes.size()) throw_bad_row(table, row[1], "expected at most two code points");
  std::copy(text.begin(), text.end(), entity.bytes.begin());
  return entity;
}

std::vector<Entity> read_entities() {
  const DataTable& table = data_table("entities");
  std::vector<Entity> entities;
  for_each_row<2>(table, [&](const DataRow<2>& row) { entities.push_back(read_entity(table, row)); });
  return entities;
}

}  // namespace

std::string_view find_entity(std::string_view name) {
  static const std::vector<Entity> entities = read_entities();
  const auto found = std::lower_bound(entities.begin(), entities.end(), name,
                                      [](const Entity& a, std::string_view b) { return a.name < b; });
  if (found == entities.end() || found->name != name) return {};
  return {found->bytes.data(), found->size};
}

}  // namespace touchstone::extractors::scan
