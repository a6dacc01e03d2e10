#include "annotation/rotation.hpp"

#include "common/unicode.hpp"

#include <algorithm>

namespace touchstone::annotation {
namespace {

/// Appends the part of `span` that is in [begin, end), moved by `offset`.
void add_part(std::vector<Span>& parts, const Span& span, std::uint32_t begin, std::uint32_t end, std::int64_t offset) {
  const auto from = std::max(span.first, begin), to = std::min(span.second, end);
  if (from >= to) return;
  parts.emplace_back(static_cast<std::uint32_t>(from + offset), static_cast<std::uint32_t>(to + offset));
}

}  // namespace

std::vector<Span> merge_spans(std::vector<Span> spans) {
  std::erase_if(spans, [](const Span& span) { return span.first >= span.second; });
  std::sort(spans.begin(), spans.end());
  std::vector<Span> merged;
  for (const auto& span : spans) {
    if (!merged.empty() && span.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, span.second);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

Rotation::Rotation(std::string_view text) {
  std::vector<std::size_t> bytes;  // where each word begins
  std::vector<std::uint32_t> points;
  std::uint32_t point = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size(); ++point) {
    const auto begin = at;
    const bool blank = is_unicode_space(next_code_point(text, at));
    if (!blank && !in_word) {
      bytes.push_back(begin);
      points.push_back(point);
    }
    in_word = !blank;
  }
  if (bytes.size() < 2) {
    shown_ = text;
    first_ = point;
    return;
  }
  const auto middle = bytes.size() / 2 + bytes.size() % 2;
  first_ = points[middle];
  second_ = point - first_;
  shown_ = text.substr(bytes[middle]);
  shown_ += ' ';
  shown_ += text.substr(0, bytes[middle]);
}

std::vector<Span> Rotation::to_shown(const std::vector<Span>& spans) const {
  if (second_ == 0) return merge_spans(spans);
  std::vector<Span> parts;
  for (const auto& span : spans) {
    add_part(parts, span, 0, first_, std::int64_t{second_} + 1);
    add_part(parts, span, first_, first_ + second_, -std::int64_t{first_});
  }
  return merge_spans(std::move(parts));
}

std::vector<Span> Rotation::to_text(const std::vector<Span>& spans) const {
  if (second_ == 0) return merge_spans(spans);
  std::vector<Span> parts;
  for (const auto& span : spans) {
    add_part(parts, span, 0, second_, first_);
    add_part(parts, span, second_ + 1, second_ + 1 + first_, -std::int64_t{second_} - 1);
  }
  return merge_spans(std::move(parts));
}

}  // namespace touchstone::annotation
