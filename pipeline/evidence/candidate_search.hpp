#pragma once

#include "common/external_sorter.hpp"
#include "common/ids.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A page where candidates of some members are looked for.
struct SourceVisit {
  /// A member that the page links to, and where.
  struct Place {
    PageId member;
    std::uint32_t paragraph = 0;  ///< ordinal + 1; 0: anywhere, since the page is the member's own article
  };
  PageId source;
  std::vector<Place> places;  ///< ascending by (member, paragraph), at least one
};

/// A passage of a source page that is a candidate of a member.
struct FoundCandidate {
  PageId member;
  PageId source;  ///< the page it was found on; another than that of the passage where that repeats one
  CandidatePassage passage;
};

/// Finds the candidates on one page, which is composed once for all members: passages with a link to a member, and all
/// passages of a member's own article where `places` asks for them. A passage that repeats another one stands for that
/// one, with its own mentions if the texts are equal. In the order of (ordinal, member) on the page. Thread-safe.
std::vector<FoundCandidate> find_candidates(const storage::Store& store, const corpus::PassageComposer& composer,
                                            const SourceVisit& visit);

/// All pages that link to some members, page by page. Not thread-safe.
class SourceVisits {
 public:
  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of the places held at once
  SourceVisits(const std::filesystem::path& folder, std::size_t memory_bytes)
      : places_(folder, "visits", memory_bytes) {}

  /// Adds the paragraphs that link to `member`, and its own article where `own_article` is set.
  void add_member(const storage::Store& store, PageId member, bool own_article);

  /// Ends adding. Returns the number of places.
  std::uint64_t finish();

  /// The next page, ascending; nothing at the end.
  std::optional<SourceVisit> next();

 private:
  struct Entry {
    std::uint32_t source, member, paragraph;
    friend bool operator<(const Entry& a, const Entry& b) {
      return std::tie(a.source, a.member, a.paragraph) < std::tie(b.source, b.member, b.paragraph);
    }
  };
  ExternalSorter<Entry> places_;
  std::uint64_t count_ = 0;
  std::optional<Entry> pending_;
};

/// Collects candidates in the order of the pages they stand on, and gives them out in the order of topics and members.
/// A member of several topics has the same candidates in each. Not thread-safe.
class CandidateSorter {
 public:
  /// \param topics        in the order of the file to write; outlives this object
  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of the mentions held at once
  /// \param list_page    keep what is found on a topic's own list page
  CandidateSorter(std::span<const Group* const> topics, const std::filesystem::path& folder, std::size_t memory_bytes,
                  bool list_page = true);

  /// The distinct members of all topics, ascending.
  std::vector<PageId> members() const;

  void add(const FoundCandidate& found);
  void finish() { mentions_.finish(); }

  /// Candidates that were not kept because they stand on the list page.
  std::uint64_t on_list_page() const noexcept { return on_list_page_; }

  /// The candidates of the next topic; nothing at the end. \pre finish() was called
  std::optional<TopicCandidates> next_topic();

 private:
  /// A mention of a member in a passage. A passage without one has an entry of its own, with `begin` kNoMention.
  struct Entry {
    std::uint32_t slot;  ///< member of a topic, counted over all topics
    std::uint32_t page, ordinal;
    std::uint32_t number;  ///< of the mention within the passage
    std::uint32_t begin, end;
    friend bool operator<(const Entry& a, const Entry& b) {
      return std::tie(a.slot, a.page, a.ordinal, a.number) < std::tie(b.slot, b.page, b.ordinal, b.number);
    }
  };
  static constexpr std::uint32_t kNoMention = UINT32_MAX;

  std::span<const Group* const> topics_;
  std::unordered_map<PageId, std::vector<std::uint32_t>> slots_;
  std::vector<PageId> list_pages_;  ///< of the topic of each slot
  bool list_page_;
  std::uint64_t on_list_page_ = 0;
  ExternalSorter<Entry> mentions_;
  std::optional<Entry> pending_;
  bool started_ = false;
  std::size_t topic_ = 0;
  std::uint32_t slot_ = 0;
};

}  // namespace touchstone::pipeline::evidence
