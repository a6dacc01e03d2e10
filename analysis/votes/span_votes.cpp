#include "analysis/votes/span_votes.hpp"

#include <map>

namespace touchstone::analysis::votes {

using formats::labeling::Span;

std::vector<SpanHeat> span_heat(std::span<const std::vector<Span>> selections) {
  std::map<std::uint32_t, std::int64_t> changes;  // at a character: spans that begin less spans that end
  for (const auto& spans : selections) {
    for (const auto& [begin, end] : spans) ++changes[begin], --changes[end];
  }
  std::vector<SpanHeat> heat;
  std::int64_t voters = 0;
  std::uint32_t begin = 0;
  for (const auto& [at, change] : changes) {
    if (change == 0) continue;
    if (voters > 0) heat.push_back({begin, at, static_cast<std::uint32_t>(voters)});
    voters += change;
    begin = at;
  }
  return heat;
}

std::vector<Span> majority_spans(std::span<const SpanHeat> heat, std::size_t voters) {
  std::vector<Span> spans;
  for (const auto& run : heat) {
    if (2 * std::size_t{run.voters} <= voters) continue;
    if (!spans.empty() && spans.back().second == run.begin) {
      spans.back().second = run.end;
    } else {
      spans.emplace_back(run.begin, run.end);
    }
  }
  return spans;
}

}  // namespace touchstone::analysis::votes
