#include "linking/relatedness.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace touchstone::linking {
namespace {

constexpr std::size_t kShort = 256;      // lists that are looked up one by one,
constexpr std::size_t kMuchLonger = 16;  // if the other is so many times longer

}  // namespace

double shared_sources(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() > b.size()) std::swap(a, b);
  std::size_t shared = 0;
  if (a.size() <= kShort && a.size() * kMuchLonger <= b.size()) {
    auto at = b.begin();
    for (const auto page : a) {
      at = std::lower_bound(at, b.end(), page);
      if (at == b.end()) break;
      shared += *at == page ? 1 : 0;
    }
    return static_cast<double>(shared);
  }
  std::size_t seen = 0, i = 0, j = 0;
  while (i < a.size() && j < b.size() && seen < kSketch) {
    const auto left = a[i], right = b[j];
    shared += left == right ? 1 : 0;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
    ++seen;
  }
  const bool whole = i == a.size() || j == b.size();
  if (whole) return static_cast<double>(shared);
  const double overlap = static_cast<double>(shared) / static_cast<double>(seen);
  return overlap / (1 + overlap) * static_cast<double>(a.size() + b.size());
}

double Relatedness::operator()(std::uint32_t a, std::uint32_t b) {
  if (a == b) return 1;
  if (a > b) std::swap(a, b);
  const auto pair = std::uint64_t{a} << 32 | b;
  auto& known = known_[pair * 0x9E3779B97F4A7C15 >> (64 - kKnownBits)];
  if (known.pair != pair) known = {pair, measure(a, b)};
  return known.value;
}

double Relatedness::measure(std::uint32_t a, std::uint32_t b) const {
  const auto left = dictionary_.sources(a), right = dictionary_.sources(b);
  const double shared = shared_sources(left, right);
  if (shared <= 0) return 0;
  const double more = static_cast<double>(std::max(left.size(), right.size()));
  const double fewer = static_cast<double>(std::min(left.size(), right.size()));
  const double pages = std::max<double>(dictionary_.source_pages(), more + 1);
  return std::clamp(1 - (std::log(more) - std::log(shared)) / (std::log(pages) - std::log(fewer)), 0.0, 1.0);
}

}  // namespace touchstone::linking
