#pragma once

#include "formats/labeling/annotation.hpp"

#include <span>
#include <string_view>

namespace touchstone::annotation {

/// Guidelines that are part of the program, a file of configs/guidelines.
struct BuiltinGuidelines {
  std::string_view name;  ///< of the kind of task: "grade"
  std::string_view text;
};

std::span<const BuiltinGuidelines> builtin_guidelines();

/// Those for a kind of task.
inline std::string_view builtin_guidelines_of(formats::labeling::TaskKind kind) {
  for (const auto& guidelines : builtin_guidelines()) {
    if (guidelines.name == choice_text(kind)) return guidelines.text;
  }
  return {};
}

}  // namespace touchstone::annotation
