#pragma once

#include <span>
#include <string_view>

namespace touchstone::pipeline::headings {

/// A file of configs/headings/ as it was when the program was built.
struct BuiltinHeadings {
  std::string_view language;
  std::string_view source;
};

std::span<const BuiltinHeadings> builtin_headings();

}  // namespace touchstone::pipeline::headings
