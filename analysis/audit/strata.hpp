#pragma once

#include "analysis/audit/decision.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::audit {

/// Decisions that are sampled alike.
struct Stratum {
  std::string name;  ///< "yes 0.8-1.0", "no without probability", "yes 0.8-1.0 own-article"
  Verdict verdict = Verdict::kNo;
  std::optional<int> bin;                  ///< of the probability, from 0 on; nothing without a probability
  std::uint64_t decisions = 0;             ///< all of the collection in it
  std::optional<double> mean_probability;  ///< of them; nothing without probabilities
};

struct Strata {
  std::vector<Stratum> strata;    ///< by verdict, probability (those without one first), and part
  std::vector<std::uint32_t> of;  ///< index of the stratum of each decision
};

/// Which of `bins` equal ranges of 0 to 1 holds the probability; the last one holds 1 too.
int bin_of(double probability, int bins);

/// Parts the decisions by verdict, by `bins` equal ranges of the probability, and by `part`. Strata without decisions
/// are left out. The names and sizes do not depend on the order of the decisions. \pre bins >= 1
Strata stratify(std::span<const Decision> decisions, int bins);

}  // namespace touchstone::analysis::audit
