#pragma once

#include "collection/evidence/passage_join.hpp"
#include "collection/evidence/records.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace touchstone::collection::evidence::report::internal {

/// What was said of a passage of a topic.
enum class PassagePart : std::uint8_t { kEvidence, kNotEvidence, kUnjudged };

/// A passage of one topic with what was said of it.
struct ShownPassage {
  std::size_t topic = 0;
  PassagePart part = PassagePart::kEvidence;
  std::size_t rank = 0;  ///< within the part
  std::string docid;
  PassageRecord passage;
  bool found = false;                     ///< the corpus has it; else there is no more than the docid
  std::vector<JudgmentRecord> judgments;  ///< those that are shown, the most convinced ones first
  std::uint64_t judgment_count = 0;       ///< all
  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("part", part)("rank", rank)("docid", docid)("passage", passage)("found", found)(
        "judgments", judgments)("judgment_count", judgment_count);
  }
  friend bool operator<(const ShownPassage& a, const ShownPassage& b) {
    return std::tie(a.topic, a.part, a.rank) < std::tie(b.topic, b.part, b.rank);
  }
};

/// What is shown of one topic besides its numbers.
struct TopicContents {
  std::vector<MemberRecord> members;
  std::vector<ShownPassage> evidence;  ///< most probable first
  std::vector<ShownPassage> not_evidence, unjudged;
};

/// Brings members, judgments and passages of a collection together, topic by topic. Memory: a hash for each passage;
/// the rest is sorted on disk. Not thread-safe.
class TopicContentsJoin {
 public:
  /// \param folder  of the disk that holds what does not fit into memory
  explicit TopicContentsJoin(const std::filesystem::path& folder);

  /// \param topic  its number in the order in which topics come back
  void add_member(std::size_t topic, std::size_t rank, MemberRecord member);
  /// \param passage  its text follows from the docid
  void add(ShownPassage passage) { by_docid_.add(std::move(passage)); }

  /// Calls `use` for each topic from 0 to `topics` - 1. May be called once. Throws FormatError if a line of `corpus`
  /// (corpus.jsonl.gz) is not a passage, and Interrupted.
  void for_each_topic(std::size_t topics, const std::filesystem::path& corpus, const StopFlag& stop,
                      const std::function<void(std::size_t, const TopicContents&)>& use);

 private:
  struct TopicMember {
    std::size_t topic = 0, rank = 0;
    MemberRecord member;
    template <class Fields>
    void fields(Fields& field) {
      field("topic", topic)("rank", rank)("member", member);
    }
    friend bool operator<(const TopicMember& a, const TopicMember& b) {
      return std::tie(a.topic, a.rank) < std::tie(b.topic, b.rank);
    }
  };

  PassageJoin<ShownPassage> by_docid_;
  records::Sorter<TopicMember> members_;
  records::Sorter<ShownPassage> passages_;
};

}  // namespace touchstone::collection::evidence::report::internal
