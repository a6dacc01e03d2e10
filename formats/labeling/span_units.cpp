#include "formats/labeling/span_units.hpp"

#include "common/unicode.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::formats::labeling {
namespace {

constexpr std::int64_t kMaxOffset = std::int64_t{1} << 30;

/// A text with the places of its characters.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text) : text_(text) {
    std::uint32_t units = 0;
    for (std::size_t at = 0; at < text.size();) {
      bytes_.push_back(at);
      units_.push_back(units);
      units += next_code_point(text, at) > 0xFFFF ? 2U : 1U;
    }
    bytes_.push_back(text.size());
    units_.push_back(units);
  }

  std::int64_t size(OffsetUnit unit) const {
    return unit == OffsetUnit::kUtf16 ? units_.back() : static_cast<std::int64_t>(bytes_.size() - 1);
  }
  /// The code point at an offset; nothing inside a character. \pre 0 <= offset <= size(unit)
  std::optional<std::uint32_t> code_point(std::int64_t offset, OffsetUnit unit) const {
    const auto wanted = static_cast<std::uint32_t>(offset);
    if (unit == OffsetUnit::kCodePoints) return wanted;
    const auto found = std::lower_bound(units_.begin(), units_.end(), wanted);
    if (*found != wanted) return std::nullopt;
    return static_cast<std::uint32_t>(found - units_.begin());
  }
  std::uint32_t utf16(std::uint32_t code_point) const { return units_[code_point]; }
  std::string_view words(const Span& span) const {
    return text_.substr(bytes_[span.first], bytes_[span.second] - bytes_[span.first]);
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> bytes_;    ///< where each character begins, and the end
  std::vector<std::uint32_t> units_;  ///< likewise in UTF-16
};

std::string shown(const ForeignSpan& span) {
  return fmt::format("the span from {} to {}", span.begin, span.end);
}

std::optional<Span> convert(const ForeignSpan& span, const TextPlaces& places, OffsetUnit unit, std::string& error) {
  if (span.end > places.size(unit)) {
    error = fmt::format("{} is outside the text, which has {} {}; give the text that was annotated", shown(span),
                        places.size(unit), unit == OffsetUnit::kUtf16 ? "UTF-16 code units" : "characters");
    return std::nullopt;
  }
  const auto begin = places.code_point(span.begin, unit), end = places.code_point(span.end, unit);
  if (!begin || !end) {
    error = shown(span) + " cuts a character of two UTF-16 code units; say what the offsets count with --offsets";
    return std::nullopt;
  }
  const Span converted{*begin, *end};
  if (span.words && places.words(converted) != *span.words) {
    error = fmt::format(
        "{} is {} in the text and {} in the export; give the text that was annotated, or say what the "
        "offsets count with --offsets",
        shown(span), fields::quote_for_message(places.words(converted)), fields::quote_for_message(*span.words));
    return std::nullopt;
  }
  return converted;
}

std::vector<Span> joined(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end());
  std::vector<Span> result;
  for (const auto& span : spans) {
    if (!result.empty() && span.first < result.back().second) {
      result.back().second = std::max(result.back().second, span.second);
    } else {
      result.push_back(span);
    }
  }
  return result;
}

}  // namespace

std::vector<Span> spans_in_code_points(const std::vector<ForeignSpan>& spans, const std::string* text, OffsetUnit unit,
                                       bool either, std::string& error) {
  std::vector<Span> converted;
  std::optional<TextPlaces> places;
  if (text != nullptr && !spans.empty()) places.emplace(*text);
  for (const auto& span : spans) {
    if (span.begin < 0 || span.begin >= span.end || span.end > kMaxOffset) {
      error = shown(span) + " is empty or no range of characters; correct it";
      return {};
    }
    if (!places) {
      converted.emplace_back(static_cast<std::uint32_t>(span.begin), static_cast<std::uint32_t>(span.end));
      continue;
    }
    std::string why;
    auto found = convert(span, *places, unit, why);
    if (!found && either && span.words) {
      std::string ignored;
      found =
          convert(span, *places, unit == OffsetUnit::kUtf16 ? OffsetUnit::kCodePoints : OffsetUnit::kUtf16, ignored);
    }
    if (!found) {
      error = why;
      return {};
    }
    converted.push_back(*found);
  }
  return joined(std::move(converted));
}

std::vector<Span> spans_in_utf16(const std::vector<Span>& spans, std::string_view text) {
  const TextPlaces places(text);
  std::vector<Span> converted;
  for (const auto& [begin, end] : spans) converted.emplace_back(places.utf16(begin), places.utf16(end));
  return converted;
}

std::string words_of(const Span& span, std::string_view text) {
  return std::string(TextPlaces(text).words(span));
}

}  // namespace touchstone::formats::labeling
