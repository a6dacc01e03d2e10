#pragma once

#include "analysis/adjudication/adjudicator.hpp"

/// The methods, one file each; make_adjudicator() chooses.
namespace touchstone::analysis::adjudication::internal {

/// kTopK and kNtcir: an order that no judgment changes.
std::unique_ptr<Adjudicator> make_fixed_order(const AdjudicationOptions& options, const TopicPool& pool);

/// kMoveToFront.
std::unique_ptr<Adjudicator> make_move_to_front(const TopicPool& pool, std::uint64_t seed, std::uint64_t topic_seed);

/// kMaxMean and kThompson with their non-stationary forms.
std::unique_ptr<Adjudicator> make_bandit(const AdjudicationOptions& options, const TopicPool& pool,
                                         std::uint64_t topic_seed);

/// kHedge.
std::unique_ptr<Adjudicator> make_hedge(double beta, const TopicPool& pool);

}  // namespace touchstone::analysis::adjudication::internal
