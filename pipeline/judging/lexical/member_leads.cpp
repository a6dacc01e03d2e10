#include "pipeline/judging/lexical/member_leads.hpp"

#include "pipeline/judging/lexical/compared_words.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

/// Sentences of a lead that say what its subject is.
constexpr std::uint32_t kDefiningSentences = 2;
/// A word names the kind of a list's members, or tells which they are, if this many of their leads use it and at least
/// this share of them.
constexpr std::size_t kLeastLeads = 2, kLeastShare = 5;
/// Fewer members say nothing about the words that they share.
constexpr std::size_t kLeastMembers = 10;

bool enough(std::size_t count, std::size_t of) {
  return count >= kLeastLeads && count * kLeastShare >= of;
}

std::vector<text::Term> lead_terms(const passages::PassageCorpus& passages, PageId page, text::TermSplitter& splitter,
                                   Endings endings) {
  for (const auto& passage : passages.passages(page)) {
    if (passage.section_path.empty()) return compared_words(splitter, passage.text, endings);
  }
  return {};
}

MemberLead read(std::vector<text::Term> terms) {
  MemberLead lead;
  for (auto& term : terms) {
    if (term.sentence < kDefiningSentences && !term.capital) lead.kinds.insert(term.stem);
    lead.words.insert(std::move(term.stem));
  }
  return lead;
}

}  // namespace

MemberLeads::MemberLeads(const JudgingCorpus& corpus, const std::string& stemmer) {
  for (const auto& [topic, group] : corpus.groups) {
    for (const auto& member : group.members) leads_.try_emplace(member.page);
  }
  std::vector<std::pair<const PageId, MemberLead>*> all;
  all.reserve(leads_.size());
  for (auto& lead : leads_) all.push_back(&lead);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, all.size(), 64), [&](const auto& range) {
    corpus.stop.check();
    text::TermSplitter splitter(stemmer);
    for (std::size_t i = range.begin(); i != range.end(); ++i)
      all[i]->second = read(lead_terms(corpus.passages, all[i]->first, splitter, endings_for(stemmer)));
  });
}

void MemberLeads::settle(ListWords& list, const std::vector<evidence::GroupMember>& members) const {
  std::size_t leads = 0;
  for (const auto& member : members) leads += leads_.at(member.page).words.empty() ? 0 : 1;
  const auto count = [&](const std::vector<ListPhrase>& part) {
    return static_cast<std::size_t>(std::count_if(members.begin(), members.end(), [&](const auto& member) {
      const auto& kinds = leads_.at(member.page).kinds;
      return std::any_of(part.begin(), part.end(), [&](const auto& phrase) { return kinds.contains(phrase.noun); });
    }));
  };
  if (list.bare_title) {
    if (!list.subject_only) {
      const auto of_title = count(list.scope), of_heading = count(list.head);
      list.heading_unsaid = of_heading * kLeastShare < leads;
      if (list.header_repeats ? of_title >= of_heading : enough(of_title, leads) && of_title > of_heading) {
        list.section = std::exchange(list.head, std::exchange(list.scope, {}));
        if (!list.heading_listed) list.section.clear();
        list.title_listed = true;
      }
    } else {
      list.title_listed = true;
    }
    list.kind_known = enough(count(list.head), leads) || (list.header_repeats && list.title_listed);
  }
  const auto telling = std::count_if(members.begin(), members.end(), [&](const auto& member) {
    const auto& words = leads_.at(member.page).words;
    return std::any_of(list.section.begin(), list.section.end(), [&](const auto& phrase) {
      return std::any_of(phrase.words.begin(), phrase.words.end(),
                         [&](const auto& word) { return words.contains(word); });
    });
  });
  list.heading_sorts = leads > 0 && !list.section.empty() && !enough(static_cast<std::size_t>(telling), leads);
}

bool MemberLeads::hold(const std::vector<text::Term>& words, const std::set<PageId>& members) const {
  std::size_t leads = 0, holding = 0;
  for (const auto page : members) {
    const auto& lead = leads_.at(page).words;
    if (lead.empty()) continue;
    ++leads;
    holding +=
        std::all_of(words.begin(), words.end(), [&](const auto& word) { return lead.contains(word.stem); }) ? 1 : 0;
  }
  return enough(holding, leads);
}

StemSet MemberLeads::shared_words(const ListWords& list, const std::set<PageId>& members) const {
  std::map<std::string, std::size_t> counts;
  std::size_t leads = 0, named = 0;
  for (const auto page : members) {
    const auto& lead = leads_.at(page);
    if (lead.words.empty()) continue;
    ++leads;
    for (const auto& word : lead.words) ++counts[word];
    named += std::any_of(list.head.begin(), list.head.end(),
                         [&](const auto& phrase) { return lead.words.contains(phrase.noun); })
                 ? 1
                 : 0;
  }
  StemSet shared;
  if (leads < kLeastMembers || 2 * named >= leads) return shared;
  for (const auto& [word, count] : counts) {
    if (2 * count >= leads) shared.insert(word);
  }
  return shared;
}

std::vector<StemPhrase> MemberLeads::definition(const passages::PassageCorpus& passages, PageId page,
                                                const std::string& stemmer) {
  text::TermSplitter splitter(stemmer);
  std::vector<StemPhrase> phrases(1);
  for (auto& term : lead_terms(passages, page, splitter, endings_for(stemmer))) {
    if (term.sentence > 0) break;
    if (splitter.is_stop_word(term.stem)) {
      phrases.emplace_back();
    } else {
      phrases.back().push_back(std::move(term.stem));
    }
  }
  return phrases;
}

}  // namespace touchstone::pipeline::judging::lexical
