#pragma once

#include "common/stop.hpp"
#include "pipeline/passages/near_duplicates/bigram_sets.hpp"
#include "pipeline/passages/near_duplicates/growing_array.hpp"
#include "pipeline/passages/near_duplicates/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Proposes pairs for containment, for which MinHash is of no help: a short set inside a long one has a small Jaccard
/// coefficient. A set of n bigrams of which k must be in the other one has one of any n - k + 1 of its bigrams there,
/// and the rarest n - k + 1 are its key bigrams. Two sets are candidates if the other one holds a key bigram of the
/// smaller one. No pair at the threshold is lost but by the bounds below.
///
/// Two tables list the representatives: by their key bigrams, in which a search looks for all bigrams of its set and
/// finds what is not larger, and by all their bigrams, in which it looks for the set's key bigrams and finds what is
/// larger. A list holds at most kMaxListed representatives; a search visits the shortest lists first, at most
/// kMaxGathered entries. Bigrams share a list if they agree in their first bits, which only costs time.
///
/// Memory: at most 12 bytes for each bigram of all sets, and 6 for each that is in several.
/// Source: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins in data cleaning", 2006
/// (prefix filter).
class SharedBigrams {
 public:
  static constexpr std::uint8_t kMaxListed = 250;
  static constexpr std::size_t kMaxGathered = 4096;

  /// \param sets  outlive this object
  /// \param folder  of the files for what takes much memory; empty: memory only
  SharedBigrams(const BigramSets& sets, const OverlapCriterion& criterion, const std::filesystem::path& folder);

  /// Counts the bigrams of all sets.
  void build(const StopFlag& stop);

  /// Does nothing: all sets are in memory.
  void load(std::size_t /*begin*/, std::size_t /*end*/) {}

  /// Lists a set as a representative. Sets must be listed in ascending order.
  void list(std::size_t set);

  /// Calls `candidate(other)` for each listed set >= `first` that shares a bigram as above, once for each place where
  /// it is listed. Returns whether a bound was reached. Thread-safe while nothing is listed.
  template <class Candidate>
  bool for_each_listed(std::size_t set, std::size_t first, const Candidate& candidate) const {
    std::size_t left = kMaxGathered;
    bool bounded = false;
    for (const auto& [size, begin] : lists_of(set, bounded)) {
      for (std::size_t i = size; i > 0 && begin[i - 1] >= first && left > 0; --i, --left) candidate(begin[i - 1]);
    }
    return bounded || left == 0;
  }

  /// Whether the two sets are candidates if no bound is reached.
  bool proposes(std::size_t a, std::size_t b) const;

  std::size_t full_buckets() const noexcept;

 private:
  using List = std::pair<std::size_t, const std::uint32_t*>;  ///< size and first entry

  /// Representatives by some of their bigrams.
  struct Table {
    explicit Table(const std::filesystem::path& folder) : begins(folder), listed(folder), entries(folder) {}

    void make_room(const std::vector<std::uint32_t>& counts);
    void add(std::size_t place, std::uint32_t set);
    List list(std::size_t place) const { return {listed[place], entries.view(begins[place], listed[place]).data()}; }

    GrowingArray<std::uint32_t> begins;
    GrowingArray<std::uint8_t> listed;
    GrowingArray<std::uint32_t> entries;
  };

  std::size_t place_of(std::uint64_t bigram) const noexcept { return static_cast<std::size_t>(bigram >> shift_); }
  /// The places of a set's key bigrams that several sets share.
  std::vector<std::size_t> key_places(std::size_t set) const;
  std::vector<std::size_t> places(std::size_t set) const;
  std::vector<List> lists_of(std::size_t set, bool& bounded) const;

  const BigramSets& sets_;
  const OverlapCriterion& criterion_;
  int shift_ = 0;
  GrowingArray<std::uint16_t> frequency_;  ///< sets with a bigram of this place, at most 65,535
  Table by_keys_, by_all_;
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
