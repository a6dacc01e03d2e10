#pragma once

#include "analysis/adjudication/adjudicator.hpp"
#include "analysis/adjudication/topic_pool.hpp"
#include "common/descriptor.hpp"
#include "formats/trec/qrels.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace touchstone::analysis::adjudication {

/// Judgments as they come, in a qrels file. Each is on disk before the next document is chosen, so that a killed
/// session loses none. Not thread-safe.
class JudgmentFile {
 public:
  /// Keeps judgments in memory only.
  JudgmentFile() = default;
  /// Opens the file, or makes it, and reads what it holds. A last line without its end, from a session that was killed
  /// while it wrote, is removed. Throws StorageError, and FormatError for a line that is not a qrel.
  explicit JudgmentFile(std::filesystem::path path);

  std::optional<int> find(const std::string& topic, const std::string& docid) const;
  /// Throws StorageError if the line cannot be written.
  void add(const formats::trec::QrelRecord& qrel);

 private:
  std::filesystem::path path_;
  Descriptor file_;
  std::map<std::pair<std::string, std::string>, int> grades_;
};

/// A document that waits for its judgment.
struct JudgmentRequest {
  const std::string& topic;
  const std::string& docid;
  std::size_t judged = 0;  ///< documents of the topic that have been judged
  std::size_t budget = 0;  ///< of the topic: no more than the pool holds
};

struct SessionCounts {
  std::size_t judged = 0, relevant = 0, asked = 0;
};

/// Lets the method choose documents, topic after topic, until each topic's budget is used. A judgment that the file
/// holds is not asked for again.
/// \param ask  gives the grade of a document; nothing ends the session
SessionCounts run_session(std::span<const NamedPool> pools, const AdjudicationOptions& options, int min_grade,
                          JudgmentFile& judgments,
                          const std::function<std::optional<int>(const JudgmentRequest&)>& ask);

/// SessionRecord::grades of a session with a judge.
inline constexpr const char* kInteractive = "interactive";

/// Everything that decides which documents have a judgment. A file of judgments is a sample of the pool; without this
/// record nobody can say which one. It is kept beside the file, because readers of qrels know no comments.
struct SessionRecord {
  std::string method;
  std::uint64_t seed = 0;  ///< counts only if the method draws (is_stochastic())
  std::size_t pool_depth = 0, budget = 0;
  int min_grade = 1;
  std::string pool;    ///< digest of the documents and ranks of all runs
  std::string grades;  ///< where grades come from: kInteractive, or the digest of the qrels
};

SessionRecord record_of(const AdjudicationOptions& options, std::size_t pool_depth, int min_grade,
                        std::span<const NamedPool> pools, std::string grades);

/// "method hedge, pool depth 100, budget 50, lowest relevant grade 1", with the seed if the method draws.
std::string describe(const SessionRecord& record);

/// The file that keeps the record of the judgments in `judgments`: its name and `.json`.
std::filesystem::path record_file(const std::filesystem::path& judgments);

/// Checks that `judgments` may take judgments of documents that are chosen so, and writes the record beside it. A file
/// that is missing or empty may; else its record must name the same choice. Only the budget may differ, unless the
/// method chooses by it (top-k); a session with a judge only adds judgments, so that its record keeps the larger one.
/// Throws ConfigError that names each difference, and FormatError and StorageError for a record that cannot be used.
void keep_record(const std::filesystem::path& judgments, const SessionRecord& record);

}  // namespace touchstone::analysis::adjudication
