#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// One run from several.
namespace touchstone::analysis::fusion {

enum class FusionMethod : std::uint8_t {
  /// Sum over runs of 1 / (k + rank). Source: G. V. Cormack, C. L. A. Clarke, S. Buettcher, "Reciprocal Rank Fusion
  /// outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.
  kReciprocalRank,
  /// Sum of the normalised scores. Source: E. A. Fox, J. A. Shaw, "Combination of Multiple Searches", TREC-2, 1994.
  kCombSum,
  /// CombSUM times the number of runs that retrieve the passage. Source: as kCombSum.
  kCombMnz,
};
inline constexpr std::pair<std::string_view, FusionMethod> kFusionMethods[] = {
    {"rrf", FusionMethod::kReciprocalRank}, {"combsum", FusionMethod::kCombSum}, {"combmnz", FusionMethod::kCombMnz}};

/// What makes the scores of different runs comparable, for each topic of a run.
enum class Normalisation : std::uint8_t {
  kMinMax,  ///< (score - lowest) / (highest - lowest); 1 if all are equal. Source: J. H. Lee, SIGIR 1997.
  kNone,
};
inline constexpr std::pair<std::string_view, Normalisation> kNormalisations[] = {{"min-max", Normalisation::kMinMax},
                                                                                 {"none", Normalisation::kNone}};

struct FusionOptions {
  FusionMethod method = FusionMethod::kReciprocalRank;
  Normalisation normalisation = Normalisation::kMinMax;  ///< not for kReciprocalRank
  double k = 60;                                         ///< of kReciprocalRank, > 0
  std::uint64_t depth = 1000;                            ///< passages of a topic in the fused run
  int threads = 0;                                       ///< 0: all cores; the result does not depend on it
};

/// The passages of a topic, best first: by score descending, equal scores by docid descending in byte order, as scorers
/// order them.
struct FusedTopic {
  std::string topic;
  std::vector<std::pair<std::string, double>> passages;  ///< docid and score
};

/// Fuses the runs topic by topic. A topic is in the result if it is in any of the runs; topics are in byte order. Ranks
/// are those of formats::trec::RunFile. Throws ConfigError for fewer than two runs or k <= 0, StorageError for
/// unreadable files, and FormatError for the first bad line of the first bad run.
std::vector<FusedTopic> fuse_runs(std::span<const std::filesystem::path> runs, const FusionOptions& options);

/// The run as TREC lines with ranks from 1.
std::string run_text(const std::vector<FusedTopic>& topics, std::string_view tag);

}  // namespace touchstone::analysis::fusion
