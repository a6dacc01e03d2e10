#include "pipeline/automatic/selection/splits.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <charconv>

namespace touchstone::pipeline::automatic::selection {
namespace {

constexpr std::uint64_t kPrime = 16777619;

void mix_unit(std::uint64_t& hash, std::uint32_t utf16_unit) noexcept {
  hash = (hash * kPrime) ^ (utf16_unit & 0xFFU);
  hash = (hash * kPrime) ^ (utf16_unit >> 8U);
}

char32_t lower_case_letter(char32_t letter) {
  std::string text;
  append_utf8(text, letter);
  const std::string lower = lower_case(text);
  std::size_t at = 0;
  return next_code_point(lower, at);
}

}  // namespace

std::int64_t car_title_hash(std::string_view title, std::int64_t salt) {
  auto hash = static_cast<std::uint64_t>(salt);
  if (title.empty()) return salt;
  std::size_t at = 0;
  const char32_t first = next_code_point(title, at);
  while (at < title.size()) {
    const char32_t code_point = next_code_point(title, at);
    if (code_point < 0x10000) {
      mix_unit(hash, code_point);
    } else {
      mix_unit(hash, 0xD800U + ((code_point - 0x10000U) >> 10U));
      mix_unit(hash, 0xDC00U + ((code_point - 0x10000U) & 0x3FFU));
    }
  }
  return static_cast<std::int64_t>((hash * kPrime) ^ lower_case_letter(first));
}

std::uint64_t salted_title_hash(std::string_view title, std::string_view salt) {
  const std::string digest = sha1_hex(std::string(salt) + '\n' + std::string(title));
  std::uint64_t hash = 0;
  std::from_chars(digest.data(), digest.data() + 16, hash, 16);
  return hash;
}

TitleSplit split_of(std::string_view title, const SplitScheme& scheme) {
  const std::uint64_t classes = std::uint64_t{2} * scheme.folds;
  const std::uint64_t place = scheme.salt.empty() ? floor_remainder(car_title_hash(title), classes)
                                                  : salted_title_hash(title, scheme.salt) % classes;
  return {place % 2 == 1, static_cast<std::uint32_t>(place / 2)};
}

}  // namespace touchstone::pipeline::automatic::selection
