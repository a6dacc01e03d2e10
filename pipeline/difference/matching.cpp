#include "pipeline/difference/matching.hpp"

#include "pipeline/difference/key_matcher.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::pipeline::difference {
namespace {

constexpr double kLeastOverlap = 0.5;  // Jaccard index of the members of a renamed topic

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

bool follows(const ComparedCollection& before, const ComparedCollection& after) {
  return !before.manifest.empty() && after.history.manifest == before.manifest;
}

Matching<PassageChange> match_passages(const ComparedCollection& before, const ComparedCollection& after) {
  KeyMatcher<ComparedPassage> matcher(before.passages, after.passages);
  matcher.pair_by([](const ComparedPassage& passage) { return std::optional(std::pair(passage.docid, passage.text)); });
  if (follows(before, after)) {
    std::map<std::string_view, std::string_view> from;
    for (const auto& [label, docid] : after.history.moved) from.emplace(label.second, docid);
    matcher.pair_by([](const ComparedPassage& passage) { return std::optional(std::string_view(passage.docid)); },
                    [&](const ComparedPassage& passage) {
                      const auto found = from.find(passage.docid);
                      return found == from.end() ? std::nullopt : std::optional(found->second);
                    });
  }
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
