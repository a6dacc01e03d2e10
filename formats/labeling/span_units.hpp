#pragma once

#include "formats/labeling/annotation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {
namespace formats::labeling {

/// What the offsets of spans count.
enum class OffsetUnit : std::uint8_t {
  kCodePoints,  ///< as Python does
  kUtf16        ///< code units of UTF-16, as browsers do: characters beyond U+FFFF count twice
};

/// A span as a tool wrote it.
struct ForeignSpan {
  std::int64_t begin = 0, end = 0;   ///< [begin, end)
  std::optional<std::string> words;  ///< that it covers, where the tool says so
};

/// Spans in code points, ascending; those that overlap are joined. Without a text the offsets are taken as code points
/// and only their order is checked. Pure.
/// \param text    of the passage; may be null
/// \param unit    that the tool counts in
/// \param either  the other unit is right too if the words of a span are those of the text in it
/// \param error   set to one sentence if a span is empty, outside the text, cuts a character or has other words
std::vector<Span> spans_in_code_points(const std::vector<ForeignSpan>& spans, const std::string* text, OffsetUnit unit,
                                       bool either, std::string& error);

/// Spans in code points as spans in UTF-16 code units. \pre the spans are inside the text
std::vector<Span> spans_in_utf16(const std::vector<Span>& spans, std::string_view text);

/// The words of a span. \pre it is inside the text
std::string words_of(const Span& span, std::string_view text);

}  // namespace formats::labeling

template <>
struct Choices<formats::labeling::OffsetUnit> {
  using Unit = formats::labeling::OffsetUnit;
  static constexpr Choice<Unit> table[] = {{"code-points", Unit::kCodePoints}, {"utf-16", Unit::kUtf16}};
};

}  // namespace touchstone
