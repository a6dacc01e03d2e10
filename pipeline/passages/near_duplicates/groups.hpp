#pragma once

#include "common/records/spool.hpp"
#include "pipeline/passages/near_duplicates/growing_array.hpp"
#include "pipeline/passages/near_duplicates/work_space.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone::pipeline::passages::near_duplicates {

/// What was found. The numbers of paragraphs satisfy
/// paragraphs = representatives + exact_duplicates + same_bigrams + near_duplicates.
struct NearDuplicateStatistics {
  std::uint64_t paragraphs = 0;
  std::uint64_t representatives = 0;
  std::uint64_t exact_duplicates = 0;  ///< paragraphs whose text came before, byte by byte
  std::uint64_t same_bigrams = 0;  ///< further texts with exactly the bigrams of one before them, such as other marks
  std::uint64_t near_duplicates = 0;  ///< further texts that overlap with their representative by the threshold
  std::uint64_t groups = 0;           ///< with at least two paragraphs
  std::uint64_t largest_group = 0;    ///< paragraphs in it
  std::uint64_t without_words = 0;    ///< distinct texts that have no word; they have exact duplicates only
  std::uint64_t without_vector = 0;   ///< distinct sets of bigrams of which no word has a vector; 0 without vectors
  std::uint64_t compared_pairs = 0;   ///< candidates that were verified
  /// Distinct sets of bigrams that became representatives while one of the bounds on candidates was reached. Each may
  /// be a near-duplicate that was not found. 0 on ordinary text.
  std::uint64_t uncertain = 0;
  std::uint64_t full_buckets = 0;  ///< buckets that reached their bound
};

/// Paragraphs in the order in which they came, each with its representative. In files: 4 bytes a paragraph, and the
/// ids. Not thread-safe.
class Groups {
 public:
  std::size_t size() const noexcept { return representatives_.size(); }
  /// The number of the paragraph that represents this one: the first of its group, itself if nothing represents it.
  std::size_t representative(std::size_t paragraph) const noexcept { return representatives_[paragraph]; }

  /// Calls `replaced(id, representative)` with two ids for each paragraph that another one represents, in the order of
  /// the representatives. Throws StorageError if temporary files cannot be written or read.
  void for_each_replaced(const std::function<void(std::string_view id, std::string_view representative)>& replaced);

  const NearDuplicateStatistics& statistics() const noexcept { return statistics_; }

 private:
  friend class Finder;

  explicit Groups(const internal::WorkSpace& space)
      : space_(space),
        ids_(std::make_unique<records::Spool<std::string>>(space.folder)),
        representatives_(space.folder, space.part(16)) {}

  internal::WorkSpace space_;
  std::unique_ptr<records::Spool<std::string>> ids_;
  GrowingArray<std::uint32_t> representatives_;  ///< of each paragraph
  NearDuplicateStatistics statistics_;
};

}  // namespace touchstone::pipeline::passages::near_duplicates
