#pragma once

#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/records.hpp"
#include "common/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// The lines of a collection's own files: one function to write and one to read each, and nothing else knows their form
/// (docs/collection.md). Reading a written line and writing it again gives the same bytes.
/// Failures are ends of sentences that start with file and line.
namespace touchstone::collection::evidence {

/// Longest line that readers accept: a passage is a section at most, a judgment holds a reply's reason.
inline constexpr std::size_t kMaxCollectionLineBytes = std::size_t{1} << 26;

inline constexpr std::string_view kCalibrationHeader = "topic\tmember_page_id\tdocid\tprobability\tcalibrated";
inline constexpr std::string_view kDiscardedHeader = "kind\tpage\tsection\tcolumn\treason\tdetail";

/// How many digits of a probability are written: six after the point in collections, all of them between stages.
inline constexpr int kProbabilityDigits = 6;
enum class ProbabilityDigits : std::uint8_t { kSix, kAll };

std::string query_line(const TopicRecord& topic);
std::string member_line(const MemberRecord& member);
std::string passage_line(const PassageRecord& passage);
std::string discarded_line(const DiscardedRecord& discarded);

/// A judgment, as judgments.jsonl.gz, unjudged.jsonl and the files that the stages hand to each other have it.
std::string judgment_line(const JudgmentRecord& judgment, ProbabilityDigits digits = ProbabilityDigits::kSix);
std::string gone_line(const GoneRecord& gone);
std::string audit_line(const AuditRecord& audited);
std::string calibrated_line(const CalibratedRecord& calibrated);

// Reading copies: passages in the formats of other tools.

/// A line of Anserini's and Pyserini's JsonCollection, `{"id","contents"}`: title, line feed, text.
std::string pyserini_line(const PassageRecord& passage);

/// A line of the TSV that `ir_datasets.create_dataset(docs_tsv=...)` reads: docid, tab, title and text.
std::string docs_tsv_line(const PassageRecord& passage);

/// The section comes back as one string, since a heading may hold the " » " that joins it.
Result<DiscardedRecord, std::string> parse_discarded(std::string_view line);

/// Reads the JSON lines; keeps its buffers between lines. Not thread-safe.
class CollectionLineReader {
 public:
  CollectionLineReader();
  ~CollectionLineReader();

  Result<TopicRecord, std::string> query(std::string_view line);
  Result<MemberRecord, std::string> member(std::string_view line);
  Result<PassageRecord, std::string> passage(std::string_view line);
  /// \param unknown_state  takes the name of a state that is not in the table; the record's state is then kFailed. If
  ///                       null, such a name is an error.
  Result<JudgmentRecord, std::string> judgment(std::string_view line,
                                               std::optional<std::string>* unknown_state = nullptr);
  Result<GoneRecord, std::string> gone(std::string_view line);
  /// Topic, docid and member are those of the judgment in `before`.
  Result<AuditRecord, std::string> audited(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::evidence
