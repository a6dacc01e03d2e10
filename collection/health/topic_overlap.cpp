#include "collection/health/topic_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace touchstone::collection::health {
namespace {

using Members = std::span<const std::uint64_t>;
constexpr std::size_t kMaxComparisons = 1000;

double jaccard(Members a, Members b) {
  std::size_t shared = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++shared;
    const bool step_a = *i <= *j, step_b = *j <= *i;
    if (step_a) ++i;
    if (step_b) ++j;
  }
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

/// How often each member is in a topic.
class Frequencies {
 public:
  explicit Frequencies(Members all) : sorted_(all.begin(), all.end()) { std::sort(sorted_.begin(), sorted_.end()); }

  std::size_t of(std::uint64_t member) const {
    const auto [first, last] = std::equal_range(sorted_.begin(), sorted_.end(), member);
    return static_cast<std::size_t>(last - first);
  }

 private:
  std::vector<std::uint64_t> sorted_;
};

/// The members that a topic which overlaps with this one must share one of: all but 80 %, the rarest ones.
std::vector<std::uint64_t> rarest(Members members, const Frequencies& frequencies) {
  std::vector<std::pair<std::size_t, std::uint64_t>> sorted;
  for (const auto member : members) sorted.emplace_back(frequencies.of(member), member);
  std::sort(sorted.begin(), sorted.end());
  const auto needed = static_cast<std::size_t>(std::ceil(kEqualTopics * static_cast<double>(members.size()) - 1e-9));
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < members.size() - needed + 1; ++i) keys.push_back(sorted[i].second);
  return keys;
}

}  // namespace

TopicOverlap find_topic_overlap(const TopicMembers& topics) {
  const Frequencies frequencies(topics.all());
  std::vector<std::pair<std::uint64_t, std::size_t>> topics_of;  // one of the rarest members, and a topic
  for (std::size_t topic = 0; topic < topics.size(); ++topic) {
    if (topics[topic].empty()) continue;
    for (const auto member : rarest(topics[topic], frequencies)) topics_of.emplace_back(member, topic);
  }
  std::sort(topics_of.begin(), topics_of.end());

  TopicOverlap found;
  for (std::size_t topic = 0; topic < topics.size(); ++topic) {
    if (topics[topic].empty()) continue;
    std::optional<std::size_t> equal;
    std::size_t comparisons = 0;
    for (const auto member : rarest(topics[topic], frequencies)) {
      auto other = std::lower_bound(topics_of.begin(), topics_of.end(), std::pair(member, std::size_t{0}));
      for (; other->second < topic; ++other) {  // the topic itself ends them
        if (equal || ++comparisons > kMaxComparisons) break;
        if (jaccard(topics[topic], topics[other->second]) >= kEqualTopics) equal = other->second;
      }
    }
    if (!equal) continue;
    if (found.topics++ == 0) found.sample = {topic, *equal};
  }
  return found;
}

}  // namespace touchstone::collection::health
