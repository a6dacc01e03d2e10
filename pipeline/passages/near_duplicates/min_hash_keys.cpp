#include "analysis/statistics/random.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

constexpr std::size_t kMaxBands = 192, kMaxRows = 8;
constexpr double kMissed = 0.001;  ///< highest probability to miss a pair at the threshold

/// Hash functions that are computed together: four registers of AVX2.
constexpr std::size_t kLanes = 32;
using Minima = std::array<std::uint32_t, kLanes>;

/// The minima of kLanes functions x -> factor * x + offset modulo 2^32. The bigrams are hashes already, so that such a
/// function orders them at random.
[[gnu::always_inline]] inline void find_minima(std::span<const std::uint64_t> bigrams,
                                               const std::uint32_t* __restrict factors,
                                               const std::uint32_t* __restrict offsets, Minima& minima) {
  std::uint32_t low[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) low[k] = 0xFFFFFFFF;
  for (const std::uint64_t bigram : bigrams) {
    const auto x = static_cast<std::uint32_t>(bigram >> 32);
    for (std::size_t k = 0; k < kLanes; ++k) {
      const std::uint32_t value = factors[k] * x + offsets[k];
      low[k] = value < low[k] ? value : low[k];
    }
  }
  for (std::size_t k = 0; k < kLanes; ++k) minima[k] = low[k];
}

using MinimaFunction = void (*)(std::span<const std::uint64_t>, const std::uint32_t*, const std::uint32_t*, Minima&);

void find_minima_anywhere(std::span<const std::uint64_t> bigrams, const std::uint32_t* factors,
                          const std::uint32_t* offsets, Minima& minima) {
  find_minima(bigrams, factors, offsets, minima);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void find_minima_avx2(std::span<const std::uint64_t> bigrams, const std::uint32_t* factors,
                                              const std::uint32_t* offsets, Minima& minima) {
  find_minima(bigrams, factors, offsets, minima);
}
#endif

/// The fastest variant for this processor. All variants give the same numbers.
MinimaFunction best_minima_function() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return find_minima_avx2;
#endif
  return find_minima_anywhere;
}

std::uint32_t combine(const std::uint32_t* minima, std::size_t rows) noexcept {
  std::uint64_t key = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    key = (key ^ minima[row]) * 0x9e3779b97f4a7c15U;
    key ^= key >> 32;
  }
  return static_cast<std::uint32_t>(key);
}

}  // namespace

MinHashShape MinHashShape::for_jaccard(double jaccard) noexcept {
  MinHashShape best{1, kMaxBands};
  for (std::size_t rows = 1; rows <= kMaxRows; ++rows) {
    const double same_key = std::pow(jaccard, static_cast<double>(rows));
    const double bands = same_key >= 1 ? 1 : std::ceil(std::log(kMissed) / std::log1p(-same_key));
    if (bands > static_cast<double>(kMaxBands)) break;
    best = {rows, static_cast<std::size_t>(bands)};
  }
  return best;
}

MinHashKeys::MinHashKeys(const BigramSets& sets, MinHashShape shape, std::uint64_t seed) : sets_(sets), shape_(shape) {
  analysis::statistics::SplitMix64 random(seed);
  const std::size_t functions = shape_.bands * shape_.rows + kLanes;  // whole registers at the end
  for (std::size_t k = 0; k < functions; ++k) {
    factors_.push_back(static_cast<std::uint32_t>(random() >> 32) | 1U);
    offsets_.push_back(static_cast<std::uint32_t>(random() >> 32));
  }
}

void MinHashKeys::keys(std::size_t set, std::size_t first_band, std::span<std::uint32_t> keys) const {
  static const MinimaFunction find = best_minima_function();
  const std::size_t together = kLanes / shape_.rows;
  Minima minima;
  for (std::size_t done = 0; done < keys.size(); done += together) {
    const std::size_t function = (first_band + done) * shape_.rows;
    find(sets_[set], factors_.data() + function, offsets_.data() + function, minima);
    for (std::size_t band = 0; band < together && done + band < keys.size(); ++band)
      keys[done + band] = combine(minima.data() + band * shape_.rows, shape_.rows);
  }
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
