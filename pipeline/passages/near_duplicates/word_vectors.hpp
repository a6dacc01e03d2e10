#pragma once

#include "pipeline/passages/near_duplicates/growing_array.hpp"
#include "pipeline/passages/near_duplicates/hash_index.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace touchstone::pipeline::passages::near_duplicates {

/// What a file of word vectors may hold.
struct WordVectorLimits {
  std::size_t max_dimensions = 4096;
  std::uint64_t max_bytes = std::uint64_t{8} << 30;  ///< of the vectors in memory, 4 a number
};

/// Word vectors, found by the hash of the word (WordHasher). Thread-safe once read.
class WordVectors {
 public:
  /// Reads GloVe's text format, plain or gzip: on each line a word and its numbers, separated by single blanks. The
  /// first line tells how many numbers there are; a word may hold blanks. A first line of two whole numbers (the header
  /// of word2vec and fastText) is skipped. Words are put into lower case as those of paragraphs are; of equal words the
  /// first counts. Entries that are no single word, such as punctuation, are passed over. Throws StorageError if the
  /// file cannot be read, and FormatError with file and line if a line has too few numbers, a number is not finite, the
  /// limits are passed, or no word is left. Source: nlp.stanford.edu/projects/glove (J. Pennington, R. Socher, C. D.
  /// Manning, "GloVe", 2014).
  static WordVectors read(const std::filesystem::path& path, const WordVectorLimits& limits = {});

  std::size_t dimensions() const noexcept { return dimensions_; }
  std::size_t size() const noexcept { return words_.size(); }

  /// The vector of a word; empty if it has none.
  std::span<const float> find(std::uint64_t word) const;

 private:
  class Reader;

  std::size_t dimensions_ = 0;
  internal::HashIndex index_;
  GrowingArray<std::uint64_t> words_;
  GrowingArray<float> numbers_;
};

}  // namespace touchstone::pipeline::passages::near_duplicates
