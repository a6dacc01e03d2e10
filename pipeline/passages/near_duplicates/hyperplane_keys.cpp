#include "analysis/statistics/random.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

/// Four random numbers of 16 bits, added and centred: close enough to the normal distribution for the direction of a
/// hyperplane to be uniform, and the same on every machine.
float nearly_normal(std::uint64_t word) noexcept {
  int sum = 0;
  for (int shift = 0; shift < 64; shift += 16) sum += static_cast<int>((word >> shift) & 0xFFFF);
  return static_cast<float>(sum - 2 * 0xFFFF) / 65536.0F;
}

std::vector<float> mean_of_words(const VectorSums& vectors) {
  std::vector<double> total(vectors.dimensions);
  std::uint64_t words = 0;
  for (std::size_t set = 0; set < vectors.counts.size(); ++set) {
    words += vectors.counts[set];
    const auto sum = vectors.sums.view(set * vectors.dimensions, vectors.dimensions);
    for (std::size_t d = 0; d < vectors.dimensions; ++d) total[d] += sum[d];
  }
  std::vector<float> mean(vectors.dimensions);
  for (std::size_t d = 0; d < mean.size() && words > 0; ++d)
    mean[d] = static_cast<float>(total[d] / static_cast<double>(words));
  return mean;
}

}  // namespace

HyperplaneKeys::HyperplaneKeys(const VectorSums& vectors, std::unique_ptr<BandKeys> fallback, std::uint64_t seed)
    : vectors_(vectors), fallback_(std::move(fallback)), mean_(mean_of_words(vectors)) {
  analysis::statistics::SplitMix64 random(seed);
  planes_.resize(kBands * vectors_.dimensions * kBits);
  for (float& value : planes_) value = nearly_normal(random());
}

void HyperplaneKeys::keys(std::size_t set, std::size_t first_band, std::span<std::uint32_t> keys) const {
  const std::uint32_t words = vectors_.counts[set];
  if (words == 0) {
    // There may be fewer bands of MinHash; the first one is repeated, which costs time and changes no result.
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::size_t band = first_band + i < fallback_->bands() ? first_band + i : 0;
      fallback_->keys(set, band, keys.subspan(i, 1));
      keys[i] |= 1U << kBits;  // a key that no vector has
    }
    return;
  }
  const std::size_t dimensions = vectors_.dimensions;
  const auto sum = vectors_.sums.view(set * dimensions, dimensions);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const float* plane = planes_.data() + (first_band + i) * dimensions * kBits;
    std::array<float, kBits> side{};
    for (std::size_t d = 0; d < dimensions; ++d, plane += kBits) {
      const float value = sum[d] - static_cast<float>(words) * mean_[d];
      for (std::size_t bit = 0; bit < kBits; ++bit) side[bit] += value * plane[bit];
    }
    std::uint32_t key = 0;
    for (std::size_t bit = 0; bit < kBits; ++bit) key |= (side[bit] > 0 ? 1U : 0U) << bit;
    keys[i] = key;
  }
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
