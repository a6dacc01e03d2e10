#pragma once

#include "collection/health/words.hpp"
#include "common/records/sorter.hpp"
#include "common/scratch_folder.hpp"

#include <array>
#include <compare>
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

/// Texts that repeat an earlier one.
struct Repeats {
  std::uint64_t texts = 0, exact = 0, near = 0;
  /// Names of the first repeat and of the text that it repeats; empty if there is no repeat. The text is one of the
  /// first kMaxSketchedTexts different ones.
  std::pair<std::string, std::string> exact_sample, near_sample;
};

/// Counts texts that repeat an earlier one: exactly (same words, whatever the case and punctuation), or nearly. Near
/// repeats are estimated by one-permutation MinHash over pairs of neighbouring words: 32 bins, candidates by eight
/// bands of four bins, each compared with the first text that has the band. Memory: some 110 bytes for each of the
/// first kMaxSketchedTexts different texts, and 24 MB for sorting; the rest is sorted in the folder for temporary
/// files. Not thread-safe. Throws StorageError if that cannot be written.
/// Sources: Broder, "On the resemblance and containment of documents", 1997; Li, Owen and Zhang, "One permutation
/// hashing", 2012.
class RepeatCounter {
 public:
  /// \param words  of `text`
  void add(std::string_view name, std::string_view text, const std::vector<Word>& words);
  /// Call once, last.
  Repeats finish();

 private:
  static constexpr std::size_t kBins = 32, kBandBins = 4;
  using Sketch = std::array<std::uint16_t, kBins>;  ///< 0: no pair of words fell into the bin

  /// A band of a sketch.
  struct Band {
    std::uint64_t key = 0;  ///< hash of its number and its bins
    std::uint32_t sketch = 0, number = 0;
    friend auto operator<=>(const Band&, const Band&) = default;
  };
  /// The name of a text that has a sketch.
  struct Name {
    std::uint64_t sketch = 0;
    std::string text;
    template <class Fields>
    void fields(Fields& field) {
      field("sketch", sketch)("text", text);
    }
    friend bool operator<(const Name& a, const Name& b) { return a.sketch < b.sketch; }
  };

  void add_sketch(std::string_view name, const std::vector<std::uint64_t>& hashes);
  static double overlap(const Sketch& a, const Sketch& b) noexcept;
  void count_later_repeats();
  void find_near_repeats();
  void read_names();

  static constexpr std::uint32_t kNoSketch = static_cast<std::uint32_t>(-1);
  static constexpr std::size_t kSortBytes = std::size_t{8} << 20;

  Repeats found_;
  std::vector<Sketch> sketches_;                            ///< of the first different texts
  std::unordered_map<std::uint64_t, std::uint32_t> first_;  ///< hash of their words -> number of the sketch
  records::Sorter<std::uint64_t> later_{temporary_folder(), kSortBytes};  ///< hashes of all other texts
  records::Sorter<Band> bands_{temporary_folder(), kSortBytes};
  records::Sorter<Name> names_{temporary_folder(), kSortBytes};
  std::uint32_t exact_sample_ = kNoSketch;  ///< that the first exact repeat repeats
  /// The first near repeat, and what it repeats.
  std::pair<std::uint32_t, std::uint32_t> near_sample_{kNoSketch, kNoSketch};
  std::vector<std::uint64_t> word_hashes_;  ///< kept between calls
};

}  // namespace touchstone::collection::health
