#include "pipeline/evidence/candidate_search.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <string>

namespace touchstone::pipeline::evidence {
namespace {

using storage::Family;

/// A sorter's next record.
template <class Record>
std::optional<Record> next_of(ExternalSorter<Record>& sorter) {
  Record record{};
  return sorter.next(record) ? std::optional(record) : std::nullopt;
}

/// The pages that the links of a page lead to, by the index of the target.
std::vector<PageId> link_targets(const storage::Store& store, PageId page) {
  std::string bytes;
  if (!store.get(Family::kLinkTarget, storage::page_key(page), bytes)) return {};
  return storage::decode_link_targets(bytes).pages;
}

/// Several repeats of a passage may bring the same mentions.
void sort_mentions(std::vector<std::pair<std::uint32_t, std::uint32_t>>& mentions) {
  std::sort(mentions.begin(), mentions.end());
  std::uint32_t end = 0;
  std::erase_if(mentions, [&](const auto& mention) {
    if (mention.first < end) return true;
    end = mention.second;
    return false;
  });
}

}  // namespace

std::vector<FoundCandidate> find_candidates(const storage::Store& store, const corpus::PassageComposer& composer,
                                            const SourceVisit& visit) {
  std::vector<PageId> members;
  std::vector<std::uint32_t> paragraphs;
  bool own_article = false;
  for (const auto& place : visit.places) {
    if (members.empty() || members.back() != place.member) members.push_back(place.member);
    if (place.paragraph == 0) {
      own_article = true;
    } else {
      paragraphs.push_back(place.paragraph - 1);
    }
  }
  std::sort(paragraphs.begin(), paragraphs.end());
  const auto passages =
      own_article ? composer.passages(visit.source) : composer.passages_with(visit.source, paragraphs);
  if (passages.empty()) return {};
  const auto targets = link_targets(store, visit.source);
  std::vector<FoundCandidate> found;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> mentions(members.size());
  for (const auto& passage : passages) {
    for (const auto& link : passage.links) {
      if (link.target >= targets.size()) continue;
      const auto member = std::lower_bound(members.begin(), members.end(), targets[link.target]);
      if (member == members.end() || *member != targets[link.target]) continue;
      mentions[static_cast<std::size_t>(member - members.begin())].emplace_back(link.begin, link.end);
    }
    const auto* const copy = composer.findings().copy_at({visit.source, passage.ordinal});
    const corpus::PassagePlace place =
        copy ? copy->representative : corpus::PassagePlace{visit.source, passage.ordinal};
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool own = own_article && members[i] == visit.source;
      if (mentions[i].empty() && !own) continue;
      if (copy != nullptr && !copy->exact) mentions[i].clear();
      found.push_back({members[i], visit.source, {place.page, place.ordinal, std::move(mentions[i])}});
      mentions[i].clear();
    }
  }
  return found;
}

void SourceVisits::add_member(const storage::Store& store, PageId member, bool own_article) {
  const auto add = [&](PageId source, std::uint32_t paragraph) {
    places_.add({source.value, member.value, paragraph});
    ++count_;
  };
  if (own_article) add(member, 0);
  std::string bytes;
  if (!store.get(Family::kBacklink, storage::page_key(member), bytes)) return;
  for (const auto& source : storage::decode_backlinks(bytes).sources) {
    for (const auto place : source.places) {
      // Place 0 is a table, reference or caption, which no passage holds.
      if (place != 0) add(source.page, place);
    }
  }
}

std::uint64_t SourceVisits::finish() {
  places_.finish();
  pending_ = next_of(places_);
  return count_;
}

std::optional<SourceVisit> SourceVisits::next() {
  if (!pending_) return std::nullopt;
  SourceVisit visit{PageId{pending_->source}, {}};
  for (; pending_ && pending_->source == visit.source.value; pending_ = next_of(places_)) {
    visit.places.push_back({PageId{pending_->member}, pending_->paragraph});
  }
  return visit;
}

CandidateSorter::CandidateSorter(std::span<const Group* const> topics, const std::filesystem::path& folder,
                                 std::size_t memory_bytes, bool list_page)
    : topics_(topics), list_page_(list_page), mentions_(folder, "candidates", memory_bytes) {
  std::uint32_t slot = 0;
  for (const auto* group : topics_) {
    for (const auto& member : group->members) {
      slots_[member.page].push_back(slot++);
      list_pages_.push_back(group->page_id);
    }
  }
}

std::vector<PageId> CandidateSorter::members() const {
  std::vector<PageId> pages;
  pages.reserve(slots_.size());
  for (const auto& [page, slots] : slots_) pages.push_back(page);
  std::sort(pages.begin(), pages.end());
  return pages;
}

void CandidateSorter::add(const FoundCandidate& found) {
  const auto& passage = found.passage;
  for (const auto slot : slots_.at(found.member)) {
    if (!list_page_ && list_pages_[slot] == found.source) {
      ++on_list_page_;
      continue;
    }
    if (passage.mentions.empty()) {
      mentions_.add({slot, passage.page.value, passage.ordinal, 0, kNoMention, kNoMention});
    }
    std::uint32_t number = 0;
    for (const auto& [begin, end] : passage.mentions) {
      mentions_.add({slot, passage.page.value, passage.ordinal, number++, begin, end});
    }
  }
}

std::optional<TopicCandidates> CandidateSorter::next_topic() {
  if (!started_) pending_ = next_of(mentions_);
  started_ = true;
  if (topic_ == topics_.size()) return std::nullopt;
  const Group& group = *topics_[topic_++];
  TopicCandidates candidates;
  candidates.topic = group.topic;
  for (const auto& member : group.members) {
    auto& entry = candidates.members.emplace_back();
    entry.page = member.page;
    for (; pending_ && pending_->slot == slot_; pending_ = next_of(mentions_)) {
      auto& passages = entry.passages;
      const PageId page{pending_->page};
      if (passages.empty() || passages.back().page != page || passages.back().ordinal != pending_->ordinal)
        passages.push_back({page, pending_->ordinal, {}});
      if (pending_->begin != kNoMention) passages.back().mentions.emplace_back(pending_->begin, pending_->end);
    }
    for (auto& passage : entry.passages) sort_mentions(passage.mentions);
    ++slot_;
  }
  return candidates;
}

}  // namespace touchstone::pipeline::evidence
