#include "pipeline/evidence/candidate_sorter.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

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

CandidateSorter::CandidateSorter(std::span<const Group* const> topics, const std::filesystem::path& folder,
                                 std::size_t memory_bytes, const Limits& limits)
    : topics_(topics), limits_(limits), mentions_(folder, memory_bytes) {
  std::uint32_t slot = 0;
  for (const auto* group : topics_) {
    for (const auto& member : group->members) {
      slots_[member.page].push_back(slot++);
      groups_.push_back(group);
    }
  }
  by_mention_.assign(slot, 0);
  by_page_.assign(slot, 0);
}

bool CandidateSorter::is_list_page(std::uint32_t slot, PageId page) const {
  const auto& group = *groups_[slot];
  return group.page_id == page || std::find(group.pages.begin(), group.pages.end(), page) != group.pages.end();
}

void CandidateSorter::add(const FoundOnPage& found) {
  for (const auto& candidate : found.candidates) add(candidate);
  if (!found.linked.empty() && !found.passages.empty()) add_pages(found);
}

void CandidateSorter::add(const FoundCandidate& found) {
  const auto& passage = found.passage;
  for (const auto slot : slots_.at(found.member)) {
    // What repeats a passage of the list is represented by it.
    const bool on_list = is_list_page(slot, found.source) || is_list_page(slot, passage.page);
    if (!limits_.list_page && on_list) {
      ++on_list_page_;
    } else if (room(slot, passage.source) == 0) {
      ++beyond_limit_;
    } else {
      add(slot, passage);
    }
  }
}

/// Every passage of a page for every member that the page links to, but for what was found already.
void CandidateSorter::add_pages(const FoundOnPage& found) {
  using Known = std::pair<PageId, passages::PassagePlace>;
  std::vector<Known> known;
  for (const auto& candidate : found.candidates)
    known.push_back({candidate.member, {candidate.passage.page, candidate.passage.ordinal}});
  std::sort(known.begin(), known.end());
  for (const auto member : found.linked) {
    if (member == found.source) continue;
    std::vector<passages::PassagePlace> places;
    for (const auto& place : found.passages) {
      if (place.page != member && !std::binary_search(known.begin(), known.end(), Known{member, place}))
        places.push_back(place);
    }
    for (const auto slot : slots_.at(member)) {
      if (!limits_.list_page && is_list_page(slot, found.source)) {
        on_list_page_ += places.size();
        continue;
      }
      auto wanted = places;
      if (!limits_.list_page) std::erase_if(wanted, [&](const auto& place) { return is_list_page(slot, place.page); });
      on_list_page_ += places.size() - wanted.size();
      const auto kept = std::min<std::uint64_t>(wanted.size(), room(slot, CandidateSource::kPage));
      beyond_limit_ += wanted.size() - kept;
      for (std::size_t i = 0; i < kept; ++i) add(slot, {wanted[i].page, wanted[i].ordinal, {}, CandidateSource::kPage});
    }
  }
}

std::uint64_t CandidateSorter::room(std::uint32_t slot, CandidateSource source) const {
  if (source == CandidateSource::kMention) return limits_.most_added - by_mention_[slot];
  if (source == CandidateSource::kPage) return limits_.most_added - by_page_[slot];
  return UINT64_MAX;
}

void CandidateSorter::add(std::uint32_t slot, const CandidatePassage& passage) {
  if (passage.source == CandidateSource::kMention) ++by_mention_[slot];
  if (passage.source == CandidateSource::kPage) ++by_page_[slot];
  if (passage.mentions.empty())
    mentions_.add({slot, passage.page.value, passage.ordinal, passage.source, 0, kNoMention, kNoMention});
  std::uint32_t number = 0;
  for (const auto& [begin, end] : passage.mentions)
    mentions_.add({slot, passage.page.value, passage.ordinal, passage.source, number++, begin, end});
}

std::optional<TopicCandidates> CandidateSorter::next_topic() {
  if (!started_) pending_ = mentions_.next();
  started_ = true;
  if (topic_ == topics_.size()) return std::nullopt;
  const Group& group = *topics_[topic_++];
  TopicCandidates candidates;
  candidates.topic = group.topic;
  for (const auto& member : group.members) {
    auto& entry = candidates.members.emplace_back();
    entry.page = member.page;
    while (pending_ && pending_->slot == slot_) read_passage(entry.passages, member.page);
    ++slot_;
  }
  return candidates;
}

/// The entries of one passage, strongest source first. What links to a member is a candidate by its links alone, so
/// that its question does not depend on the other sources.
void CandidateSorter::read_passage(std::vector<CandidatePassage>& passages, PageId member) {
  const Entry first = *pending_;
  auto& passage = passages.emplace_back();
  passage.page = PageId{first.page};
  passage.ordinal = first.ordinal;
  passage.source = passage.page == member ? CandidateSource::kOwnArticle : first.source;
  const auto weakest = std::max(first.source, CandidateSource::kLink);
  for (; pending_ &&
         std::tie(pending_->slot, pending_->page, pending_->ordinal) == std::tie(first.slot, first.page, first.ordinal);
       pending_ = mentions_.next()) {
    if (pending_->begin != kNoMention && pending_->source <= weakest)
      passage.mentions.emplace_back(pending_->begin, pending_->end);
  }
  sort_mentions(passage.mentions);
}

}  // namespace touchstone::pipeline::evidence
