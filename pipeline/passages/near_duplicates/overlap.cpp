#include "pipeline/passages/near_duplicates/overlap.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

/// Whether two ascending sets share at least `needed` hashes; stops when either has too few left.
bool share_at_least(std::size_t needed, std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  if (a.size() < needed || b.size() < needed) return false;
  std::size_t may_miss_a = a.size() - needed, may_miss_b = b.size() - needed;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      ++i;
      ++j;
    } else if (a[i] < b[j]) {
      if (may_miss_a-- == 0) return false;
      ++i;
    } else {
      if (may_miss_b-- == 0) return false;
      ++j;
    }
  }
  return a.size() - i <= may_miss_a && b.size() - j <= may_miss_b;
}

}  // namespace

std::size_t count_shared(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t x = a[i], y = b[j];
    shared += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return shared;
}

double OverlapCriterion::overlap(std::size_t shared, std::size_t size_a, std::size_t size_b) const noexcept {
  const auto both = static_cast<double>(shared);
  switch (measure_) {
    case OverlapMeasure::kDice:
      return 2 * both / static_cast<double>(size_a + size_b);
    case OverlapMeasure::kContainment:
      return both / static_cast<double>(std::min(size_a, size_b));
    case OverlapMeasure::kJaccard:
      break;
  }
  return both / static_cast<double>(size_a + size_b - shared);
}

// It is estimated and then corrected with `overlap` itself, so that rounding decides no pair.
std::size_t OverlapCriterion::needed(std::size_t size_a, std::size_t size_b) const noexcept {
  const auto sum = static_cast<double>(size_a + size_b);
  double estimate = threshold_ * sum / (1 + threshold_);
  if (measure_ == OverlapMeasure::kDice) estimate = threshold_ * sum / 2;
  if (measure_ == OverlapMeasure::kContainment) estimate = threshold_ * static_cast<double>(std::min(size_a, size_b));
  const std::size_t most = std::min(size_a, size_b);
  auto shared = std::min(static_cast<std::size_t>(std::ceil(estimate)), most);
  while (shared > 1 && overlap(shared - 1, size_a, size_b) >= threshold_) --shared;
  while (shared <= most && overlap(shared, size_a, size_b) < threshold_) ++shared;
  return std::max<std::size_t>(shared, 1);
}

bool OverlapCriterion::possible(std::size_t size_a, std::size_t size_b) const noexcept {
  const std::size_t most = std::min(size_a, size_b);
  return most > 0 && overlap(most, size_a, size_b) >= threshold_;
}

bool OverlapCriterion::holds(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) const noexcept {
  return possible(a.size(), b.size()) && share_at_least(needed(a.size(), b.size()), a, b);
}

double OverlapCriterion::least_jaccard() const noexcept {
  switch (measure_) {
    case OverlapMeasure::kDice:
      return threshold_ / (2 - threshold_);
    case OverlapMeasure::kContainment:
      return threshold_ / (3 - threshold_);
    case OverlapMeasure::kJaccard:
      break;
  }
  return threshold_;
}

}  // namespace touchstone::pipeline::passages::near_duplicates
