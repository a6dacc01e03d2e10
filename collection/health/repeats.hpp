#pragma once

#include "collection/health/words.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::collection::health {

/// Texts beyond this many are compared for equal words only.
inline constexpr std::size_t kMaxSketchedTexts = 1'000'000;
/// Estimated share of word pairs that near repeats have in common (Jaccard).
inline constexpr double kNearRepeatOverlap = 0.8;

/// Counts texts that repeat an earlier one: exactly (same words, whatever the case and punctuation), or nearly. Near
/// repeats are estimated by one-permutation MinHash over pairs of neighbouring words: 32 bins, candidates by eight
/// bands of four bins, each compared with the first text that has the band. Memory: 8 bytes a text, and about 400 bytes
/// for each of the first kMaxSketchedTexts.
/// Sources: Broder, "On the resemblance and containment of documents", 1997; Li, Owen and Zhang, "One permutation
/// hashing", 2012.
class RepeatCounter {
 public:
  /// \param words  of `text`
  void add(std::string_view name, std::string_view text, const std::vector<Word>& words);

  std::uint64_t texts() const noexcept { return texts_; }
  std::uint64_t exact() const noexcept { return exact_; }
  std::uint64_t near() const noexcept { return near_; }
  /// Of a repeat and the text that it repeats; empty if there is no repeat.
  const std::pair<std::string, std::string>& exact_sample() const noexcept { return exact_sample_; }
  const std::pair<std::string, std::string>& near_sample() const noexcept { return near_sample_; }

 private:
  static constexpr std::size_t kBins = 32, kBandBins = 4;
  using Sketch = std::array<std::uint16_t, kBins>;  ///< 0: no pair of words fell into the bin

  void add_sketch(std::string_view name, const std::vector<std::uint64_t>& hashes);
  static double overlap(const Sketch& a, const Sketch& b) noexcept;

  std::uint64_t texts_ = 0, exact_ = 0, near_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> seen_;   ///< hash of the words -> number of the text
  std::unordered_map<std::uint64_t, std::uint32_t> bands_;  ///< band -> first sketch that has it
  std::vector<Sketch> sketches_;
  std::vector<std::string> sketch_names_;
  std::pair<std::string, std::string> exact_sample_, near_sample_;
  std::vector<std::uint64_t> word_hashes_;  ///< kept between calls
};

}  // namespace touchstone::collection::health
