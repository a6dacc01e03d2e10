#pragma once

#include "analysis/adjudication/adjudicator.hpp"
#include "analysis/adjudication/pool_files.hpp"
#include "common/descriptor.hpp"
#include "formats/trec/qrels.hpp"

#include <cstddef>
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

}  // namespace touchstone::analysis::adjudication
