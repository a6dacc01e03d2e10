#pragma once

#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/collection_info.hpp"
#include "collection/evidence/collection_numbers.hpp"
#include "collection/evidence/records.hpp"
#include "collection/health/health_check.hpp"
#include "collection/release/baseline_run.hpp"
#include "common/stop.hpp"

#include <filesystem>
#include <memory>

namespace touchstone::collection::evidence {

/// Writes a collection directory as the records come. Memory: the topic ids and counts, the grades of one topic, and
/// what was discarded, which is sorted so that its order of arrival does not show.
///
/// Files: those of `data_files`, manifest.json README.md croissant.json sha256sums.txt (docs/collection.md).
/// The directory is built beside its final place and renamed by `finish()` (StagedDirectory), so a killed run leaves
/// the older one whole.
///
/// Each kind must come in its order, bytewise: topics by id; members by (topic, title); passages by (page id, ordinal);
/// judgments, and labels that are gone, by (topic, member page id, docid); discarded in any order. A topic comes before
/// its members and judgments. Not thread-safe. Throws StorageError, and FormatError for records out of order or twice,
/// for a grade, state or probability that cannot be, for an id that breaks readers of the files, for a passage or query
/// without text, and for a `manifest_json` that is not an object of new names.
class CollectionWriter {
 public:
  CollectionWriter(std::filesystem::path directory, CollectionInfo info);
  ~CollectionWriter();

  void add(const TopicRecord& topic);
  void add(const MemberRecord& member);
  void add(const PassageRecord& passage);
  void add(const JudgmentRecord& judgment);
  void add(const DiscardedRecord& discarded);
  /// \pre the collection has a history (CollectionInfo::has_history)
  void add(const GoneRecord& gone);
  /// In the order of judgments. \pre the collection has an audit (CollectionInfo::audit)
  void add(const AuditRecord& audited);
  /// The same.
  void add(const CalibratedRecord& calibrated);

  /// Completes the files and puts the directory into its place; without this call nothing appears there. A passage's
  /// grade is the highest over its members' judgments; a passage without any grade is left out of the qrels. Returns
  /// the numbers that manifest.json holds. Throws Interrupted if a stop was requested. To be called once, last.
  /// \param examine   looks at the complete data files; what it finds goes into the card and manifest.json
  /// \param baseline  makes the run of the release, if there are qrels; may be null
  CollectionNumbers finish(const StopFlag& stop = StopFlag(), const health::HealthExaminer& examine = {},
                           const release::BaselineSystem* baseline = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::evidence
