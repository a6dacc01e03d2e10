#pragma once

#include "linking/dictionary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace touchstone::linking {

/// Number of pages that link to both of two entities. Exact if one of the lists is short or both together are not long;
/// else estimated from the first `kSketch` pages of the lists' union, which are a random sample of it (Bar-Yossef et
/// al., "Counting distinct elements in a data stream", 2002). \pre both ascend
double shared_sources(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
inline constexpr std::size_t kSketch = 1024;

/// How related entities are by who links to them: Milne and Witten, "An effective, low-cost measure of semantic
/// relatedness obtained from Wikipedia links", 2008, as a similarity: 1 for the same pages, 0 for no page in common.
/// Remembers what it was asked. Not thread-safe.
class Relatedness {
 public:
  explicit Relatedness(const Dictionary& dictionary) : dictionary_(dictionary) {}

  double operator()(std::uint32_t a, std::uint32_t b);

 private:
  double measure(std::uint32_t a, std::uint32_t b) const;

  const Dictionary& dictionary_;
  std::unordered_map<std::uint64_t, float> known_;
};

}  // namespace touchstone::linking
