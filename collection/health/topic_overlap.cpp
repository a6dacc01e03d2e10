#include "collection/health/topic_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace touchstone::collection::health {
namespace {

using Members = std::vector<std::uint64_t>;
constexpr std::size_t kMaxComparisons = 1000;

double jaccard(const Members& a, const Members& b) {
  std::size_t shared = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++shared;
    const bool step_a = *i <= *j, step_b = *j <= *i;
    if (step_a) ++i;
    if (step_b) ++j;
  }
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

/// The members that a topic which overlaps with this one must share one of: all but 80 %, the rarest ones.
Members rarest(const Members& members, const std::unordered_map<std::uint64_t, std::size_t>& frequency) {
  Members sorted = members;
  std::sort(sorted.begin(), sorted.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::pair(frequency.at(a), a) < std::pair(frequency.at(b), b);
  });
  const auto needed = static_cast<std::size_t>(std::ceil(kEqualTopics * static_cast<double>(members.size()) - 1e-9));
  sorted.resize(members.size() - needed + 1);
  return sorted;
}

}  // namespace

TopicOverlap find_topic_overlap(const std::vector<Members>& members) {
  std::unordered_map<std::uint64_t, std::size_t> frequency;
  for (const auto& topic : members) {
    for (const auto page : topic) ++frequency[page];
  }
  TopicOverlap found;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> topics_of;
  for (std::size_t topic = 0; topic < members.size(); ++topic) {
    if (members[topic].empty()) continue;
    std::optional<std::size_t> equal;
    std::size_t comparisons = 0;
    const Members keys = rarest(members[topic], frequency);
    for (const auto page : keys) {
      for (const std::size_t other : topics_of[page]) {
        if (equal || ++comparisons > kMaxComparisons) break;
        if (jaccard(members[topic], members[other]) >= kEqualTopics) equal = other;
      }
    }
    for (const auto page : keys) topics_of[page].push_back(topic);
    if (!equal) continue;
    if (found.topics++ == 0) found.sample = {topic, *equal};
  }
  return found;
}

}  // namespace touchstone::collection::health
