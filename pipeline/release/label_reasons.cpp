#include "pipeline/release/label_reasons.hpp"

#include "common/digest.hpp"
#include "pipeline/difference/matching.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::pipeline::release {
namespace {

using collection::evidence::JudgmentRecord;
using collection::evidence::LabelReason;
using passages::Passage;
using passages::PassagePlace;

bool has_member(const evidence::Group& group, PageId member) {
  return std::ranges::find(group.members, member, &evidence::GroupMember::page) != group.members.end();
}

/// Empty where the collection has none.
std::string query_of(const std::map<std::string, std::string>& queries, const std::string& topic) {
  const auto found = queries.find(topic);
  return found == queries.end() ? std::string() : found->second;
}

/// Whether a page that both months have is called otherwise.
bool is_renamed(const Month& before, const Month& after, PageId page) {
  const auto old_page = before.page(page), new_page = after.page(page);
  return old_page && new_page && old_page->title != new_page->title;
}

bool share_any(const TitleSet& a, const TitleSet& b) {
  return std::ranges::any_of(a, [&](const auto& title) { return b.contains(title); });
}

std::vector<std::string> texts_of(std::vector<Title> titles) {
  std::vector<std::string> texts;
  for (auto& title : titles) texts.push_back(std::move(title.text));
  return texts;
}

/// The passages of the corpus on one page, as two collections are compared.
difference::ComparedCollection compared(const Month& month, PageId page) {
  difference::ComparedCollection found;
  const auto& article = month.article(page);
  for (const auto& passage : article.passages) {
    if (month.repeats().at({page, passage.ordinal}) != nullptr) continue;
    difference::ComparedPassage part;
    part.docid = std::to_string(passage.ordinal);
    part.page_id = page.value;
    part.page = article.title;
    part.place = collection::evidence::join_path(passage.section_path);
    part.text = xxh3_128(passage.text);
    found.passages.push_back(std::move(part));
  }
  return found;
}

/// Whether somebody was asked other things than the question: who judges, with which prompt, how often.
bool is_judge_other(const JudgmentRecord& before, const JudgmentRecord& after) {
  const auto judges = [](const JudgmentRecord& judgment) {
    std::vector<std::string> names;
    for (const auto& vote : judgment.votes) names.push_back(vote.judge);
    return names;
  };
  return before.judge != after.judge || before.prompt != after.prompt || judges(before) != judges(after);
}

}  // namespace

bool LabelReasons::is_edited(PageId page) const {
  const auto old_page = before_.page(page), new_page = after_.page(page);
  if (!old_page || !new_page) return old_page.has_value() != new_page.has_value();
  constexpr Digest128 kUnknown{};
  if (old_page->content_digest != kUnknown && new_page->content_digest != kUnknown)
    return old_page->content_digest != new_page->content_digest;
  return old_page->revision != new_page->revision || old_page->timestamp != new_page->timestamp;
}

bool LabelReasons::is_edited(const evidence::Group& list) const {
  return is_edited(list.page_id) || std::ranges::any_of(list.pages, [&](PageId page) { return is_edited(page); });
}

LabelReason LabelReasons::of_topic(const std::string& topic, Side where) const {
  const bool is_new = where == Side::kAfter;
  const Month &here = month(where), &there = month(other(where));
  const auto* list = here.group(topic);
  if (list == nullptr) return is_new ? LabelReason::kTopicAdded : LabelReason::kTopicGone;
  if (!there.has_text(list->page_id)) return is_new ? LabelReason::kListAdded : LabelReason::kListGone;
  if (is_renamed(here, there, list->page_id)) return LabelReason::kListMoved;
  const auto* column = there.group(topic);
  if ((column == nullptr || !column->kept()) && is_edited(*list)) return LabelReason::kListEdited;
  if (column == nullptr) return unless_set(LabelReason::kTemplateChanged);
  std::optional<LabelReason> first;  // of the members that the topic has on its side only
  for (const auto& member : list->members) {
    if (has_member(*column, member.page)) continue;
    const auto reason = of_member(member.page, *list, where);
    if (!first || reason < *first) first = reason;
  }
  return first ? *first : unless_set(is_new ? LabelReason::kTopicAdded : LabelReason::kTopicGone);
}

LabelReason LabelReasons::of_member(PageId member, const evidence::Group& list, Side where) const {
  const bool is_new = where == Side::kAfter;
  const Month &here = month(where), &there = month(other(where));
  TitleSet named, known, leading;  // titles by which the list leads to the member; on the other side all, and these
  auto pages = list.pages;
  pages.push_back(list.page_id);
  for (const auto page : pages) {
    named.merge(here.titles_to(page, member));
    known.merge(there.linked_titles(page));
    leading.merge(there.titles_to(page, member));
  }
  const bool still_named = share_any(named, known);
  const bool edited = is_edited(list);
  if (is_new && edited && !still_named) return LabelReason::kListEdited;
  if (!there.has_text(member)) return is_new ? LabelReason::kMemberCreated : LabelReason::kMemberDeleted;
  if (!still_named) return edited ? LabelReason::kListEdited : unless_set(LabelReason::kTemplateChanged);
  const auto leads_elsewhere = [&](const auto& title) { return known.contains(title) && !leading.contains(title); };
  if (std::ranges::any_of(named, leads_elsewhere)) return LabelReason::kRedirectChanged;
  if (edited) return LabelReason::kListEdited;
  return unless_set(LabelReason::kMemberKind);
}

bool LabelReasons::has_same_repeats(const PassagePlace& here, const PassagePlace& there, Side where) const {
  return month(where).repeats().of(here) == month(other(where)).repeats().of(there);
}

std::optional<LabelReason> LabelReasons::of_titles(const TitleSet& here, const TitleSet& all_there, bool leads_there,
                                                   PageId source, Side where) const {
  if (here.empty() || leads_there) return std::nullopt;
  if (share_any(here, all_there)) return LabelReason::kRedirectChanged;
  if (!is_edited(source)) return unless_set(LabelReason::kTemplateChanged);
  return where == Side::kAfter ? LabelReason::kLinkAdded : LabelReason::kLinkGone;
}

std::optional<LabelReason> LabelReasons::of_names(PageId member) const {
  if (is_renamed(before_, after_, member)) return LabelReason::kMemberMoved;
  if (texts_of(before_.titles().redirects_to(member, false)) != texts_of(after_.titles().redirects_to(member, false)) ||
      before_.titles().other_names(member) != after_.titles().other_names(member))
    return LabelReason::kAliasesChanged;
  return std::nullopt;
}

/// The passage is the same, and it is a candidate of the member on one side only.
LabelReason LabelReasons::of_links(const JudgmentRecord& label, const PassagePlace& here, const PassagePlace& there,
                                   Side where) const {
  const Month &ours = month(where), &theirs = month(other(where));
  const PageId member{static_cast<std::uint32_t>(label.member_page_id)};
  const Passage &passage = *ours.passage(here), &twin = *theirs.passage(there);
  if (const auto reason = of_titles(ours.titles_to(here.page, passage, member), theirs.linked_titles(there.page, twin),
                                    !theirs.titles_to(there.page, twin, member).empty(), here.page, where))
    return *reason;
  if (!has_same_repeats(here, there, where)) return LabelReason::kRepeat;
  for (const auto& copy : ours.repeats().of(here)) {
    const auto* copied = ours.passage(copy);
    if (copied == nullptr || ours.titles_to(copy.page, *copied, member).empty()) continue;
    if (const auto reason = of_titles(ours.titles_to(copy.page, member), theirs.linked_titles(copy.page),
                                      !theirs.titles_to(copy.page, member).empty(), copy.page, where))
      return *reason;
    if (is_edited(copy.page)) return where == Side::kAfter ? LabelReason::kLinkAdded : LabelReason::kLinkGone;
  }
  if (label.source == CandidateSource::kPage) {
    if (const auto reason = of_titles(ours.titles_to(here.page, member), theirs.linked_titles(here.page),
                                      !theirs.titles_to(here.page, member).empty(), here.page, where))
      return *reason;
  }
  if (label.source == CandidateSource::kMention)
    return of_names(member).value_or(unless_set(LabelReason::kNamesChanged));
  return unless_set(LabelReason::kCandidateLimit);
}

LabelReason LabelReasons::of_label(const JudgmentRecord& label, Side where) const {
  const bool is_new = where == Side::kAfter;
  const Month &here = month(where), &there = month(other(where));
  const PageId member{static_cast<std::uint32_t>(label.member_page_id)};
  const auto *list = here.group(label.topic), *list_there = there.group(label.topic);
  if (list != nullptr && (list_there == nullptr || !has_member(*list_there, member)))
    return of_member(member, *list, where);
  const auto place = place_of_docid(label.docid);
  if (!there.has_text(place.page)) {
    if (is_new) return LabelReason::kPageAdded;
    return there.page(place.page) ? LabelReason::kPageMerged : LabelReason::kPageDeleted;
  }
  const auto* passage = here.passage(place);
  const auto& others = there.article(place.page).passages;
  auto twin = passage == nullptr ? others.end() : std::ranges::find(others, passage->text, &Passage::text);
  if (twin == others.end()) {
    if (is_edited(place.page)) return LabelReason::kPageEdited;
    const auto same_place = there.passage(place);
    const bool repeats = same_place != nullptr && there.repeats().at(place) != nullptr;
    return repeats ? LabelReason::kRepeat : unless_set(LabelReason::kTemplateChanged);
  }
  const PassagePlace twin_place{place.page, twin->ordinal};
  if (there.repeats().at(twin_place) != nullptr) return LabelReason::kRepeat;
  return of_links(label, place, twin_place, where);
}

/// The label is at a passage of another page now.
std::optional<LabelReason> LabelReasons::of_other_page(const PassagePlace& before, const PassagePlace& after) const {
  if (before.page == after.page) return std::nullopt;
  if (!after_.page(before.page)) return LabelReason::kPageDeleted;
  if (!after_.has_text(before.page)) return LabelReason::kPageMerged;
  if (!before_.has_text(after.page)) return LabelReason::kPageAdded;
  if (is_edited(before.page) || is_edited(after.page)) return LabelReason::kPageEdited;
  return LabelReason::kRepeat;
}

std::optional<LabelReason> LabelReasons::of_passage(const JudgmentRecord& before, const JudgmentRecord& after) const {
  const auto old_place = place_of_docid(before.docid), new_place = place_of_docid(after.docid);
  if (const auto reason = of_other_page(old_place, new_place)) return reason;
  const auto *old_passage = before_.passage(old_place), *new_passage = after_.passage(new_place);
  const bool edited = is_edited(new_place.page);
  const auto changed = edited ? LabelReason::kPageEdited : unless_set(LabelReason::kTemplateChanged);
  if (old_passage == nullptr || new_passage == nullptr || old_passage->text != new_passage->text) return changed;
  if (is_renamed(before_, after_, new_place.page)) return LabelReason::kPageMoved;
  if (old_passage->section_path.empty() != new_passage->section_path.empty()) return changed;
  return std::nullopt;
}

LabelReason LabelReasons::of_question(const JudgmentRecord& before, const JudgmentRecord& after) const {
  if (const auto reason = of_passage(before, after)) return *reason;
  const PageId member{static_cast<std::uint32_t>(after.member_page_id)};
  if (const auto reason = of_names(member)) return *reason;
  if (before.mentions != after.mentions) {
    if (!is_edited(place_of_docid(after.docid).page)) return LabelReason::kRedirectChanged;
    return after.mentions.size() < before.mentions.size() ? LabelReason::kLinkGone : LabelReason::kLinkAdded;
  }
  if (facts_.asks_for_query &&
      query_of(facts_.queries_before, before.topic) != query_of(facts_.queries_after, after.topic))
    return LabelReason::kQueryReworded;
  if (is_judge_other(before, after)) return LabelReason::kJudgeChanged;
  if (!before.grade && before.state != JudgmentState::kUnsure) return LabelReason::kAskedOnceMore;
  return facts_.only_baselines ? LabelReason::kWordsCounted : LabelReason::kJudgeChanged;
}

std::optional<PassagePlace> LabelReasons::now(const PassagePlace& place) const {
  const auto [found, is_new] = now_.try_emplace(place.page);
  if (is_new) {
    const auto before = compared(before_, place.page), after = compared(after_, place.page);
    for (const auto& pair : difference::match_passages(before, after).pairs) {
      if (pair.old_part == difference::kNoPart || pair.new_part == difference::kNoPart) continue;
      const auto ordinal = [](const difference::ComparedPassage& passage) {
        return static_cast<std::uint32_t>(std::stoul(passage.docid));
      };
      found->second[ordinal(before.passages[pair.old_part])] = ordinal(after.passages[pair.new_part]);
    }
  }
  const auto ordinal = found->second.find(place.ordinal);
  return ordinal == found->second.end() ? std::nullopt : std::optional(PassagePlace{place.page, ordinal->second});
}

std::optional<std::string> LabelReasons::text_of(const JudgmentRecord& label, Side where) const {
  const auto* passage = month(where).passage(place_of_docid(label.docid));
  return passage == nullptr ? std::nullopt : std::optional(passage->text);
}

void LabelReasons::forget() const {
  now_.clear();
  before_.forget();
  after_.forget();
}

}  // namespace touchstone::pipeline::release
