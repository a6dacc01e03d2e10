#include "collection/health/topic_overlap.hpp"

#include "common/records/spool.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace touchstone::collection::health {
namespace {

constexpr std::size_t kParts = 5;  // members, topics, and at most three sorters at a time
constexpr std::size_t kMaxComparisons = 1000;

double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t shared = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++shared;
    const bool step_a = *i <= *j, step_b = *j <= *i;
    if (step_a) ++i;
    if (step_b) ++j;
  }
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

/// How many of its members, the rarest ones, a topic must look at: a topic that overlaps has one of them.
std::size_t rarest_count(std::size_t members) {
  return members - static_cast<std::size_t>(std::ceil(kEqualTopics * static_cast<double>(members) - 1e-9)) + 1;
}

}  // namespace

OverlapFinder::OverlapFinder(std::filesystem::path folder, std::size_t memory_bytes)
    : folder_(std::move(folder)),
      part_bytes_(memory_bytes / kParts),
      members_(folder_, part_bytes_),
      by_member_(folder_, part_bytes_) {}

void OverlapFinder::add(std::span<const std::uint64_t> members) {
  for (const auto member : members) by_member_.add({member, members_.size()});
  members_.add(members);
}

TopicOverlap OverlapFinder::find() {
  Sorter<Comparison> comparisons(folder_, part_bytes_);
  records::StoredBytes topics(folder_, part_bytes_);
  {
    Sorter<RareMember> rarest(folder_, part_bytes_);
    {
      Sorter<Rarity> rarities(folder_, part_bytes_);
      rate(rarities);
      keep_rarest(rarities, rarest);
    }
    pair_up(rarest, topics, comparisons);
  }
  TopicOverlap found;
  std::optional<std::uint64_t> last;
  std::optional<std::uint64_t> equal;
  std::size_t compared = 0;
  while (const auto comparison = comparisons.next()) {
    if (last != comparison->topic) {
      last = comparison->topic;
      equal.reset();
      compared = 0;
    }
    for (std::uint64_t i = 0; i < comparison->count && !equal && compared < kMaxComparisons; ++i, ++compared) {
      const auto other = topics.row<std::uint64_t>((comparison->first + i) * sizeof(std::uint64_t));
      if (are_equal(comparison->topic, other)) equal = other;
      if (equal && found.topics++ == 0) found.sample = {comparison->topic, other};
    }
  }
  return found;
}

/// Tells of each member of a topic how many topics have it.
void OverlapFinder::rate(Sorter<Rarity>& rarities) {
  records::Spool<Member> members(folder_);
  records::Spool<std::uint64_t> counts(folder_);
  std::optional<std::uint64_t> last;
  std::uint64_t count = 0;
  while (const auto next = by_member_.next()) {
    if (last && last != next->member) counts.add(std::exchange(count, 0));
    last = next->member;
    ++count;
    members.add(*next);
  }
  if (last) counts.add(count);
  members.rewind();
  counts.rewind();
  last.reset();
  while (members.next()) {
    const auto& [member, topic] = members.head();
    if (last != member) counts.next();
    last = member;
    rarities.add({topic, counts.head(), member});
  }
}

void OverlapFinder::keep_rarest(Sorter<Rarity>& rarities, Sorter<RareMember>& rarest) {
  std::vector<std::uint64_t> members;
  std::uint64_t topic = 0;
  const auto keep = [&] {
    if (members.empty()) return;
    for (std::size_t place = 0; place < rarest_count(members.size()); ++place)
      rarest.add({members[place], topic, place});
    members.clear();
  };
  while (const auto next = rarities.next()) {
    if (next->topic != topic) keep();
    topic = next->topic;
    members.push_back(next->member);
  }
  keep();
}

/// Lists the topics with each rare member, and says which of them come before a topic.
void OverlapFinder::pair_up(Sorter<RareMember>& rarest, records::StoredBytes& topics, Sorter<Comparison>& comparisons) {
  std::optional<std::uint64_t> member;
  std::uint64_t first = 0;
  for (std::uint64_t row = 0; const auto next = rarest.next(); ++row) {
    if (member != next->member) first = row;
    member = next->member;
    if (row > first) comparisons.add({next->topic, next->place, first, row - first});
    topics.add_row(next->topic);
  }
}

bool OverlapFinder::are_equal(std::uint64_t topic, std::uint64_t other) {
  if (held_topic_ != topic + 1) members_.read(topic, members_of_topic_);
  held_topic_ = topic + 1;
  members_.read(other, members_of_other_);
  return jaccard(members_of_topic_, members_of_other_) >= kEqualTopics;
}

}  // namespace touchstone::collection::health
