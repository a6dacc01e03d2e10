#include "pipeline/difference/label_changes.hpp"

#include "pipeline/difference/change_reasons.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace touchstone::pipeline::difference {
namespace {

std::vector<MemberChange> member_changes(const Comparison& comparison) {
  std::vector<MemberChange> changes;
  for (const auto& pair : comparison.topics.pairs) {
    if (pair.old_part == kNoPart || pair.new_part == kNoPart) continue;
    const auto& old_topic = comparison.before.topics[pair.old_part];
    const auto& new_topic = comparison.after.topics[pair.new_part];
    const bool by_page = knows_pages(old_topic) && knows_pages(new_topic);
    const auto old_members = members_by_key(old_topic, by_page), new_members = members_by_key(new_topic, by_page);
    std::vector<MemberChange> of_topic;
    for (const auto& [key, title] : old_members) {
      if (!new_members.contains(key)) of_topic.push_back({pair.old_part, pair.new_part, title, false});
    }
    for (const auto& [key, title] : new_members) {
      if (!old_members.contains(key)) of_topic.push_back({pair.old_part, pair.new_part, title, true});
    }
    std::sort(of_topic.begin(), of_topic.end(), [](const auto& a, const auto& b) {
      return std::tuple(std::string_view(a.title), a.added) < std::tuple(std::string_view(b.title), b.added);
    });
    changes.insert(changes.end(), of_topic.begin(), of_topic.end());
  }
  return changes;
}

/// Walks over the labels of both collections.
class LabelComparer {
 public:
  explicit LabelComparer(Comparison& comparison) : comparison_(comparison), reasons_(comparison) {
    for (const auto& label : comparison.after.labels)
      new_labels_.emplace(std::pair(label.topic, label.passage), &label);
  }

  void run() {
    for (const auto& label : comparison_.before.labels) take_old(label);
    for (const auto& label : comparison_.after.labels) {
      if (!seen_.contains(&label)) take_new(label);
    }
  }

 private:
  void take_old(const ComparedLabel& label) {
    LabelChange change;
    change.old_topic = label.topic;
    change.old_passage = label.passage;
    change.new_topic = comparison_.topics.new_of_old[label.topic];
    change.new_passage = comparison_.passages.new_of_old[label.passage];
    change.old_grade = label.grade;
    const ComparedLabel* other = nullptr;
    if (const auto found = new_labels_.find({change.new_topic, change.new_passage}); found != new_labels_.end()) {
      other = found->second;
      seen_.insert(other);
      change.new_grade = other->grade;
    }
    if (change.new_grade == change.old_grade) {
      ++comparison_.labels_kept;
      return;
    }
    change.reason = reasons_.reason(change, &label, other);
    comparison_.labels.push_back(change);
  }
  void take_new(const ComparedLabel& label) {
    LabelChange change;
    change.new_topic = label.topic;
    change.new_passage = label.passage;
    change.old_topic = comparison_.topics.old_of_new[label.topic];
    change.old_passage = comparison_.passages.old_of_new[label.passage];
    change.new_grade = label.grade;
    change.reason = reasons_.reason(change, nullptr, &label);
    comparison_.labels.push_back(change);
  }

  Comparison& comparison_;
  ChangeReasons reasons_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, const ComparedLabel*> new_labels_;
  std::set<const ComparedLabel*> seen_;
};

}  // namespace

Comparison compare_collections(ComparedCollection before, ComparedCollection after) {
  Comparison comparison;
  comparison.before = std::move(before);
  comparison.after = std::move(after);
  comparison.topics = match_topics(comparison.before, comparison.after);
  comparison.passages = match_passages(comparison.before, comparison.after);
  comparison.members = member_changes(comparison);
  LabelComparer(comparison).run();
  return comparison;
}

}  // namespace touchstone::pipeline::difference
