#include "extractors/html/inline_text.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace touchstone::extractors::html {
namespace {

bool is_control_character(char32_t c) {
  return c < 0x20 || c == 0x7F;
}

}  // namespace

void InlineText::add(char32_t code_point) {
  append_utf8(content_.text, code_point);
  ++length_;
}

void InlineText::append(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (is_unicode_space(c) || is_control_character(c)) {
      blank_ = true;
      continue;
    }
    if (c == 0xAD) continue;  // a soft hyphen is not shown
    if (blank_ && length_ > 0) add(' ');
    blank_ = false;
    add(c);
  }
}

void InlineText::append_as_written(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == '\n' || c == '\t' || !is_control_character(c)) add(c == '\t' ? U' ' : c);
  }
}

void InlineText::link(std::uint32_t begin, Link target) {
  target.begin = std::min(begin, length_);
  target.end = length_;
  content_.links.push_back(std::move(target));
}

RichText InlineText::take() {
  auto& text = content_.text;
  const auto end = text.find_last_not_of("\n ");
  text.resize(end == std::string::npos ? 0 : end + 1);
  const auto length = static_cast<std::uint32_t>(count_code_points(text));
  for (auto& link : content_.links) {
    link.begin = std::min(link.begin, length);
    link.end = std::min(link.end, length);
  }
  std::stable_sort(content_.links.begin(), content_.links.end(),
                   [](const Link& a, const Link& b) { return a.begin < b.begin; });
  length_ = 0;
  blank_ = false;
  return std::exchange(content_, {});
}

}  // namespace touchstone::extractors::html
