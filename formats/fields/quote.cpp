#include "formats/fields/quote.hpp"

#include "common/unicode.hpp"
#include "formats/fields/one_line.hpp"

#include <cstddef>

namespace touchstone::formats::fields {
namespace {

constexpr std::size_t kMaxQuotedCodePoints = 60;

}  // namespace

std::string quote_for_message(std::string_view value) {
  std::size_t i = 0;
  for (std::size_t count = 0; i < value.size() && count < kMaxQuotedCodePoints; ++count) next_code_point(value, i);
  return "\"" + one_line(value.substr(0, i)) + (i < value.size() ? "..." : "") + "\"";
}

}  // namespace touchstone::formats::fields
