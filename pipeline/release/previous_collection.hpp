#pragma once

#include "collection/evidence/collection_writer.hpp"
#include "collection/evidence/manifest.hpp"
#include "common/settings.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "pipeline/release/label_reasons.hpp"
#include "pipeline/release/month.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace touchstone::pipeline::release {

/// The evidence collection of the previous work directory, and what it was made of. Memory: the queries and groups.
class PreviousCollection {
 public:
  /// Throws ConfigError, with what to do, if the work directory or what its collection was made of is gone, and as the
  /// readers of its files do. \pre `is_there`
  explicit PreviousCollection(const corpus::PreviousOptions& options);

  /// Whether the previous work directory has an evidence collection. Throws ConfigError if one is named that is gone.
  static bool is_there(const corpus::PreviousOptions& options);
  /// What an export depends on, as text: the digests of the previous collection. Never throws for what is gone.
  static std::string fingerprint(const Settings& settings);

  const std::string& manifest_digest() const noexcept { return manifest_digest_; }
  const collection::evidence::Manifest& manifest() const noexcept { return manifest_; }
  const Month& month() const noexcept { return month_; }
  std::map<std::string, std::string> queries() const;  ///< by topic
  std::filesystem::path judgments() const { return directory_ / "judgments.jsonl.gz"; }

 private:
  std::filesystem::path directory_;
  std::string manifest_digest_;
  collection::evidence::Manifest manifest_;
  std::unique_ptr<storage::Store> store_;
  passages::PassageCorpus passages_;
  Month month_;
};

/// Gives the next judgment of the new collection, by topic, member and docid; nothing at the end.
using NextJudgment = std::function<std::optional<collection::evidence::JudgmentRecord>()>;

/// Writes the judgments with their history, and the labels that are gone. Goes over both collections' judgments in
/// step; memory holds those of one topic. Throws FormatError if a judgment of the previous collection cannot be read.
void write_judgments_with_history(const PreviousCollection& previous, const LabelReasons& reasons,
                                  const NextJudgment& next, collection::evidence::CollectionWriter& writer);

}  // namespace touchstone::pipeline::release
