#include "pipeline/difference/matching.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::pipeline::difference {
namespace {

constexpr double kLeastOverlap = 0.5;  // Jaccard index of the members of a renamed topic

/// Pairs parts by keys, one way to make a key after the other.
template <class Part>
class KeyMatcher {
 public:
  KeyMatcher(const std::vector<Part>& before, const std::vector<Part>& after)
      : before_(before), after_(after), new_of_old_(before.size(), kNoPart), old_of_new_(after.size(), kNoPart) {}

  /// Pairs free parts with equal keys, in their order. `key_of` gives nothing for parts that it cannot tell.
  template <class Key>
  void pair_by(const Key& key_of) {
    using KeyValue = typename decltype(key_of(before_.front()))::value_type;
    std::map<KeyValue, std::vector<std::uint32_t>> waiting;
    for (std::uint32_t i = 0; i < after_.size(); ++i) {
      if (old_of_new_[i] != kNoPart) continue;
      if (auto key = key_of(after_[i])) waiting[std::move(*key)].push_back(i);
    }
    std::map<KeyValue, std::size_t> used;
    for (std::uint32_t i = 0; i < before_.size(); ++i) {
      if (new_of_old_[i] != kNoPart) continue;
      const auto key = key_of(before_[i]);
      if (!key) continue;
      const auto found = waiting.find(*key);
      if (found == waiting.end()) continue;
      std::size_t& next = used[*key];
      if (next < found->second.size()) pair(i, found->second[next++]);
    }
  }
  void pair(std::uint32_t old_part, std::uint32_t new_part) {
    new_of_old_[old_part] = new_part;
    old_of_new_[new_part] = old_part;
  }
  bool is_free_before(std::uint32_t part) const { return new_of_old_[part] == kNoPart; }
  bool is_free_after(std::uint32_t part) const { return old_of_new_[part] == kNoPart; }

  /// \param change_of  what a pair is
  template <class Change, class Judge>
  Matching<Change> take(Change added, Change gone, const Judge& change_of) {
    Matching<Change> matching;
    for (std::uint32_t i = 0; i < before_.size(); ++i) {
      const auto found = new_of_old_[i];
      matching.pairs.push_back({i, found, found == kNoPart ? gone : change_of(before_[i], after_[found])});
    }
    for (std::uint32_t i = 0; i < after_.size(); ++i) {
      if (old_of_new_[i] == kNoPart) matching.pairs.push_back({kNoPart, i, added});
    }
    matching.new_of_old = std::move(new_of_old_);
    matching.old_of_new = std::move(old_of_new_);
    return matching;
  }

 private:
  const std::vector<Part>& before_;
  const std::vector<Part>& after_;
  std::vector<std::uint32_t> new_of_old_, old_of_new_;
};

/// Pairs the topics whose members overlap most. Only topics that share a member are compared.
void pair_by_members(const ComparedCollection& before, const ComparedCollection& after,
                     KeyMatcher<ComparedTopic>& matcher) {
  std::map<std::string, std::vector<std::uint32_t>> topics_with;
  std::vector<std::size_t> sizes(after.topics.size());
  for (std::uint32_t i = 0; i < after.topics.size(); ++i) {
    if (!matcher.is_free_after(i)) continue;
    const auto keys = members_by_key(after.topics[i], knows_pages(after.topics[i]));
    sizes[i] = keys.size();
    for (const auto& [key, title] : keys) topics_with[key].push_back(i);
  }
  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> candidates;  // overlap, negated, and the pair
  for (std::uint32_t i = 0; i < before.topics.size(); ++i) {
    if (!matcher.is_free_before(i)) continue;
    const auto keys = members_by_key(before.topics[i], knows_pages(before.topics[i]));
    std::map<std::uint32_t, std::size_t> shared;
    for (const auto& [key, title] : keys) {
      if (const auto found = topics_with.find(key); found != topics_with.end()) {
        for (const auto topic : found->second) ++shared[topic];
      }
    }
    for (const auto& [topic, count] : shared) {
      const double overlap = static_cast<double>(count) / static_cast<double>(keys.size() + sizes[topic] - count);
      if (overlap >= kLeastOverlap) candidates.emplace_back(-overlap, i, topic);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [overlap, old_topic, new_topic] : candidates) {
    if (matcher.is_free_before(old_topic) && matcher.is_free_after(new_topic)) matcher.pair(old_topic, new_topic);
  }
}

PassageChange passage_change(const ComparedPassage& before, const ComparedPassage& after) {
  if (before.text != after.text) return PassageChange::kEdited;
  return before.docid == after.docid ? PassageChange::kSame : PassageChange::kMoved;
}

}  // namespace

bool knows_pages(const ComparedTopic& topic) {
  return std::ranges::all_of(topic.members, [](const ComparedMember& member) { return member.page_id != 0; });
}

std::map<std::string, std::string> members_by_key(const ComparedTopic& topic, bool by_page) {
  std::map<std::string, std::string> members;
  for (const auto& member : topic.members)
    members.emplace(by_page ? fmt::format("#{}", member.page_id) : member.title, member.title);
  return members;
}

std::string page_key(const ComparedPassage& passage) {
  return passage.page_id != 0 ? fmt::format("#{}", passage.page_id) : passage.page;
}

Matching<TopicChange> match_topics(const ComparedCollection& before, const ComparedCollection& after) {
  KeyMatcher<ComparedTopic> matcher(before.topics, after.topics);
  matcher.pair_by([](const ComparedTopic& topic) { return std::optional(topic.id); });
  matcher.pair_by([](const ComparedTopic& topic) {
    using Key = std::pair<std::uint64_t, std::string>;
    return topic.page_id == 0 ? std::optional<Key>() : std::optional<Key>({topic.page_id, topic.place});
  });
  pair_by_members(before, after, matcher);
  return matcher.take(TopicChange::kAdded, TopicChange::kGone,
                      [](const ComparedTopic& old_topic, const ComparedTopic& new_topic) {
                        if (old_topic.id != new_topic.id) return TopicChange::kRenamed;
                        return old_topic.query == new_topic.query ? TopicChange::kSame : TopicChange::kReworded;
                      });
}

Matching<PassageChange> match_passages(const ComparedCollection& before, const ComparedCollection& after) {
  KeyMatcher<ComparedPassage> matcher(before.passages, after.passages);
  matcher.pair_by([](const ComparedPassage& passage) { return std::optional(std::pair(passage.docid, passage.text)); });
  matcher.pair_by(
      [](const ComparedPassage& passage) { return std::optional(std::pair(page_key(passage), passage.text)); });
  matcher.pair_by([](const ComparedPassage& passage) { return std::optional(passage.docid); });
  matcher.pair_by([](const ComparedPassage& passage) { return std::optional(passage.text); });
  matcher.pair_by([](const ComparedPassage& passage) {
    using Key = std::pair<std::string, std::string>;
    return passage.page.empty() ? std::optional<Key>() : std::optional<Key>({page_key(passage), passage.place});
  });
  return matcher.take(PassageChange::kNew, PassageChange::kGone, passage_change);
}

}  // namespace touchstone::pipeline::difference
