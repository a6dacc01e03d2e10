#include "common/unicode.hpp"
#include "extractors/internal/data_table.hpp"
#include "extractors/internal/entities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <vector>

namespace touchstone::extractors::internal {
namespace {

/// Its text takes two code points at most.
struct Entity {
  std::string_view name;
  std::array<char, 8> bytes;
  std::uint8_t size;
};

/// \param code_points  in hexadecimal digits, with blanks between them
Entity read_entity(const DataTable& table, std::string_view name, std::string_view code_points) {
  Entity entity{name, {}, 0};
  const char* const end = code_points.data() + code_points.size();
  for (const char* at = code_points.data();; ++at) {
    std::uint32_t value = 0;
    const auto [behind, error] = std::from_chars(at, end, value, 16);
    std::string text;
    if (error == std::errc() && value <= 0x10FFFF) append_utf8(text, value);
    if (text.empty() || entity.size + text.size() > entity.bytes.size() || (behind != end && *behind != ' '))
      throw_bad_row(table, code_points, "expected one or two code points with a blank between them");
    entity.size += static_cast<std::uint8_t>(text.copy(entity.bytes.data() + entity.size, text.size()));
    at = behind;
    if (at == end) return entity;
  }
}

std::vector<Entity> read_entities() {
  const DataTable& table = data_table("entities");
  std::vector<Entity> entities;
  for_each_row<2>(table, [&](const DataRow<2>& row) { entities.push_back(read_entity(table, row[0], row[1])); });
  return entities;
}

}  // namespace

std::string_view find_entity(std::string_view name) {
  static const std::vector<Entity> entities = read_entities();
  const auto found = std::lower_bound(entities.begin(), entities.end(), name,
                                      [](const Entity& a, std::string_view b) { return a.name < b; });
  return found != entities.end() && found->name == name ? std::string_view(found->bytes.data(), found->size)
                                                        : std::string_view();
}

}  // namespace touchstone::extractors::internal
