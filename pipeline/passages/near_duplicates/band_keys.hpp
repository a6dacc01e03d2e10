#pragma once

#include "pipeline/passages/near_duplicates/bigram_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Locality-sensitive hashing: each set gets one key in each of several bands. Two sets whose keys are equal in a band
/// are candidates.
namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Gives the keys. Thread-safe.
class BandKeys {
 public:
  virtual ~BandKeys() = default;
  virtual std::size_t bands() const noexcept = 0;
  /// The keys of a set in the bands first_band, first_band + 1, ... \pre first_band + keys.size() <= bands()
  virtual void keys(std::size_t set, std::size_t first_band, std::span<std::uint32_t> keys) const = 0;

 protected:
  BandKeys() = default;
  BandKeys(const BandKeys&) = default;
  BandKeys& operator=(const BandKeys&) = default;
};

/// A key of MinHash is made of `rows` minima. The probability that two sets of Jaccard coefficient j have the same key
/// in some band is 1 - (1 - j^rows)^bands.
struct MinHashShape {
  std::size_t rows = 1, bands = 1;

  /// The most rows, so the fewest false candidates, with which sets of this Jaccard coefficient are candidates with a
  /// probability of .999 in at most 192 bands, and at most 8 rows.
  static MinHashShape for_jaccard(double jaccard) noexcept;
};

/// MinHash over bigrams.
/// Source: A. Z. Broder, "On the resemblance and containment of documents", 1997; the bands: P. Indyk and R. Motwani,
/// "Approximate nearest neighbors", 1998.
class MinHashKeys final : public BandKeys {
 public:
  /// \param sets  outlive this object
  MinHashKeys(const BigramSets& sets, MinHashShape shape, std::uint64_t seed);
  std::size_t bands() const noexcept override { return shape_.bands; }
  void keys(std::size_t set, std::size_t first_band, std::span<std::uint32_t> keys) const override;

 private:
  const BigramSets& sets_;
  MinHashShape shape_;
  std::vector<std::uint32_t> factors_, offsets_;  ///< of the hash functions, band by band
};

/// The keys of another object, changed by the sets' facts, so that only sets with equal facts are candidates.
class FactKeys final : public BandKeys {
 public:
  /// \param sets  outlive this object
  FactKeys(const BigramSets& sets, std::unique_ptr<BandKeys> keys) : sets_(sets), keys_(std::move(keys)) {}
  std::size_t bands() const noexcept override { return keys_->bands(); }
  void keys(std::size_t set, std::size_t first_band, std::span<std::uint32_t> keys) const override {
    keys_->keys(set, first_band, keys);
    const auto facts = static_cast<std::uint32_t>(sets_.facts(set) ^ (sets_.facts(set) >> 32));
    for (auto& key : keys) key ^= facts;
  }

 private:
  const BigramSets& sets_;
  std::unique_ptr<BandKeys> keys_;
};

/// Summed word vectors, one for each set.
struct VectorSums {
  /// \param window_bytes  as that of GrowingMemory
  explicit VectorSums(const std::filesystem::path& folder, std::size_t window_bytes = 0)
      : sums(folder, window_bytes / 2), counts(folder, window_bytes / 2) {}

  std::size_t dimensions = 0;
  GrowingArray<float> sums;            ///< one after the other
  GrowingArray<std::uint32_t> counts;  ///< number of words in each sum
};

/// Random hyperplanes over summed word vectors: a bit of a key says on which side of a hyperplane the vector lies. The
/// mean vector of all words is taken off each word first; without that, most paragraphs lie on the same sides, and long
/// and short ones on different ones.
/// A set without a known word has the keys of MinHash, so it is still compared with other sets without one.
/// Source: M. Charikar, "Similarity estimation techniques from rounding algorithms", 2002; for paragraphs: Dietz and
/// Dalton, "Humans Optional?", section 3.4 ("GloVE-based locality-sensitive hashing").
class HyperplaneKeys final : public BandKeys {
 public:
  static constexpr std::size_t kBands = 128, kBits = 16;

  /// \param vectors  outlive this object
  /// \param fallback  has at least one band
  HyperplaneKeys(const VectorSums& vectors, std::unique_ptr<BandKeys> fallback, std::uint64_t seed);
  std::size_t bands() const noexcept override { return kBands; }
  void keys(std::size_t set, std::size_t first_band, std::span<std::uint32_t> keys) const override;

 private:
  const VectorSums& vectors_;
  std::unique_ptr<BandKeys> fallback_;
  std::vector<float> mean_;    ///< of the words
  std::vector<float> planes_;  ///< [band][dimension][bit]
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
