#pragma once

#include "common/ids.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/evidence/candidate_search.hpp"
#include "pipeline/evidence/evidence_records.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Collects candidates in the order of the pages they are on, and gives them out in the order of topics and members.
/// A member of several topics has the same candidates in each. Memory: that of the sort, 24 bytes for each member of a
/// topic, and the candidates of one topic. Not thread-safe.
class CandidateSorter {
 public:
  struct Limits {
    bool list_page = true;                  ///< keep what is found on a topic's own list page
    std::uint32_t most_added = UINT32_MAX;  ///< by mentions, and again by pages, to each member; the first are kept
  };
  /// \param topics        in the order of the file to write; outlives this object
  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of the mentions held at once
  CandidateSorter(std::span<const Group* const> topics, const std::filesystem::path& folder, std::size_t memory_bytes,
                  const Limits& limits);

  void add(const FoundOnPage& found);

  /// Candidates that were not kept because they are on the list page.
  std::uint64_t on_list_page() const noexcept { return on_list_page_; }
  /// Candidates that were not kept because their member had `most_added`.
  std::uint64_t beyond_limit() const noexcept { return beyond_limit_; }

  /// The candidates of the next topic; nothing at the end. \pre the last `add` was before
  std::optional<TopicCandidates> next_topic();

 private:
  /// A mention of a member in a passage. A passage without one has an entry of its own, with `begin` kNoMention.
  struct Entry {
    std::uint32_t slot;  ///< member of a topic, counted over all topics
    std::uint32_t page, ordinal;
    CandidateSource source;
    std::uint32_t number;  ///< of the mention within the passage
    std::uint32_t begin, end;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  static constexpr std::uint32_t kNoMention = UINT32_MAX;

  bool is_list_page(std::uint32_t slot, PageId page) const;
  void add(const FoundCandidate& found);
  void add_pages(const FoundOnPage& found);
  void add(std::uint32_t slot, const CandidatePassage& passage);
  std::uint64_t room(std::uint32_t slot, CandidateSource source) const;
  void read_passage(std::vector<CandidatePassage>& passages, PageId member);

  std::span<const Group* const> topics_;
  std::unordered_map<PageId, std::vector<std::uint32_t>> slots_;
  std::vector<const Group*> groups_;                 ///< of the topic of each slot
  std::vector<std::uint32_t> by_mention_, by_page_;  ///< candidates that each slot has from these sources
  Limits limits_;
  std::uint64_t on_list_page_ = 0, beyond_limit_ = 0;
  records::Sorter<Entry> mentions_;
  std::optional<Entry> pending_;
  bool started_ = false;
  std::size_t topic_ = 0;
  std::uint32_t slot_ = 0;
};

}  // namespace touchstone::pipeline::evidence
