#include "analysis/adjudication/adjudicator.hpp"

#include "analysis/adjudication/methods.hpp"
#include "common/error.hpp"

namespace touchstone::analysis::adjudication {

bool is_stochastic(AdjudicationMethod method) noexcept {
  return method != AdjudicationMethod::kTopK && method != AdjudicationMethod::kNtcir &&
         method != AdjudicationMethod::kHedge;
}

std::unique_ptr<Adjudicator> make_adjudicator(const AdjudicationOptions& options, const TopicPool& pool,
                                              std::uint64_t topic_seed) {
  if (!(options.rate >= 0 && options.rate <= 1)) throw ConfigError("the rate of a non-stationary method is 0 to 1");
  if (!(options.hedge_beta > 0 && options.hedge_beta < 1)) {
    throw ConfigError("the beta of hedge lies between 0 and 1, both excluded");
  }
  switch (options.method) {
    case AdjudicationMethod::kTopK:
    case AdjudicationMethod::kNtcir:
      return internal::make_fixed_order(options, pool);
    case AdjudicationMethod::kMoveToFront:
      return internal::make_move_to_front(pool, options.seed, topic_seed);
    case AdjudicationMethod::kHedge:
      return internal::make_hedge(options.hedge_beta, pool);
    default:
      return internal::make_bandit(options, pool, topic_seed);
  }
}

}  // namespace touchstone::analysis::adjudication
