#pragma once

#include "linking/dictionary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace touchstone::linking {

/// Number of pages that link to both of two entities. Exact if one of the lists is short and the other much longer, or
/// if their union has no more than `kSketch` pages; else estimated from the first `kSketch` pages of the union, which
/// are a random sample of it (Bar-Yossef et al., "Counting distinct elements in a data stream", 2002). \pre both ascend
double shared_sources(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
inline constexpr std::size_t kSketch = 256;

/// How related entities are by who links to them: Milne and Witten, "An effective, low-cost measure of semantic
/// relatedness obtained from Wikipedia links", 2008, as a similarity: 1 for the same pages, 0 for no page in common.
/// Remembers some of what it was asked last, as phrases near each other ask for the same. Not thread-safe.
class Relatedness {
 public:
  explicit Relatedness(const Dictionary& dictionary) : dictionary_(dictionary), known_(std::size_t{1} << kKnownBits) {}

  double operator()(std::uint32_t a, std::uint32_t b);

 private:
  double measure(std::uint32_t a, std::uint32_t b) const;

  static constexpr int kKnownBits = 13;
  struct Known {
    std::uint64_t pair = UINT64_MAX;  ///< no pair: the first of two is the smaller
    double value = 0;
  };
  const Dictionary& dictionary_;
  std::vector<Known> known_;  ///< each pair has one place, which the next with this place takes
};

}  // namespace touchstone::linking
