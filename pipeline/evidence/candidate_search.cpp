#include "pipeline/evidence/candidate_search.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <string>

namespace touchstone::pipeline::evidence {
namespace {

using storage::Family;

/// Finds the candidates on one page.
class PageSearch {
 public:
  PageSearch(const storage::Store& store, const corpus::PassageComposer& composer, const CandidateSearch& search,
             const SourceVisit& visit)
      : store_(store), composer_(composer), search_(search), visit_(visit) {
    for (const auto& place : visit.places) {
      if (members_.empty() || members_.back() != place.member) members_.push_back(place.member);
      if (place.paragraph == SourceVisit::kOwnArticle) {
        own_article_ = true;
      } else if (found_.linked.empty() || found_.linked.back() != place.member) {
        found_.linked.push_back(place.member);
      }
      if (place.paragraph != SourceVisit::kOwnArticle && place.paragraph != SourceVisit::kElsewhere)
        paragraphs_.push_back(place.paragraph - 1);
    }
    std::sort(paragraphs_.begin(), paragraphs_.end());
  }

  FoundOnPage run() {
    found_.source = visit_.source;
    if (!search_.pages) found_.linked.clear();
    const auto passages = this->passages();
    if (!passages.empty()) read_targets();
    for (const auto& passage : passages) examine(passage);
    return std::move(found_);
  }

 private:
  using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  std::vector<corpus::Passage> passages() const {
    if (own_article_ || search_.mentions != nullptr || !found_.linked.empty()) return composer_.passages(visit_.source);
    return composer_.passages_with(visit_.source, paragraphs_);
  }

  /// The pages that the links of the page lead to, by the index of the target.
  void read_targets() {
    std::string bytes;
    if (store_.get(Family::kLinkTarget, storage::page_key(visit_.source), bytes))
      targets_ = storage::decode_link_targets(bytes).pages;
  }

  void examine(const corpus::Passage& passage) {
    const auto* const copy = composer_.findings().copy_at({visit_.source, passage.ordinal});
    const corpus::PassagePlace place =
        copy ? copy->representative : corpus::PassagePlace{visit_.source, passage.ordinal};
    const bool same_text = copy == nullptr || copy->exact;
    if (!found_.linked.empty()) found_.passages.push_back(place);
    auto links = links_to_members(passage);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const bool own = own_article_ && members_[i] == visit_.source;
      if (!own && (links[i].empty() || !(search_.links || search_.pages))) continue;
      if (!same_text) links[i].clear();
      add(members_[i], place, std::move(links[i]), own ? CandidateSource::kOwnArticle : CandidateSource::kLink);
    }
    if (search_.mentions != nullptr) add_mentions(passage, place, same_text);
  }

  std::vector<Ranges> links_to_members(const corpus::Passage& passage) const {
    std::vector<Ranges> links(members_.size());
    for (const auto& link : passage.links) {
      if (link.target >= targets_.size()) continue;
      const auto member = std::lower_bound(members_.begin(), members_.end(), targets_[link.target]);
      if (member == members_.end() || *member != targets_[link.target]) continue;
      links[static_cast<std::size_t>(member - members_.begin())].emplace_back(link.begin, link.end);
    }
    return links;
  }

  void add_mentions(const corpus::Passage& passage, const corpus::PassagePlace& place, bool same_text) {
    Ranges links;
    for (const auto& link : passage.links) links.emplace_back(link.begin, link.end);
    const auto mentions = search_.mentions->find(passage.text, links);
    for (auto at = mentions.begin(); at != mentions.end();) {
      const PageId member = at->member;
      Ranges ranges;
      for (; at != mentions.end() && at->member == member; ++at) ranges.emplace_back(at->begin, at->end);
      if (member == visit_.source || member == place.page || links_to(passage, member)) continue;
      if (!same_text) ranges.clear();
      add(member, place, std::move(ranges), CandidateSource::kMention);
    }
  }

  bool links_to(const corpus::Passage& passage, PageId page) const {
    return std::any_of(passage.links.begin(), passage.links.end(), [&](const auto& link) {
      return link.target < targets_.size() && targets_[link.target] == page;
    });
  }

  void add(PageId member, const corpus::PassagePlace& place, Ranges mentions, CandidateSource source) {
    found_.candidates.push_back({member, visit_.source, {place.page, place.ordinal, std::move(mentions), source}});
  }

  const storage::Store& store_;
  const corpus::PassageComposer& composer_;
  const CandidateSearch& search_;
  const SourceVisit& visit_;
  std::vector<PageId> members_;  ///< of the visit, ascending
  std::vector<std::uint32_t> paragraphs_;
  bool own_article_ = false;
  std::vector<PageId> targets_;
  FoundOnPage found_;
};

}  // namespace

FoundOnPage find_candidates(const storage::Store& store, const corpus::PassageComposer& composer,
                            const CandidateSearch& search, const SourceVisit& visit) {
  return PageSearch(store, composer, search, visit).run();
}

void SourceVisits::add_member(const storage::Store& store, PageId member, const Wanted& wanted) {
  const auto add = [&](PageId source, std::uint32_t paragraph) {
    places_.add({source.value, member.value, paragraph});
    ++count_;
  };
  if (wanted.own_article) add(member, SourceVisit::kOwnArticle);
  std::string bytes;
  if (!wanted.links || !store.get(Family::kBacklink, storage::page_key(member), bytes)) return;
  for (const auto& source : storage::decode_backlinks(bytes).sources) {
    for (const auto place : source.places) {
      if (place != 0) {
        add(source.page, place);
      } else if (wanted.elsewhere) {
        add(source.page, SourceVisit::kElsewhere);
      }
    }
  }
}

std::uint64_t SourceVisits::finish() {
  pending_ = places_.next();
  return count_;
}

std::optional<SourceVisit> SourceVisits::next() {
  if (!pending_) return std::nullopt;
  SourceVisit visit{PageId{pending_->source}, {}};
  for (; pending_ && pending_->source == visit.source.value; pending_ = places_.next()) {
    visit.places.push_back({PageId{pending_->member}, pending_->paragraph});
  }
  return visit;
}

}  // namespace touchstone::pipeline::evidence
