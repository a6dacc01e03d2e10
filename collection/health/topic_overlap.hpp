#pragma once

#include "common/records/sorter.hpp"
#include "common/records/stored_bytes.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace touchstone::collection::health {

/// Overlap (Jaccard) of members from which two topics ask for the same.
inline constexpr double kEqualTopics = 0.8;

struct TopicOverlap {
  std::uint64_t topics = 0;                          ///< whose members overlap with those of a topic before them
  std::pair<std::uint64_t, std::uint64_t> sample{};  ///< the first such topic, and the one before it
};

/// Counts the topics whose members are nearly those of an earlier topic. Only topics that share one of their rarest
/// members are compared (prefix filtering: Chaudhuri, Ganti and Kaushik, 2006), and each with at most a thousand.
///
/// Memory: `memory_bytes` and the members of two topics; the rest is in unnamed files in the folder. Not
/// thread-safe. Throws StorageError if the folder is needed and cannot be written.
class OverlapFinder {
 public:
  explicit OverlapFinder(std::filesystem::path folder, std::size_t memory_bytes = kMemoryBytes);

  /// \param members  of the next topic, sorted, each once
  void add(std::span<const std::uint64_t> members);
  /// Call once, last.
  TopicOverlap find();

 private:
  struct Member {
    std::uint64_t member = 0, topic = 0;
    friend auto operator<=>(const Member&, const Member&) = default;
  };
  struct Rarity {  ///< how rare a member of a topic is
    std::uint64_t topic = 0, topics_with_it = 0, member = 0;
    friend auto operator<=>(const Rarity&, const Rarity&) = default;
  };
  struct RareMember {
    std::uint64_t member = 0, topic = 0, place = 0;  ///< place: 0 for the rarest member of the topic
    friend auto operator<=>(const RareMember&, const RareMember&) = default;
  };
  /// The earlier topics that share a rare member with a topic, as a range of the list of them.
  struct Comparison {
    std::uint64_t topic = 0, place = 0, first = 0, count = 0;
    friend auto operator<=>(const Comparison&, const Comparison&) = default;
  };
  template <class Row>
  using Sorter = records::Sorter<Row>;

  static constexpr std::size_t kMemoryBytes = std::size_t{40} << 20;

  void rate(Sorter<Rarity>& rarities);
  static void keep_rarest(Sorter<Rarity>& rarities, Sorter<RareMember>& rarest);
  static void pair_up(Sorter<RareMember>& rarest, records::StoredBytes& topics, Sorter<Comparison>& comparisons);
  bool are_equal(std::uint64_t topic, std::uint64_t other);

  std::filesystem::path folder_;
  std::size_t part_bytes_;                       ///< memory of each of five parts
  records::StoredLists<std::uint64_t> members_;  ///< of each topic
  Sorter<Member> by_member_;
  std::vector<std::uint64_t> members_of_topic_, members_of_other_;
  std::uint64_t held_topic_ = 0;  ///< whose members are in `members_of_topic_`, counted from 1
};

}  // namespace touchstone::collection::health
