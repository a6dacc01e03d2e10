#pragma once

#include "analysis/audit/decision.hpp"
#include "analysis/audit/strata.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace touchstone::analysis::audit {

/// Fewest decisions that a sample takes of each stratum that has as many.
inline constexpr std::uint64_t kFewestOfStratum = 2;

/// How many decisions of each stratum a sample takes. First kFewestOfStratum of each, counting those that were
/// `taken` before; the rest by Neyman's rule, in proportion to N sqrt(p (1 - p)), where N is the number of decisions
/// of the stratum that are left and p what is expected of it: the mean probability of the judge, but not below 0.05 or
/// above 0.95, since judges are surer than they should be. Where the judge gives no probability, p is 0.85 for yes and
/// 0.1 for all else. The sum is `size`, or all that are left if these are fewer.
/// Source: J. Neyman, "On the Two Different Aspects of the Representative Method", JRSS 1934.
/// \param taken  decisions of each stratum that were drawn before
std::vector<std::uint64_t> allocate(std::span<const Stratum> strata, std::span<const std::uint64_t> taken,
                                    std::uint64_t size);

/// The smallest sample that has kFewestOfStratum decisions of each stratum.
std::uint64_t smallest_sample(std::span<const Stratum> strata, std::span<const std::uint64_t> taken);

/// Draws `size` decisions without replacement, each of a stratum with the same probability, and returns their indices
/// in an order that shows neither the stratum nor the topic. The decisions drawn depend on the seed and the keys, not
/// on the order in which the decisions come. A larger sample with the same seed holds the smaller one, as far as the
/// strata get as many.
/// \param is_taken  for each decision, whether it was drawn before
std::vector<std::size_t> draw_sample(std::span<const Decision> decisions, const Strata& strata,
                                     const std::vector<bool>& is_taken, std::uint64_t size, std::uint64_t seed);

}  // namespace touchstone::analysis::audit
