#pragma once

#include "common/ids.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/mentions/mention_search.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A page where candidates of some members are looked for.
struct SourceVisit {
  /// A member that the page links to, and where.
  struct Place {
    PageId member;
    std::uint32_t paragraph = 0;  ///< ordinal + 1, or one of the two below
  };
  static constexpr std::uint32_t kOwnArticle = 0;          ///< the page is the member's own article
  static constexpr std::uint32_t kElsewhere = UINT32_MAX;  ///< in a table, footnote or caption, which no passage holds
  PageId source;
  std::vector<Place> places;  ///< ascending by (member, paragraph)
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
};

/// What one page gives.
struct FoundOnPage {
  PageId source;
  std::vector<FoundCandidate> candidates;  ///< own passages, links and mentions; by (ordinal, member) on the page
  std::vector<PageId> linked;  ///< members that the page links to, ascending: each of `passages` is their candidate
  std::vector<corpus::PassagePlace> passages;
};

/// Finds the candidates on one page, which is composed once for all members. A passage that repeats another one stands
/// for that one, with its own mentions if the texts are equal. Thread-safe.
FoundOnPage find_candidates(const storage::Store& store, const corpus::PassageComposer& composer,
                            const CandidateSearch& search, const SourceVisit& visit);

/// All pages that link to some members, page by page. Not thread-safe.
class SourceVisits {
 public:
  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of the places held at once
  SourceVisits(const std::filesystem::path& folder, std::size_t memory_bytes) : places_(folder, memory_bytes) {}

  /// What is added of a member.
  struct Wanted {
    bool own_article = true, links = true, elsewhere = false;  ///< elsewhere: links that no paragraph holds
  };
  void add_member(const storage::Store& store, PageId member, const Wanted& wanted);

  /// Ends adding. Returns the number of places.
  std::uint64_t finish();

  /// The next page, ascending; nothing at the end.
  std::optional<SourceVisit> next();

 private:
  struct Entry {
    std::uint32_t source, member, paragraph;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  records::Sorter<Entry> places_;
  std::uint64_t count_ = 0;
  std::optional<Entry> pending_;
};

}  // namespace touchstone::pipeline::evidence
