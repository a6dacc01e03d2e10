#include "pipeline/evidence/candidate_search.hpp"

#include <algorithm>
#include <string>

namespace touchstone::pipeline::evidence {
namespace {

/// Finds the candidates on one page.
class PageSearch {
 public:
  PageSearch(const passages::PagePassages& article, const passages::PassageRepeats& repeats,
             const CandidateSearch& search, const SourceVisit& visit)
      : article_(article), repeats_(repeats), search_(search), own_article_(visit.own_article), members_(visit.linked) {
    if (search.pages) found_.linked = visit.linked;
    const auto own = std::lower_bound(members_.begin(), members_.end(), article.page);
    if (own_article_ && (own == members_.end() || *own != article.page)) members_.insert(own, article.page);
  }

  FoundOnPage run() {
    found_.source = article_.page;
    for (const auto& passage : article_.passages) examine(passage);
    return std::move(found_);
  }

 private:
  using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  void examine(const passages::Passage& passage) {
    const auto* const repeat = repeats_.at({article_.page, passage.ordinal});
    const passages::PassagePlace place =
        repeat ? repeat->representative : passages::PassagePlace{article_.page, passage.ordinal};
    const bool same_text = repeat == nullptr || repeat->exact;
    if (!found_.linked.empty()) found_.passages.push_back(place);
    auto links = links_to_members(passage);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const bool own = own_article_ && members_[i] == article_.page;
      if (!own && (links[i].empty() || !(search_.links || search_.pages))) continue;
      if (!same_text) links[i].clear();
      add(members_[i], place, std::move(links[i]), own ? CandidateSource::kOwnArticle : CandidateSource::kLink);
    }
    if (search_.mentions != nullptr) add_mentions(passage, place, same_text);
  }

  std::vector<Ranges> links_to_members(const passages::Passage& passage) const {
    std::vector<Ranges> links(members_.size());
    for (const auto& link : passage.links) {
      const auto member = std::lower_bound(members_.begin(), members_.end(), link.page);
      if (member == members_.end() || *member != link.page) continue;
      links[static_cast<std::size_t>(member - members_.begin())].emplace_back(link.begin, link.end);
    }
    return links;
  }

  void add_mentions(const passages::Passage& passage, const passages::PassagePlace& place, bool same_text) {
    Ranges links;
    for (const auto& link : passage.links) links.emplace_back(link.begin, link.end);
    const auto mentions = search_.mentions->find(passage.text, links);
    for (auto at = mentions.begin(); at != mentions.end();) {
      const PageId member = at->member;
      Ranges ranges;
      for (; at != mentions.end() && at->member == member; ++at) ranges.emplace_back(at->begin, at->end);
      if (member == article_.page || member == place.page || links_to(passage, member)) continue;
      if (!same_text) ranges.clear();
      add(member, place, std::move(ranges), CandidateSource::kMention);
    }
  }

  static bool links_to(const passages::Passage& passage, PageId page) {
    return std::any_of(passage.links.begin(), passage.links.end(), [&](const auto& link) { return link.page == page; });
  }

  void add(PageId member, const passages::PassagePlace& place, Ranges mentions, CandidateSource source) {
    found_.candidates.push_back({member, article_.page, {place.page, place.ordinal, std::move(mentions), source}});
  }

  const passages::PagePassages& article_;
  const passages::PassageRepeats& repeats_;
  const CandidateSearch& search_;
  bool own_article_;
  std::vector<PageId> members_;  ///< of the visit, ascending
  FoundOnPage found_;
};

}  // namespace

FoundOnPage find_candidates(const passages::PagePassages& article, const passages::PassageRepeats& repeats,
                            const CandidateSearch& search, const SourceVisit& visit) {
  return PageSearch(article, repeats, search, visit).run();
}

void SourceVisits::add_member(const storage::LinkGraph& graph, PageId member, const Wanted& wanted) {
  const auto add = [&](PageId source, bool own_article) {
    links_.add({source.value, member.value, own_article});
    ++count_;
  };
  if (wanted.own_article) add(member, true);
  if (!wanted.links) return;
  for (const auto& source : graph.sources_with_places(member)) {
    const bool in_paragraph =
        std::any_of(source.places.begin(), source.places.end(), [](auto place) { return place != 0; });
    if (in_paragraph || wanted.elsewhere) add(source.page, false);
  }
}

std::uint64_t SourceVisits::finish() {
  pending_ = links_.next();
  return count_;
}

std::optional<SourceVisit> SourceVisits::next() {
  if (!pending_) return std::nullopt;
  SourceVisit visit{PageId{pending_->source}, false, {}};
  for (; pending_ && pending_->source == visit.source.value; pending_ = links_.next()) {
    if (pending_->own_article) {
      visit.own_article = true;
    } else {
      visit.linked.push_back(PageId{pending_->member});
    }
  }
  return visit;
}

}  // namespace touchstone::pipeline::evidence
