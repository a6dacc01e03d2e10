#pragma once

#include "collection/evidence/passage_join.hpp"
#include "collection/evidence/records.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

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
  void add(JudgmentRecord judgment);

  /// Calls `line` for each line, with its line end, in the order of judgments: topic, member page id, docid. May be
  /// called once. Throws FormatError if a line of `corpus` (corpus.jsonl.gz) is not a passage.
  /// \param base_url  CollectionInfo::base_url
  void for_each_line(const std::filesystem::path& corpus, std::string_view base_url, const StopFlag& stop,
                     const std::function<void(std::string_view)>& line);

 private:
  static constexpr std::size_t kSortBytes = std::size_t{32} << 20;

  struct Line {
    std::string topic;
    std::uint64_t member_page_id = 0;
    std::string docid, text;
    template <class Fields>
    void fields(Fields& field) {
      field("topic", topic)("member_page_id", member_page_id)("docid", docid)("text", text);
    }
    friend auto operator<=>(const Line&, const Line&) = default;
  };

  std::string line_of(const JudgmentRecord& judgment, const PassageRecord& passage, std::string_view base_url) const;

  int evidence_grade_;
  PassageJoin<JudgmentRecord> judgments_;
  records::Sorter<Line> lines_;
  std::unordered_map<std::string, std::string> queries_;               ///< by topic
  std::map<std::pair<std::string, std::uint64_t>, std::string> qids_;  ///< by topic and member page id, where known
};

}  // namespace touchstone::collection::evidence
