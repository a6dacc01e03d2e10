#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace touchstone::collection::health {

/// Overlap (Jaccard) of members from which two topics ask for the same.
inline constexpr double kEqualTopics = 0.8;

/// The members of topics, each sorted and once. Memory: 8 bytes for each topic and member.
class TopicMembers {
 public:
  void add(std::span<const std::uint64_t> members) {
    members_.insert(members_.end(), members.begin(), members.end());
    ends_.push_back(members_.size());
  }
  std::size_t size() const noexcept { return ends_.size(); }
  std::span<const std::uint64_t> operator[](std::size_t topic) const {
    const auto begin = topic == 0 ? 0 : ends_[topic - 1];
    return std::span(members_).subspan(begin, ends_[topic] - begin);
  }
  std::span<const std::uint64_t> all() const noexcept { return members_; }

 private:
  std::vector<std::uint64_t> members_;
  std::vector<std::size_t> ends_;
};

struct TopicOverlap {
  std::size_t topics = 0;                        ///< whose members overlap with those of a topic before them
  std::pair<std::size_t, std::size_t> sample{};  ///< the first such topic, and the one before it
};

/// Counts the topics whose members are nearly those of an earlier topic. Only topics that share one of their rarest
/// members are compared (prefix filtering: Chaudhuri, Ganti and Kaushik, 2006), and each with at most a thousand.
/// Memory: 8 bytes for each member, and 16 bytes for each of the rarest ones, a fifth of them and one a topic.
TopicOverlap find_topic_overlap(const TopicMembers& topics);

}  // namespace touchstone::collection::health
