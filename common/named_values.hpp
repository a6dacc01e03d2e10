#pragma once

#include "common/error.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

/// Tables of the names that enum values have on the command line and in outputs.
namespace touchstone {

/// The name of a value, its first one if it has several. \pre the table holds the value
template <class Value, std::size_t size>
std::string_view name_in(const std::pair<std::string_view, Value> (&table)[size], Value value) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.second == value; });
  TS_CHECK(found != std::end(table), "every value has a name");
  return found->first;
}

/// The value with this name, or null.
template <class Value, std::size_t size>
constexpr const Value* find_value(const std::pair<std::string_view, Value> (&table)[size], std::string_view name) {
  for (const auto& [known, value] : table) {
    if (known == name) return &value;
  }
  return nullptr;
}

}  // namespace touchstone
