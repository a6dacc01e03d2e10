#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace touchstone::collection::health {

/// Overlap (Jaccard) of members from which two topics ask for the same.
inline constexpr double kEqualTopics = 0.8;

struct TopicOverlap {
  std::size_t topics = 0;                        ///< whose members overlap with those of a topic before them
  std::pair<std::size_t, std::size_t> sample{};  ///< the first such topic, and the one before it
};

/// Counts the topics whose members are nearly those of an earlier topic. Only topics that share one of their rarest
/// members are compared (prefix filtering: Chaudhuri, Ganti and Kaushik, 2006), and each with at most a thousand.
/// \param members  the pages of each topic, sorted, each once
TopicOverlap find_topic_overlap(const std::vector<std::vector<std::uint64_t>>& members);

}  // namespace touchstone::collection::health
