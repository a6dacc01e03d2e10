#pragma once

#include "common/options.hpp"
#include "formats/json/field_reader.hpp"

#include <string>
#include <string_view>

/// Fields that a line may leave out.
namespace touchstone::formats::labeling::internal {

inline std::string text_or_empty(json::FieldReader& fields, std::string_view name) {
  return fields.has(name) ? fields.text(name) : std::string();
}

inline bool is_set(json::FieldReader& fields, std::string_view name) {
  return fields.has(name) && fields.boolean(name);
}

/// Fails if the field is there and holds no text of the enum's table.
template <class Enum>
Enum choice_or(json::FieldReader& fields, std::string_view name, Enum otherwise) {
  if (!fields.has(name)) return otherwise;
  const auto text = fields.text(name);
  for (const auto& choice : Choices<Enum>::table) {
    if (choice.text == text) return choice.value;
  }
  fields.fail("has an unknown " + std::string(name) + " \"" + text + "\"; correct it");
  return otherwise;
}

}  // namespace touchstone::formats::labeling::internal
