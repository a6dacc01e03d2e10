#include "analysis/significance/randomised_tukey.hpp"

#include "analysis/statistics/parallel.hpp"
#include "analysis/statistics/random.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

namespace touchstone::analysis::significance::internal {
namespace {

/// Permutations made side by side; their 32-bit sums fill an SSE register.
constexpr std::size_t kLanes = 4;
/// Permutations that share a seed. Changing it changes p-values.
constexpr std::uint64_t kBlockPermutations = 1024;
constexpr double kMaxSum = 2147483647.0;

/// Buffers of one block, reused for all its permutations.
struct Workspace {
  explicit Workspace(const FixedScores& scores)
      : steps((scores.systems - 1 + 1) / 2 * 2),
        bounds(steps * kLanes),
        draws(steps * kLanes),
        row(kLanes * scores.systems),
        sums(kLanes * scores.systems) {
    // Step s exchanges position systems - 1 - s with a position up to it; an odd last step is padding.
    for (std::size_t s = 0; s < steps; s += 2) {
      for (std::size_t k = 0; k < 2 * kLanes; ++k)
        bounds[s * kLanes + k] = static_cast<std::uint32_t>(std::max<std::size_t>(1, scores.systems - s - k % 2));
    }
  }
  std::size_t steps;
  std::vector<std::uint32_t> bounds, draws;  ///< [pair of steps][lane][step of the pair]
  std::vector<std::int32_t> row;             ///< [lane][system]
  std::vector<std::int32_t> sums;            ///< [system][lane]
};

/// Writes `count` ranges, a multiple of kLanes, by Fisher-Yates shuffles. The first topic is not permuted, because
/// permuting all topics alike does not change the range. A bounded random number is the high half of a 32-bit word
/// times the bound; its bias is below systems / 2^32.
[[gnu::always_inline]] inline void permute_block(const FixedScores& scores, statistics::Xoshiro<kLanes>& random,
                                                 Workspace& work, std::size_t count, std::int32_t* ranges) {
  const std::size_t n = scores.systems;
  const std::uint32_t* __restrict bounds = work.bounds.data();
  std::uint32_t* __restrict draws = work.draws.data();
  std::int32_t* __restrict sums = work.sums.data();
  std::int32_t* __restrict row0 = work.row.data();
  std::int32_t* __restrict row1 = row0 + n;
  std::int32_t* __restrict row2 = row1 + n;
  std::int32_t* __restrict row3 = row2 + n;
  for (std::size_t done = 0; done < count; done += kLanes) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t lane = 0; lane < kLanes; ++lane) sums[i * kLanes + lane] = scores.values[i];
    for (std::size_t topic = 1; topic < scores.topics; ++topic) {
      for (std::size_t s = 0; s < work.steps; s += 2) {
        std::uint64_t words[kLanes];
        std::uint32_t halves[2 * kLanes];
        random.next(words);
        std::memcpy(halves, words, sizeof halves);
        for (std::size_t k = 0; k < 2 * kLanes; ++k) {
          draws[s * kLanes + k] = static_cast<std::uint32_t>((std::uint64_t{halves[k]} * bounds[s * kLanes + k]) >> 32);
        }
      }
      const std::int32_t* values = scores.values.data() + topic * n;
      for (std::int32_t* row : {row0, row1, row2, row3}) std::memcpy(row, values, n * sizeof *values);
      const auto deal = [&](std::size_t last, const std::uint32_t* draw) {
        std::int32_t* __restrict sum = sums + last * kLanes;
        const std::int32_t v0 = row0[draw[0]], v1 = row1[draw[2]], v2 = row2[draw[4]], v3 = row3[draw[6]];
        row0[draw[0]] = row0[last];
        row1[draw[2]] = row1[last];
        row2[draw[4]] = row2[last];
        row3[draw[6]] = row3[last];
        sum[0] += v0;
        sum[1] += v1;
        sum[2] += v2;
        sum[3] += v3;
      };
      std::size_t last = n - 1;
      for (std::size_t s = 0; s + 1 < n; s += 2, last -= 2) {
        deal(last, draws + s * kLanes);
        if (last > 1) deal(last - 1, draws + s * kLanes + 1);
        if (last <= 2) break;
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += work.row[lane * n];
    }
    std::int32_t low[kLanes], high[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) low[lane] = high[lane] = sums[lane];
    for (std::size_t i = 1; i < n; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        low[lane] = std::min(low[lane], sums[i * kLanes + lane]);
        high[lane] = std::max(high[lane], sums[i * kLanes + lane]);
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) ranges[done + lane] = high[lane] - low[lane];
  }
}

using BlockFunction = void (*)(const FixedScores&, statistics::Xoshiro<kLanes>&, Workspace&, std::size_t,
                               std::int32_t*);

void permute_block_anywhere(const FixedScores& scores, statistics::Xoshiro<kLanes>& random, Workspace& work,
                            std::size_t count, std::int32_t* ranges) {
  permute_block(scores, random, work, count, ranges);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void permute_block_avx2(const FixedScores& scores, statistics::Xoshiro<kLanes>& random,
                                                Workspace& work, std::size_t count, std::int32_t* ranges) {
  permute_block(scores, random, work, count, ranges);
}
#endif

/// The fastest variant for this processor. All variants give the same integers.
BlockFunction best_block_function() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return permute_block_avx2;
#endif
  return permute_block_anywhere;
}

/// Whether every value times `scale` is an integer, apart from the rounding of the value itself.
bool is_exact(const std::vector<double>& values, double scale) {
  return std::all_of(values.begin(), values.end(), [&](double value) {
    const double scaled = value * scale;
    return std::abs(scaled - std::nearbyint(scaled)) <= 4e-16 * std::abs(scaled);
  });
}

}  // namespace

FixedScores to_fixed(const statistics::ScoreMatrix& scores) {
  FixedScores fixed;
  fixed.systems = scores.systems.size();
  fixed.topics = scores.topics.size();
  double room = 0;  // upper bound of the difference of two sums
  std::vector<double> least(fixed.topics);
  for (std::size_t t = 0; t < fixed.topics; ++t) {
    double low = scores.at(0, t), high = low;
    for (std::size_t s = 1; s < fixed.systems; ++s) {
      low = std::min(low, scores.at(s, t));
      high = std::max(high, scores.at(s, t));
    }
    least[t] = low;
    room += high - low;
  }
  // Rounding adds at most one unit for each topic.
  const double units = kMaxSum - static_cast<double>(fixed.topics);
  bool exact = false;
  for (fixed.scale = 1; !exact && fixed.scale <= 1e9 && room * fixed.scale <= units; fixed.scale *= 10)
    exact = is_exact(scores.values, fixed.scale);
  if (exact) {
    fixed.scale /= 10;
  } else {
    fixed.scale = room > 0 ? std::exp2(std::floor(std::log2(units / room))) : 1;
    fixed.tolerance = static_cast<std::int64_t>(fixed.topics);
    if (room > 0 && units / static_cast<double>(fixed.topics) < 1024)
      throw Error(fmt::format(
          "there are {} topics, too many for the randomised Tukey HSD; take the paired t test or a sample of topics",
          fixed.topics));
  }
  fixed.values.resize(fixed.systems * fixed.topics);
  for (std::size_t t = 0; t < fixed.topics; ++t) {
    for (std::size_t s = 0; s < fixed.systems; ++s) {
      fixed.values[t * fixed.systems + s] = static_cast<std::int32_t>(std::nearbyint(scores.at(s, t) * fixed.scale) -
                                                                      std::nearbyint(least[t] * fixed.scale));
    }
  }
  return fixed;
}

std::vector<std::int32_t> permuted_ranges(const FixedScores& scores, std::uint64_t permutations, std::uint64_t seed,
                                          int threads) {
  const std::uint64_t blocks = (permutations + kBlockPermutations - 1) / kBlockPermutations;
  std::vector<std::int32_t> ranges(blocks * kBlockPermutations);
  const auto block_function = best_block_function();
  statistics::in_arena(threads, [&] {
    statistics::for_each_block(blocks, [&](std::uint64_t block) {
      Workspace work(scores);
      statistics::Xoshiro<kLanes> random(seed, block);
      block_function(scores, random, work, kBlockPermutations, ranges.data() + block * kBlockPermutations);
    });
    ranges.resize(permutations);
    tbb::parallel_sort(ranges.begin(), ranges.end());
  });
  return ranges;
}

}  // namespace touchstone::analysis::significance::internal
