#include "analysis/studies/coverage/recall_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone::analysis::studies::coverage {
namespace {

constexpr double kNormal95 = 1.959963984540054;  ///< quantile .975 of the normal distribution
constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

double chao_variance(double once, double twice, double share, double total) {
  if (twice > 0) {
    const double r = once / twice;
    return twice * (share / 2 * r * r + share * share * r * r * r + share * share / 4 * r * r * r * r);
  }
  return share * once * (once - 1) / 2 + share * share * once * (2 * once - 1) * (2 * once - 1) / 4 -
         share * share * once * once * once * once / (4 * total);
}

/// Estimated variance of the missed passages of one stratum.
double stratum_variance(const Stratum& stratum) {
  const auto size = static_cast<double>(stratum.size), sampled = static_cast<double>(stratum.sampled);
  const auto missed = static_cast<double>(stratum.missed);
  double share = missed / sampled, of_one = 0;
  if (stratum.sampled > 1 && stratum.missed > 0 && stratum.missed < stratum.sampled) {
    of_one = share * (1 - share) * sampled / (sampled - 1);
  } else {
    share = (missed + 1) / (sampled + 2);
    of_one = share * (1 - share);
  }
  return size * size * (1 - sampled / size) * of_one / sampled;
}

}  // namespace

CaptureRecapture capture_recapture(std::span<const std::uint64_t> passages_by_systems) {
  CaptureRecapture result;
  for (std::size_t c = 1; c < passages_by_systems.size(); ++c) result.found += passages_by_systems[c];
  if (passages_by_systems.size() > 1) result.once = passages_by_systems[1];
  if (passages_by_systems.size() > 2) result.twice = passages_by_systems[2];
  const auto systems = static_cast<double>(passages_by_systems.size()) - 1;
  const auto found = static_cast<double>(result.found);
  if (systems < 2 || result.found == 0) {
    result.total = result.recall = {kNotDefined, kNotDefined, kNotDefined};
    return result;
  }
  const auto once = static_cast<double>(result.once), twice = static_cast<double>(result.twice);
  const double share = (systems - 1) / systems;
  const double unseen = twice > 0 ? share * once * once / (2 * twice) : share * once * (once - 1) / 2;
  result.total = {found + unseen, found, found + unseen};
  if (unseen > 0) {
    const double variance = std::max(0.0, chao_variance(once, twice, share, found + unseen));
    const double spread = std::exp(kNormal95 * std::sqrt(std::log1p(variance / (unseen * unseen))));
    result.total.low = found + unseen / spread;
    result.total.high = found + unseen * spread;
  }
  result.recall = {found / result.total.value, found / result.total.high, found / result.total.low};
  return result;
}

Estimate missed_evidence(std::span<const Stratum> strata) {
  Estimate total;
  double variance = 0, proven = 0, possible = 0;
  for (const auto& stratum : strata) {
    if (stratum.sampled == 0) continue;
    const auto size = static_cast<double>(stratum.size), sampled = static_cast<double>(stratum.sampled);
    total.value += size / sampled * static_cast<double>(stratum.missed);
    variance += stratum_variance(stratum);
    proven += static_cast<double>(stratum.missed);
    possible += size - static_cast<double>(stratum.sampled - stratum.missed);
  }
  const double half = kNormal95 * std::sqrt(variance);
  total.low = std::clamp(total.value - half, proven, total.value);
  total.high = std::clamp(total.value + half, total.value, std::max(possible, total.value));
  return total;
}

Estimate recall_of(std::uint64_t known, const Estimate& missed) {
  const auto found = static_cast<double>(known);
  const auto recall = [found](double more) { return found + more > 0 ? found / (found + more) : kNotDefined; };
  return {recall(missed.value), recall(missed.high), recall(missed.low)};
}

}  // namespace touchstone::analysis::studies::coverage
