#pragma once

#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/lexical/list_words.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// The lead of a member's own article in words.
struct MemberLead {
  StemSet words;
  StemSet kinds;  ///< of its first two sentences, those in lower case: what may say of which kind the member is
};

/// What the leads of the members' own articles say, from which follows which words of a list name a kind of thing.
class MemberLeads {
 public:
  /// Reads the leads of all members of the groups, in parallel. Throws Interrupted on a stop request.
  /// \param stemmer  Snowball's name, or empty for none
  MemberLeads(const JudgingCorpus& corpus, const std::string& stemmer);

  /// Settles what only the members tell: whether the title or the heading of a page that is not a list is what is
  /// listed, and whether the heading of a list says something about its members.
  void settle(ListWords& list, const std::vector<evidence::GroupMember>& members) const;

  /// True if a fifth of the members' leads, and two at least, hold all of the words.
  bool hold(const std::vector<text::Term>& words, const std::set<PageId>& members) const;

  /// Words that at least half of the members' leads hold, where fewer than half use the noun of the list's head. None
  /// for fewer than ten members.
  StemSet shared_words(const ListWords& list, const std::set<PageId>& members) const;

  /// The first sentence of an article, cut at function words; nothing if it has no lead.
  static std::vector<StemPhrase> definition(const passages::PassageCorpus& passages, PageId page,
                                            const std::string& stemmer);

 private:
  std::map<PageId, MemberLead> leads_;
};

}  // namespace touchstone::pipeline::judging::lexical
