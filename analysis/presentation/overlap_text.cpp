#include "analysis/presentation/overlap_text.hpp"

#include "analysis/presentation/text_parts.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

struct OverlappingPair {
  std::size_t first, second;
  double average, top_ten;
};

std::vector<OverlappingPair> pairs_of(const agreement::RunOverlap& overlap) {
  std::vector<OverlappingPair> pairs;
  for (std::size_t a = 0; a < overlap.names.size(); ++a) {
    for (std::size_t b = a + 1; b < overlap.names.size(); ++b)
      pairs.push_back({a, b, overlap.at(overlap.average_overlap, a, b), overlap.at(overlap.top_ten, a, b)});
  }
  return pairs;
}

double mean_of(const std::vector<OverlappingPair>& pairs) {
  double sum = 0;
  for (const auto& pair : pairs) sum += pair.average;
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

}  // namespace

std::string overlap_table(const agreement::RunOverlap& overlap) {
  auto pairs = pairs_of(overlap);
  if (pairs.empty()) return "";
  internal::TextTable table;
  std::vector<std::string> head{"", "average overlap"};
  for (std::size_t i = 0; i < overlap.names.size(); ++i) head.push_back(fmt::to_string(i + 1));
  table.row(std::move(head));
  for (std::size_t a = 0; a < overlap.names.size(); ++a) {
    std::vector<std::string> cells{fmt::to_string(a + 1), overlap.names[a]};
    for (std::size_t b = 0; b < overlap.names.size(); ++b)
      cells.push_back(a == b ? "" : fixed_digits(overlap.at(overlap.average_overlap, a, b), 2));
    table.row(std::move(cells));
  }
  const auto mean = mean_of(pairs);
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.average > b.average; });
  const auto words = [&](const OverlappingPair& pair) {
    return fmt::format("{} and {} ({}; {} of their first 10)", overlap.names[pair.first], overlap.names[pair.second],
                       fixed_digits(pair.average, 2), percent(pair.top_ten));
  };
  return table.aligned(2) + fmt::format(
                                "\nAverage overlap down to rank {}, mean of {} topic{}; of all pairs {}.\n"
                                "Most alike: {}.\nLeast alike: {}.\n",
                                overlap.depth, overlap.topics, overlap.topics == 1 ? "" : "s", fixed_digits(mean, 2),
                                words(pairs.front()), words(pairs.back()));
}

std::string overlap_tsv(const agreement::RunOverlap& overlap) {
  std::string text = "first\tsecond\taverage_overlap\ttop_ten\n";
  for (const auto& pair : pairs_of(overlap)) {
    text += fmt::format("{}\t{}\t{}\t{}\n", overlap.names[pair.first], overlap.names[pair.second],
                        internal::full_number(pair.average), internal::full_number(pair.top_ten));
  }
  return text;
}

void write_overlap(JsonWriter& json, const agreement::RunOverlap& overlap) {
  const auto pairs = pairs_of(overlap);
  json.field("depth", overlap.depth).field("mean_average_overlap", mean_of(pairs)).key("pairs").begin_array();
  for (const auto& pair : pairs) {
    json.begin_object()
        .field("first", overlap.names[pair.first])
        .field("second", overlap.names[pair.second])
        .field("average_overlap", pair.average)
        .field("top_ten", pair.top_ten)
        .end_object();
  }
  json.end_array();
}

}  // namespace touchstone::analysis::presentation
