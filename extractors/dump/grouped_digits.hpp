#pragma once

#include <cstdint>
#include <string>

namespace touchstone::extractors::dump::internal {

/// 1234567 -> "1 234 567", for byte offsets in messages.
inline std::string grouped_digits(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

}  // namespace touchstone::extractors::dump::internal
