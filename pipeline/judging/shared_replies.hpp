#pragma once

#include "llm_client/reply_store.hpp"
#include "pipeline/judging/judgment_log.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging {

/// The logs of processes that only ask, beside the log of a work directory: each has one of its own in a folder
/// (kReplyLogsFolder), which it appends to without a lock, and all are read by everybody. The next process that appends
/// to the log of the work directory takes them over.

/// Paths of the logs in a folder, by name; none where there is no folder. Throws StorageError.
std::vector<std::filesystem::path> reply_logs_in(const std::filesystem::path& folder);

/// Adds the replies of these logs to a log, and removes those whose writer has ended. Throws StorageError.
void take_over(JudgmentLog& log, const std::filesystem::path& folder);

/// The replies of a log and of those in a folder, as they were when this was made. Thread-safe.
class SharedReplies : public llm_client::ReplyStore {
 public:
  /// Throws as JudgmentLog does.
  /// \param writer  name of the log in the folder that new replies go to; empty: nothing is added
  SharedReplies(const std::filesystem::path& log, std::filesystem::path folder, const storage::Store* store,
                std::string writer = {});
  /// As JudgmentLog::look_in; what is found there is not kept.
  void look_in(std::shared_ptr<const JudgmentLog> previous) { previous_ = std::move(previous); }
  /// Marks the log of this writer as ended.
  ~SharedReplies() override;

  std::optional<llm_client::StoredReply> find(std::string_view digest) const override;
  std::size_t add(const std::vector<Entry>& entries) override;
  void add_new(const std::vector<Entry>& entries) override;
  /// As JudgmentLog::add_computed.
  std::size_t add_computed(const std::vector<Entry>& entries);

  /// Reads what others have added meanwhile.
  void refresh();

 private:
  std::vector<Entry> unknown(const std::vector<Entry>& entries) const;

  const std::filesystem::path folder_;
  const std::string writer_;
  JudgmentLog log_;
  std::shared_ptr<const JudgmentLog> previous_;
  std::unique_ptr<JudgmentLog> own_;
  mutable std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<const JudgmentLog>> others_;
};

}  // namespace touchstone::pipeline::judging
