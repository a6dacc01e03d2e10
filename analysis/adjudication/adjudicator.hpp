#pragma once

#include "analysis/adjudication/topic_pool.hpp"
#include "common/options.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace touchstone::analysis::adjudication {

/// How the next document to be judged is chosen. D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?",
/// CIKM 2023, section 4, names the methods; each row names where the method comes from.
enum class AdjudicationMethod : std::uint8_t {
  /// The smallest pool depth k whose pool holds the budget; that pool in docid order.
  kTopK,
  /// Documents by the number of runs that hold them, descending; then by the sum of their ranks; then by docid.
  /// Source: T. Sakai et al., "Overview of the NTCIR-7 ACLIA IR4QA Task", 2008.
  kNtcir,
  /// Judges down a run until a document is not relevant; the run then loses one unit of priority, and a run of highest
  /// priority follows, drawn at random among equals.
  /// Source: G. V. Cormack, C. R. Palmer, C. L. A. Clarke, "Efficient Construction of Large Test Collections", SIGIR
  /// 1998 (local MoveToFront).
  kMoveToFront,
  /// The next document of the run with the highest posterior mean (alpha / (alpha + beta)), drawn at random among
  /// equals. Each run starts with Beta(1, 1); a judgment counts for all runs that hold the document.
  /// Source: D. E. Losada, J. Parapar, A. Barreiro, "Multi-armed bandits for adjudicating documents in pooling-based
  /// evaluation of information retrieval systems", Information Processing & Management 53(5), 2017.
  kMaxMean,
  /// As kMaxMean, with counts that are multiplied by AdjudicationOptions::rate before each judgment.
  kMaxMeanNonStationary,
  /// As kMaxMean, with a mean drawn from the posterior of each run instead of the posterior mean.
  kThompson,
  /// As kThompson, with counts that fade as in kMaxMeanNonStationary.
  kThompsonNonStationary,
  /// The document with the greatest weighted loss if it were not relevant. The loss of a run is half of what the
  /// document adds to the run's total precision, the sum of 1 / i from its rank to the pool's depth: positive if it is
  /// not relevant, negative if it is, 0 if the run lacks it. Weights start equal and are multiplied by
  /// AdjudicationOptions::hedge_beta to the power of the loss.
  /// Source: J. A. Aslam, V. Pavlu, R. Savell, "A Unified Model for Metasearch, Pooling, and System Evaluation", CIKM
  /// 2003.
  kHedge,
};
/// Whether the order of judging depends on the seed.
bool is_stochastic(AdjudicationMethod method) noexcept;

struct AdjudicationOptions {
  AdjudicationMethod method = AdjudicationMethod::kHedge;
  std::size_t budget = 0;   ///< documents of the topic that may be judged; only kTopK chooses by it
  double rate = 0;          ///< of the non-stationary methods, 0 ... 1: at 0 only the last judgment counts
  double hedge_beta = 0.1;  ///< 0 < beta < 1
  std::uint64_t seed = 0;
};

/// Chooses the documents of one topic, one after the other. Each document comes once. Not thread-safe.
class Adjudicator {
 public:
  virtual ~Adjudicator() = default;

  /// The document to be judged next, an index into TopicPool::docids; nothing if all are judged. The same document
  /// until judge() is called.
  virtual std::optional<std::uint32_t> next() = 0;

  /// Takes the judgment of the document that next() gave.
  virtual void judge(bool relevant) = 0;
};

/// The method at work on a topic. `pool` must outlive the result. Two adjudicators with equal arguments and judgments
/// choose the same documents on every machine.
/// \param topic_seed  makes topics differ: a number that is the same in each run, such as a hash of the topic id
/// Throws ConfigError for a rate outside of 0 ... 1 or a beta outside of (0, 1).
std::unique_ptr<Adjudicator> make_adjudicator(const AdjudicationOptions& options, const TopicPool& pool,
                                              std::uint64_t topic_seed);

}  // namespace touchstone::analysis::adjudication

/// Names of the methods on the command line and in outputs, in the order of the paper's tables.
template <>
struct touchstone::Choices<touchstone::analysis::adjudication::AdjudicationMethod> {
  using enum analysis::adjudication::AdjudicationMethod;
  static constexpr Choice<analysis::adjudication::AdjudicationMethod> table[] = {
      {"top-k", kTopK},  {"mtf", kMoveToFront},
      {"mm", kMaxMean},  {"mm-ns", kMaxMeanNonStationary},
      {"ts", kThompson}, {"ts-ns", kThompsonNonStationary},
      {"hedge", kHedge}, {"ntcir", kNtcir}};
};
