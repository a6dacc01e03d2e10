#include "analysis/audit/sample.hpp"

#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace touchstone::analysis::audit {
namespace {

/// Share of evidence that is expected of a stratum.
double expected_share(const Stratum& stratum) {
  constexpr double kYesWithoutProbability = 0.85, kOtherWithoutProbability = 0.1, kSurest = 0.05;
  if (stratum.mean_probability) return std::clamp(*stratum.mean_probability, kSurest, 1 - kSurest);
  return stratum.verdict == Verdict::kYes ? kYesWithoutProbability : kOtherWithoutProbability;
}

/// How many of a stratum are drawn whatever the size of the sample.
std::uint64_t fewest_of(const Stratum& stratum, std::uint64_t taken) {
  const auto wanted = std::min(kFewestOfStratum, stratum.decisions);
  return wanted > taken ? wanted - taken : 0;
}

/// Spreads `size` over places in proportion to `weight`, at most `room` each, by largest remainders.
void spread(std::uint64_t size, const std::vector<double>& weight, const std::vector<std::uint64_t>& room,
            std::vector<std::uint64_t>& given) {
  while (size > 0) {
    double total = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) total += given[i] < room[i] ? weight[i] : 0;
    if (total <= 0) return;
    std::uint64_t placed = 0;
    std::vector<std::pair<double, std::size_t>> remainders;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (given[i] >= room[i]) continue;
      const double share = static_cast<double>(size) * weight[i] / total;
      const auto whole = std::min(static_cast<std::uint64_t>(share), room[i] - given[i]);
      given[i] += whole;
      placed += whole;
      if (given[i] < room[i]) remainders.emplace_back(share - static_cast<double>(whole), i);
    }
    size -= placed;
    if (placed > 0 && size >= remainders.size()) continue;  // some places are full, the others share what is left
    std::stable_sort(remainders.begin(), remainders.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [remainder, i] : remainders) {
      if (size == 0) break;
      ++given[i];
      --size;
    }
  }
}

}  // namespace

std::vector<std::uint64_t> allocate(std::span<const Stratum> strata, std::span<const std::uint64_t> taken,
                                    std::uint64_t size) {
  std::vector<std::uint64_t> given(strata.size(), 0), room;
  std::vector<double> weight;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    room.push_back(strata[i].decisions - std::min(taken[i], strata[i].decisions));
    const double share = expected_share(strata[i]);
    weight.push_back(static_cast<double>(room[i]) * std::sqrt(share * (1 - share)));
  }
  for (std::size_t i = 0; i < strata.size() && size > 0; ++i) {
    given[i] = std::min({fewest_of(strata[i], taken[i]), room[i], size});
    size -= given[i];
  }
  spread(size, weight, room, given);
  return given;
}

std::uint64_t smallest_sample(std::span<const Stratum> strata, std::span<const std::uint64_t> taken) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < strata.size(); ++i) sum += fewest_of(strata[i], taken[i]);
  return sum;
}

std::vector<std::size_t> draw_sample(std::span<const Decision> decisions, const Strata& strata,
                                     const std::vector<bool>& is_taken, std::uint64_t size, std::uint64_t seed) {
  statistics::SplitMix64 seeds(seed);
  const auto drawing_seed = seeds(), order_seed = seeds();
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> left(strata.strata.size());
  std::vector<std::uint64_t> taken(strata.strata.size(), 0);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (is_taken[i])
      ++taken[strata.of[i]];
    else
      left[strata.of[i]].emplace_back(decision_hash(decisions[i], drawing_seed), i);
  }
  const auto wanted = allocate(strata.strata, taken, size);
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  for (std::size_t stratum = 0; stratum < left.size(); ++stratum) {
    auto& of = left[stratum];
    std::sort(of.begin(), of.end());
    for (std::size_t i = 0; i < wanted[stratum]; ++i)
      drawn.emplace_back(decision_hash(decisions[of[i].second], order_seed), of[i].second);
  }
  std::sort(drawn.begin(), drawn.end());
  std::vector<std::size_t> indices;
  for (const auto& [order, index] : drawn) indices.push_back(index);
  return indices;
}

}  // namespace touchstone::analysis::audit
