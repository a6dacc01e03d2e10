#include "formats/fields/safe_id.hpp"

#include <cstddef>

namespace touchstone::formats::fields {
namespace {

constexpr std::size_t kMaxIdBytes = 200;

}  // namespace

std::string why_unsafe_id(std::string_view id) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (id.empty()) return "is empty";
  if (id.size() > kMaxIdBytes) return "is longer than " + std::to_string(kMaxIdBytes) + " bytes";
  for (const char c : id) {
    if (is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == ':' || c == '~') continue;
    if (c == ' ' || (c >= '\t' && c <= '\r')) return "holds white space";
    if (c == '"' || c == '\'') return "holds a quote";
    if (c == '/' || c == '\\') return "holds a slash";
    if (static_cast<unsigned char>(c) >= 0x80) return "holds a character outside ASCII";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "holds a control character";
    return std::string("holds '") + c + "'";
  }
  if (!is_letter_or_digit(id.front())) return std::string("starts with '") + id.front() + "'";
  return "";
}

}  // namespace touchstone::formats::fields
