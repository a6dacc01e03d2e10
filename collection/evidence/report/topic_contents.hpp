#pragma once

#include "collection/evidence/records.hpp"
#include "common/line_sorter.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace touchstone::collection::evidence::report::internal {

/// What was said of a passage of a topic.
enum class PassagePart : std::uint8_t { kEvidence, kNotEvidence, kUnjudged };

/// A passage of one topic with what was said of it.
struct ShownPassage {
  PassageRecord passage;
  bool found = false;                     ///< the corpus has it; else there is no more than the docid
  std::vector<JudgmentRecord> judgments;  ///< those that are shown, the most convinced ones first
  std::uint64_t judgment_count = 0;       ///< all
};

/// What is shown of one topic besides its numbers.
struct TopicContents {
  std::vector<MemberRecord> members;
  std::vector<ShownPassage> evidence;  ///< most probable first
  std::vector<ShownPassage> not_evidence, unjudged;
};

/// The lines of the judgments that are shown of a passage.
struct JudgedPassage {
  std::size_t topic = 0;
  PassagePart part = PassagePart::kEvidence;
  std::size_t rank = 0;  ///< within the part
  std::string docid;
  std::vector<std::string> judgments;  ///< lines of judgments.jsonl.gz
  std::uint64_t judgment_count = 0;
};

/// Brings members, judgments and passages of a collection together, topic by topic. Memory: a hash for each passage;
/// the rest is sorted on disk. Not thread-safe.
class TopicContentsJoin {
 public:
  /// \param folder  of the disk that holds what does not fit into memory
  explicit TopicContentsJoin(const std::filesystem::path& folder);

  /// \param topic  its number in the order in which topics come back
  void add_member(std::size_t topic, std::size_t rank, std::string_view line);
  void add(const JudgedPassage& passage);

  /// Calls `use` for each topic from 0 to `topics` - 1. May be called once. Throws FormatError if a line of `corpus`
  /// (corpus.jsonl.gz) is no passage, and Interrupted.
  void for_each_topic(std::size_t topics, const std::filesystem::path& corpus, const StopFlag& stop,
                      const std::function<void(std::size_t, const TopicContents&)>& use);

 private:
  void add_passages(const std::filesystem::path& corpus, const StopFlag& stop);

  LineSorter by_docid_;                       // docid, kind of row, row
  LineSorter by_topic_;                       // topic, kind of row, row
  std::unordered_set<std::uint64_t> docids_;  // hashes
};

}  // namespace touchstone::collection::evidence::report::internal
