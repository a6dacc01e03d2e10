#pragma once

#include <array>
#include <cstdint>

/// Seeded random numbers that are the same on every machine (docs/decisions/0009-distributions-and-random-numbers.md).
namespace touchstone::analysis::statistics {

/// SplitMix64: turns any seed, even a small counter, into well-mixed words.
/// Source: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t operator()() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// `lanes` xoshiro256++ generators side by side, which the compiler can step together. Each block of work seeds its own
/// generators from (seed, block), so results do not depend on which thread does which block.
/// Source: D. Blackman, S. Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 2021.
template <std::size_t lanes>
class Xoshiro {
 public:
  Xoshiro(std::uint64_t seed, std::uint64_t block) noexcept {
    SplitMix64 mix(SplitMix64(seed)() ^ SplitMix64(~block)());
    for (auto& word : state_)
      for (auto& lane : word) lane = mix();
  }

  [[gnu::always_inline]] inline void next(std::uint64_t* out) noexcept {
    auto& [a, b, c, d] = state_;
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::uint64_t sum = a[i] + d[i];
      out[i] = ((sum << 23) | (sum >> 41)) + a[i];
      const std::uint64_t t = b[i] << 17;
      c[i] ^= a[i];
      d[i] ^= b[i];
      b[i] ^= c[i];
      a[i] ^= d[i];
      c[i] ^= t;
      d[i] = (d[i] << 45) | (d[i] >> 19);
    }
  }

 private:
  std::array<std::array<std::uint64_t, lanes>, 4> state_;
};

/// One stream of random words and of integers below a bound.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t block = 0) noexcept : generator_(seed, block) {}

  std::uint64_t word() noexcept {
    std::uint64_t out = 0;
    generator_.next(&out);
    return out;
  }

  /// Uniform on 0 ... bound - 1, with a bias below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((word() >> 32) * bound) >> 32);
  }

 private:
  Xoshiro<1> generator_;
};

}  // namespace touchstone::analysis::statistics
