#include "extractors/scan/entities.hpp"

#include "common/unicode.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

namespace touchstone::extractors::scan {
using namespace data;
namespace {

struct Entity {
  std::string_view name;
  std::array<char, 8> bytes;  ///< two code points take no more
  std::uint8_t size;
};

Entity read_entity(const DataTable& table, const DataRow<2>& row) {
  std::string text;
  for_each_part(row[1], ' ', [&](std::string_view digits) {
    std::uint32_t code_point = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code_point, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || code_point > 0x10FFFF)
      throw_bad_row(table, digits, "expected code points with a blank between them");
    append_utf8(text, code_point);
  });
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

constexpr std::size_t kMaxNameBytes = 32;
constexpr char32_t kTooLarge = 0x110000;

/// Control characters and surrogates cannot be written as references.
bool is_allowed(char32_t c) noexcept {
  return c == 9 || c == 10 || (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) ||
         (c >= 0x10000 && c < kTooLarge);
}

int digit_value(char c, int base) noexcept {
  return hex_value(c) < base ? hex_value(c) : -1;
}

/// Code points that Unicode keeps for the inside of programs; they show nothing.
bool is_noncharacter(char32_t value) noexcept {
  return (value & 0xFFFE) == 0xFFFE || (value >= 0xFDD0 && value <= 0xFDEF);
}

}  // namespace

std::string_view find_entity(std::string_view name) {
  static const std::vector<Entity> entities = read_entities();
  const auto found = std::lower_bound(entities.begin(), entities.end(), name,
                                      [](const Entity& a, std::string_view b) { return a.name < b; });
  if (found == entities.end() || found->name != name) return {};
  return {found->bytes.data(), found->size};
}

std::size_t decode_reference(std::string_view text, std::string& out) {
  if (text.size() < 3) return 0;
  if (text[1] == '#') {
    std::size_t i = 2;
    int base = 10;
    if (text[i] == 'x' || text[i] == 'X') {
      base = 16;
      ++i;
    }
    const std::size_t first_digit = i;
    char32_t value = 0;
    for (; i < text.size(); ++i) {
      const int digit = digit_value(text[i], base);
      if (digit < 0) break;
      value = value >= kTooLarge ? kTooLarge : value * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
    }
    if (i == first_digit || i >= text.size() || text[i] != ';' || !is_allowed(value)) return 0;
    if (!is_noncharacter(value)) append_utf8(out, value);
    return i + 1;
  }
  std::size_t i = 1;
  while (i < text.size() && i <= kMaxNameBytes &&
         (is_alphanumeric(text[i]) || static_cast<unsigned char>(text[i]) >= 0x80))
    ++i;
  if (i == 1 || i >= text.size() || text[i] != ';') return 0;
  const std::string_view found = find_entity(text.substr(1, i - 1));
  if (found.empty()) return 0;
  out.append(found);
  return i + 1;
}

/// The length of a numeric reference at the start of the text, valid or not; 0 if there is no such reference.
std::size_t number_reference_length(std::string_view text) noexcept {
  if (text.size() < 4 || text[1] != '#') return 0;
  const int base = text[2] == 'x' || text[2] == 'X' ? 16 : 10;
  const std::size_t first_digit = base == 16 ? 3 : 2;
  std::size_t i = first_digit;
  while (i < text.size() && digit_value(text[i], base) >= 0) ++i;
  return i > first_digit && i < text.size() && text[i] == ';' ? i + 1 : 0;
}

std::string decode_references(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t ampersand = text.find('&');
    out.append(text.substr(0, ampersand));
    if (ampersand == std::string_view::npos) return out;
    text.remove_prefix(ampersand);
    std::size_t read = decode_reference(text, out);
    if (read == 0) {
      read = number_reference_length(text);
      if (read > 0) append_utf8(out, kReplacementCharacter);
    }
    if (read == 0) {
      out.push_back('&');
      read = 1;
    }
    text.remove_prefix(read);
  }
}

}  // namespace touchstone::extractors::scan
