#pragma once

#include "collection/evidence/records.hpp"
#include "common/line_sorter.hpp"
#include "common/stop.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace touchstone::collection::evidence {

/// The lines of evidence.jsonl: each judgment that is evidence with the query of its topic, its member, and the text
/// and address of its passage, as in table 1 of the D-MERIT paper. Memory: topics, QIDs and a hash for each passage
/// that is evidence; the rest is sorted on disk. Not thread-safe.
class EvidenceJoin {
 public:
  /// \param folder          of the disk that holds what does not fit into memory
  /// \param evidence_grade  lowest grade that is evidence
  EvidenceJoin(const std::filesystem::path& folder, int evidence_grade);

  void add(const TopicRecord& topic);
  void add(const MemberRecord& member);
  /// \pre topic and member are known
  void add(const JudgmentRecord& judgment);

  /// Calls `line` for each line, with its line end, in the order of judgments: topic, member page id, docid. May be
  /// called once. Throws FormatError if a line of `corpus` (corpus.jsonl.gz) is no passage.
  /// \param base_url  CollectionInfo::base_url
  void for_each_line(const std::filesystem::path& corpus, std::string_view base_url, const StopFlag& stop,
                     const std::function<void(std::string_view)>& line);

 private:
  void add_passages(const std::filesystem::path& corpus, std::string_view base_url, const StopFlag& stop);

  int evidence_grade_;
  LineSorter by_docid_;                                   ///< docid, kind of row, row
  LineSorter in_order_;                                   ///< topic, member page id, docid, line
  std::unordered_map<std::string, std::string> queries_;  ///< by topic
  std::unordered_map<std::string, std::string> qids_;     ///< by topic and member page id, where known
  std::unordered_set<std::uint64_t> docids_;              ///< hashes
};

}  // namespace touchstone::collection::evidence
