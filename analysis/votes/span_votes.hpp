#pragma once

#include "formats/labeling/annotation.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace touchstone::analysis::votes {

/// A run of characters that as many voters selected.
struct SpanHeat {
  std::uint32_t begin = 0, end = 0;  ///< code points of the text, [begin, end)
  std::uint32_t voters = 0;          ///< at least 1

  friend bool operator==(const SpanHeat&, const SpanHeat&) = default;
};

/// How many voters selected each character, as runs in ascending order. Characters that nobody selected are in no run;
/// neighbouring runs have different numbers. Pure.
/// \param selections  the spans of each voter: ascending, without overlap
std::vector<SpanHeat> span_heat(std::span<const std::vector<formats::labeling::Span>> selections);

/// The characters that more than half of the voters selected, joined to spans. With two voters both must have selected
/// a character. Pure.
/// \param voters  all who could select; some may have selected nothing
std::vector<formats::labeling::Span> majority_spans(std::span<const SpanHeat> heat, std::size_t voters);

}  // namespace touchstone::analysis::votes
