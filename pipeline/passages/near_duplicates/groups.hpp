#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Paragraphs in the order in which they came, each with its representative. Thread-safe.
class Groups {
 public:
  std::size_t size() const noexcept { return representatives_.size(); }
  std::string_view id(std::size_t paragraph) const noexcept;
  /// The number of the paragraph that represents this one: the first of its group, itself if nothing represents it.
  std::size_t representative(std::size_t paragraph) const noexcept { return representatives_[paragraph]; }

  /// The number of the first paragraph with this id. O(log n).
  std::optional<std::size_t> find(std::string_view id) const noexcept;
  /// The id that represents this one; the id itself if it is unknown.
  std::string_view representative_of(std::string_view id) const noexcept;

  /// Calls `group(members)` for each group of at least two paragraphs, in the order of their representatives. Members
  /// are ascending, the representative first.
  void for_each_group(const std::function<void(std::span<const std::uint32_t> members)>& group) const;

  const NearDuplicateStatistics& statistics() const noexcept { return statistics_; }

 private:
  friend class Finder;

  std::string ids_;                             ///< one after the other
  std::vector<std::uint64_t> id_ends_;          ///< of each paragraph in `ids_`
  std::vector<std::uint32_t> by_id_;            ///< paragraphs in the order of their ids
  std::vector<std::uint32_t> representatives_;  ///< of each paragraph
  NearDuplicateStatistics statistics_;
};

}  // namespace touchstone::pipeline::passages::near_duplicates
