#pragma once

#include "analysis/agreement/reliability.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/studies/judged_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::analysis::studies::trust {

// All studies of one collection together.

/// The form in which judgments are written.
enum class QrelsForm : std::uint8_t { kTrec, kBeir };

/// What a place on disk gives to the studies.
struct TrustInputs {
  std::filesystem::path qrels;
  QrelsForm form = QrelsForm::kTrec;
  std::filesystem::path corpus;  ///< JSON lines with texts; empty: none
  bool has_topics = false;       ///< texts and topics are there, so that baseline systems can answer
};

/// Looks what `place` is: a file of qrels; or a directory with `qrels.txt` (evidence collection, ir_datasets),
/// `trec/test.hierarchical.qrels` or `trec/train.hierarchical.qrels` (automatic collection), `qrels/test.tsv` (BEIR),
/// or a single file whose name has the word qrels. Only names are looked at. Throws ConfigError that says what to give.
TrustInputs find_trust_inputs(const std::filesystem::path& place);

/// Writes judgments in BEIR's form as TREC qrels. Throws FormatError with file, line and remedy, and StorageError.
void write_trec_qrels(const std::filesystem::path& beir, const std::filesystem::path& trec);

/// One system of the leaderboard.
struct RankedSystem {
  std::string system;
  double mean = 0;
  double low = 0, high = 0;     ///< t interval of the mean over topics at 1 - alpha; NaN for a single topic
  std::size_t better_than = 0;  ///< systems that it is significantly better than: the last ones of the leaderboard
  double unjudged = 0;          ///< share of its first documents that have no label; NaN if it retrieves nothing
};

/// The documents whose best rank in any run is first_rank ... last_rank. A grade below 0 is not a label.
struct RankStratum {
  std::uint32_t first_rank = 1, last_rank = 1;
  std::uint64_t documents = 0, unjudged = 0, relevant = 0;

  /// Relevant documents among the unjudged ones if they are relevant as often as the judged ones; 0 if none is judged.
  double expected_relevant() const;
};

/// A pair of systems by rank from 0, and what two ways to count unjudged documents say.
struct RankedPair {
  std::size_t better = 0, worse = 0;
  bool significant = false;              ///< unjudged documents count as not relevant
  bool significant_judged_only = false;  ///< unjudged documents are left out of the rankings; same order
};

struct TrustPlan {
  double alpha = 0.05;
  std::uint64_t seed = 1;
  std::uint64_t permutations = 100'000;  ///< of the randomised Tukey HSD, as `touchstone compare` takes
  double target = 0.95;                  ///< of E rho^2
};

/// Which systems the labels tell apart, and what limits this.
struct TrustNumbers {
  std::string measure;
  double alpha = 0.05;
  std::uint64_t permutations = 0;
  std::size_t topics = 0;             ///< with a value for all systems
  std::uint64_t labels = 0;           ///< judgments of these qrels
  std::vector<RankedSystem> systems;  ///< by descending mean
  /// The randomised Tukey HSD over all pairs; nothing for fewer than two systems or topics.
  std::optional<significance::Comparison> comparison;
  std::vector<RankedPair> pairs;  ///< in the order of the comparison; empty without one
  std::size_t significant = 0;
  std::size_t with_twice_topics = 0;  ///< pairs whose difference exceeds the critical one of twice the topics
  /// E rho^2 at the present number of topics, and how many reach the target; nothing without a comparison.
  std::optional<agreement::DStudy> reliability;
  agreement::TopicsNeeded topics_needed;

  std::uint32_t depth = 0;  ///< ranks of a run that are looked at for labels: those of the measure, or 100
  std::uint64_t retrieved = 0, unjudged = 0;  ///< of all systems and topics down to `depth`
  std::vector<RankStratum> strata;
  /// Whether leaving out unjudged documents can be compared: there are some, and most topics have judged documents that
  /// are not relevant.
  bool has_judged_only = false;
  std::size_t lost = 0;    ///< significant pairs that are not so, or in the other order, without unjudged documents
  std::size_t gained = 0;  ///< pairs that are significant only without unjudged documents
  bool lists_relevant_only = false;  ///< most topics have no judged document that is not relevant
};

/// Condensed lists, which leave out unjudged documents, are of T. Sakai, "Alternatives to Bpref", SIGIR 2007. The
/// critical difference falls with the root of the number of topics. Uses the threads of the caller's arena; the result
/// does not depend on their number. Throws as LabelScorer and compare_systems() do.
TrustNumbers trust_numbers(const JudgedRuns& runs, const measures::LabelScorer& scorer, const TrustPlan& plan);

}  // namespace touchstone::analysis::studies::trust
