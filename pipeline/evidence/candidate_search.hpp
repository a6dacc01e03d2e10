#pragma once

#include "common/ids.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/mentions/mention_search.hpp"
#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_repeats.hpp"
#include "storage/link_graph.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A page where candidates of some members are looked for.
struct SourceVisit {
  PageId source;
  bool own_article = false;    ///< the page is a member's own article, which is searched for it
  std::vector<PageId> linked;  ///< members that the page links to, ascending

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", source)("own_article", own_article)("linked", linked);
  }
};

/// What a page is searched for.
struct CandidateSearch {
  bool links = true;   ///< passages that link to a member
  bool pages = false;  ///< all passages of a page that links to a member; includes `links`
  const mentions::MentionSearch* mentions = nullptr;  ///< passages that name a member without a link; null: not
};

/// A passage of a source page that is a candidate of a member.
struct FoundCandidate {
  PageId member;
  PageId source;  ///< the page it was found on; another than that of the passage where that repeats one
  CandidatePassage passage;

  template <class Fields>
  void fields(Fields& field) {
    field("member", member)("source", source)("passage", passage);
  }
};

/// What one page gives.
struct FoundOnPage {
  PageId source;
  std::vector<FoundCandidate> candidates;  ///< own passages, links and mentions; by (ordinal, member) on the page
  std::vector<PageId> linked;  ///< members that the page links to, ascending: each of `passages` is their candidate
  std::vector<passages::PassagePlace> passages;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", source)("candidates", candidates)("linked", linked)("passages", passages);
  }
};

/// Finds the candidates on one page, for all members. A passage that repeats another one counts as that one, with its
/// own mentions if the texts are equal. Thread-safe.
FoundOnPage find_candidates(const passages::PagePassages& article, const passages::PassageRepeats& repeats,
                            const CandidateSearch& search, const SourceVisit& visit);

/// All pages that link to some members, page by page. Not thread-safe.
class SourceVisits {
 public:
  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of the links held at once
  SourceVisits(const std::filesystem::path& folder, std::size_t memory_bytes) : links_(folder, memory_bytes) {}

  /// What is added of a member.
  struct Wanted {
    bool own_article = true, links = true;
    bool elsewhere = false;  ///< links in a table, footnote or caption too, which no passage holds
  };
  void add_member(const storage::LinkGraph& graph, PageId member, const Wanted& wanted);

  /// Ends adding. Returns the number of links and own articles.
  std::uint64_t finish();

  /// The next page, ascending; nothing at the end.
  std::optional<SourceVisit> next();

 private:
  struct Link {
    std::uint32_t source, member;
    bool own_article;
    friend bool operator<(const Link& a, const Link& b) {
      return std::tie(a.source, a.member, a.own_article) < std::tie(b.source, b.member, b.own_article);
    }
  };
  records::Sorter<Link> links_;
  std::uint64_t count_ = 0;
  std::optional<Link> pending_;
};

}  // namespace touchstone::pipeline::evidence
