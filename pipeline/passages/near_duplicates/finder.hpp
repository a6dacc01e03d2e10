#pragma once

#include "common/stop.hpp"
#include "pipeline/passages/near_duplicates/groups.hpp"
#include "pipeline/passages/near_duplicates/near_duplicate_options.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace touchstone::pipeline::passages::near_duplicates {

/// Finds near-duplicate paragraphs and gives each group one representative, its first paragraph in the order of `add`:
///
///   Finder finder(options);
///   for (...) finder.add(id, text);
///   const Groups groups = finder.finish(threads, stop);
///
/// 1. Texts with the same SHA-1 are one text.
/// 2. Texts with the same set of word bigrams are one set (word_bigrams.hpp).
/// 3. Sets that share a key of MinHash are candidates; with word vectors, those on the same sides of random
/// hyperplanes.
/// 4. Candidates are compared exactly. A set joins the first representative before it with which it overlaps by the
///    threshold, else it represents itself (representatives.hpp).
///
/// The first paragraph represents its group because it is known without looking ahead and because its id does not
/// change when paragraphs are added behind it. The groups depend on the order in which paragraphs come; callers should
/// use a stable order, such as that of docids. Same paragraphs in the same order give the same groups, with any number
/// of threads.
///
/// Memory: that of the option `near_duplicates.memory_bytes`, whatever the number of paragraphs, and word vectors while
/// paragraphs are added. The rest is in files without names: for each paragraph its id, 8 bytes for each distinct
/// bigram, and 120 bytes; for each distinct set of bigrams 24 bytes, 8 for each bigram, and those of CandidateBuckets;
/// with word vectors, 4 bytes more for each of their numbers. Containment needs the memory of SharedBigrams besides.
/// Texts are not kept.
///
/// With `enabled` false, each paragraph represents itself.
///
/// Source: Dietz and Dalton, "Humans Optional?", section 3.4. The tool for TREC CAR compares each paragraph with all
/// others of its bucket; MinHash instead of one bucket of hyperplanes finds more of the pairs, and faster.
/// Not thread-safe.
class Finder {
 public:
  /// \param folder  of the files
  /// Throws as WordVectors::read if the options name a file of word vectors. All functions throw StorageError if the
  /// files cannot be written or read.
  Finder(NearDuplicatesOptions options, std::filesystem::path folder);
  ~Finder();
  Finder(Finder&&) noexcept;

  /// Adds a paragraph. Neither id nor text is kept as a view. The same id may come again with the same text. With
  /// `keep_facts`, paragraphs with different `facts` (facts.hpp) are in different groups, unless their texts are equal.
  void add(std::string_view id, std::string_view text, std::uint64_t facts = 0);

  /// Finds the groups; the object must not be used afterwards. Throws Interrupted if a stop was requested, and Error if
  /// an id came with two texts.
  Groups finish(int threads, const StopFlag& stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::pipeline::passages::near_duplicates
