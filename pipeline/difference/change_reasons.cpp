#include "pipeline/difference/change_reasons.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::difference {
namespace {

std::string key_of_page(std::uint64_t id) {
  return fmt::format("#{}", id);
}

const ComparedMember* find_member(const ComparedTopic& topic, std::uint64_t page) {
  const auto found = std::ranges::find(topic.members, page, &ComparedMember::page_id);
  return found == topic.members.end() ? nullptr : &*found;
}

const MemberLabel* find_label(const ComparedLabel* label, std::uint64_t member) {
  if (label == nullptr) return nullptr;
  const auto found = std::ranges::find(label->members, member, &MemberLabel::member);
  return found == label->members.end() ? nullptr : &*found;
}

/// The judgments that the grade of a label comes from: those with the highest one.
std::vector<const MemberLabel*> deciding(const ComparedLabel& label) {
  std::optional<int> highest;
  for (const auto& member : label.members) highest = std::max(highest, member.grade);
  std::vector<const MemberLabel*> found;
  for (const auto& member : label.members) {
    if (member.grade && member.grade == highest) found.push_back(&member);
  }
  return found;
}

template <class Part>
const Part* part(const std::vector<Part>& parts, std::uint32_t index) {
  return index == kNoPart ? nullptr : &parts[index];
}

/// The reason that comes first in the table.
void keep_first(std::optional<LabelReason>& first, const std::optional<LabelReason>& reason) {
  if (reason && (!first || *reason < *first)) first = reason;
}

}  // namespace

ChangeReasons::ChangeReasons(const Comparison& comparison)
    : comparison_(comparison),
      follows_(follows(comparison.before, comparison.after)),
      old_pages_(pages_of(comparison.before)),
      new_pages_(pages_of(comparison.after)) {}

ChangeReasons::Pages ChangeReasons::pages_of(const ComparedCollection& collection) {
  Pages pages;
  for (const auto& passage : collection.passages)
    pages.emplace(page_key(passage), Page{passage.page, passage.revision});
  return pages;
}

bool ChangeReasons::is_edited(const std::string& page) const {
  const auto before = old_pages_.find(page), after = new_pages_.find(page);
  if (before == old_pages_.end() || after == new_pages_.end()) return true;
  return before->second.revision != after->second.revision || before->second.revision == 0;
}

LabelReason ChangeReasons::unless_set(LabelReason otherwise) const {
  return comparison_.before.settings == comparison_.after.settings ? otherwise : LabelReason::kSettingsChanged;
}

LabelReason ChangeReasons::reason(const LabelChange& change, const ComparedLabel* old_label,
                                  const ComparedLabel* new_label) const {
  const bool rises = new_label != nullptr && (old_label == nullptr || new_label->grade > old_label->grade);
  const Decision decision{rises, rises ? new_label : old_label, rises ? old_label : new_label};
  if (follows_) {
    if (const auto reason = of_history(change, decision)) return *reason;
  }
  for (const auto* label : {old_label, new_label}) {
    if (label != nullptr && std::ranges::any_of(label->members, &MemberLabel::is_by_people))
      return LabelReason::kJudgeChanged;
  }
  if (change.old_topic == kNoPart) return of_topic(comparison_.after.topics[change.new_topic], true);
  if (change.new_topic == kNoPart) return of_topic(comparison_.before.topics[change.old_topic], false);
  const auto& old_topic = comparison_.before.topics[change.old_topic];
  const auto& new_topic = comparison_.after.topics[change.new_topic];
  if (old_topic.id != new_topic.id)
    return old_topic.page != new_topic.page ? LabelReason::kListMoved : LabelReason::kListEdited;
  if (const auto reason = of_members(change, decision)) return *reason;
  if (const auto reason = of_passages(change)) return *reason;
  if (const auto reason = of_links(change, decision)) return *reason;
  return of_question(change, decision);
}

/// Of the judgments that decide the change; of any other of the passage if theirs were carried over.
std::optional<LabelReason> ChangeReasons::of_history(const LabelChange& change, const Decision& decision) const {
  std::optional<LabelReason> first, any;
  const auto* new_label = decision.is_new ? decision.label : decision.other;
  const auto* topic = part(comparison_.before.topics, change.old_topic);
  const auto* passage = part(comparison_.before.passages, change.old_passage);
  std::vector<MemberLabel> gone;
  if (topic != nullptr && passage != nullptr) {
    const auto found = comparison_.after.history.gone.find({topic->id, passage->docid});
    if (found != comparison_.after.history.gone.end()) gone = found->second;
  }
  for (const auto* label : deciding(*decision.label)) {
    if (decision.is_new) {
      keep_first(first, label->reason);
      continue;
    }
    for (const auto& of_member : gone) {
      if (of_member.member == label->member) keep_first(first, of_member.reason);
    }
    if (const auto* now = find_label(new_label, label->member)) keep_first(first, now->reason);
  }
  if (first) return first;
  for (const auto& label : gone) keep_first(any, label.reason);
  if (new_label != nullptr) {
    for (const auto& label : new_label->members) keep_first(any, label.reason);
  }
  return any;
}

LabelReason ChangeReasons::of_topic(const ComparedTopic& topic, bool is_new) const {
  const auto otherwise = is_new ? LabelReason::kTopicAdded : LabelReason::kTopicGone;
  const auto key = key_of_page(topic.page_id);
  const auto here = pages(is_new).find(key), there = pages(!is_new).find(key);
  if (topic.page_id == 0 || here == pages(is_new).end()) return otherwise;
  if (there == pages(!is_new).end()) return is_new ? LabelReason::kListAdded : LabelReason::kListGone;
  if (here->second.title != there->second.title) return LabelReason::kListMoved;
  return is_edited(key) && here->second.revision != 0 ? LabelReason::kListEdited : unless_set(otherwise);
}

/// The passage was judged for members that the other collection does not have in the topic.
std::optional<LabelReason> ChangeReasons::of_members(const LabelChange& change, const Decision& decision) const {
  const auto& topic = comparison_.before.topics[change.old_topic];
  const auto& other = decision.is_new ? topic : comparison_.after.topics[change.new_topic];
  for (const auto* label : deciding(*decision.label)) {
    if (find_member(other, label->member) != nullptr) continue;
    const auto page = key_of_page(label->member);
    if (pages(decision.is_new).contains(page) && !pages(!decision.is_new).contains(page))
      return decision.is_new ? LabelReason::kMemberCreated : LabelReason::kMemberDeleted;
    return is_edited(key_of_page(topic.page_id)) ? LabelReason::kListEdited : LabelReason::kRedirectChanged;
  }
  return std::nullopt;
}

/// Only one of the collections has the passage.
LabelReason ChangeReasons::of_one_passage(const ComparedPassage& passage, bool is_new) const {
  const auto page = page_key(passage);
  const bool repeats = side(!is_new).repeats.contains(passage.docid);
  if (!pages(!is_new).contains(page)) {
    if (repeats) return LabelReason::kRepeat;
    if (is_new) return LabelReason::kPageAdded;
    for (const auto& topic : comparison_.after.topics) {
      for (const auto& member : topic.members) {
        if (("\n" + member.aliases + "\n").find("\n" + passage.page + "\n") != std::string::npos)
          return LabelReason::kPageMerged;
      }
    }
    return LabelReason::kPageDeleted;
  }
  if (is_edited(page)) return LabelReason::kPageEdited;
  return repeats ? LabelReason::kRepeat : unless_set(LabelReason::kTemplateChanged);
}

std::optional<LabelReason> ChangeReasons::of_passages(const LabelChange& change) const {
  const auto* before = part(comparison_.before.passages, change.old_passage);
  const auto* after = part(comparison_.after.passages, change.new_passage);
  if (before == nullptr) return of_one_passage(*after, true);
  if (after == nullptr) return of_one_passage(*before, false);
  if (before->text == after->text) return std::nullopt;
  return is_edited(page_key(*after)) ? LabelReason::kPageEdited : unless_set(LabelReason::kTemplateChanged);
}

/// The passage is the same, and it was judged for the deciding member on one side only.
std::optional<LabelReason> ChangeReasons::of_links(const LabelChange& change, const Decision& decision) const {
  const bool judged_twice = decision.other != nullptr;
  for (const auto* label : deciding(*decision.label)) {
    if (find_label(decision.other, label->member) != nullptr) continue;
    const auto &before = comparison_.before.passages[change.old_passage],
               &after = comparison_.after.passages[change.new_passage];
    if (before.copies != after.copies) return LabelReason::kRepeat;
    if (is_edited(page_key(after))) return decision.is_new ? LabelReason::kLinkAdded : LabelReason::kLinkGone;
    if (label->source == CandidateSource::kMention)
      return of_names(change, label->member).value_or(unless_set(LabelReason::kNamesChanged));
    return unless_set(LabelReason::kRedirectChanged);
  }
  if (judged_twice || !decision.label->members.empty()) return std::nullopt;
  return decision.is_new ? LabelReason::kLinkAdded : LabelReason::kLinkGone;
}

std::optional<LabelReason> ChangeReasons::of_names(const LabelChange& change, std::uint64_t member) const {
  const auto* before = find_member(comparison_.before.topics[change.old_topic], member);
  const auto* after = find_member(comparison_.after.topics[change.new_topic], member);
  if (before == nullptr || after == nullptr) return std::nullopt;
  if (before->title != after->title) return LabelReason::kMemberMoved;
  if (before->aliases != after->aliases) return LabelReason::kAliasesChanged;
  return std::nullopt;
}

LabelReason ChangeReasons::of_question(const LabelChange& change, const Decision& decision) const {
  const auto& old_topic = comparison_.before.topics[change.old_topic];
  const auto& new_topic = comparison_.after.topics[change.new_topic];
  if (comparison_.before.passages[change.old_passage].page != comparison_.after.passages[change.new_passage].page)
    return LabelReason::kPageMoved;
  std::optional<LabelReason> first;
  for (const auto* label : deciding(*decision.label)) keep_first(first, of_names(change, label->member));
  if (first) return *first;
  if (old_topic.query != new_topic.query) return LabelReason::kQueryReworded;
  const bool counts_words = comparison_.before.judging == comparison_.after.judging && comparison_.after.only_baselines;
  return counts_words ? LabelReason::kWordsCounted : LabelReason::kJudgeChanged;
}

}  // namespace touchstone::pipeline::difference
