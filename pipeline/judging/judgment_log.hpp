#pragma once

#include "common/records/record_log.hpp"
#include "llm_client/reply_store.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::judging {

/// The replies of all judges, in a file of the work directory (kReplyLogFile). Thread-safe. Memory is about 50 bytes
/// for each reply; the replies themselves are read when they are asked for. Opening reads the whole file.
class JudgmentLog : public llm_client::ReplyStore {
 public:
  using Access = records::RecordLog::Access;

  /// Throws as RecordLog does. Says on the program's log what is lost in a damaged file.
  /// \param store  is looked into for replies that are not in the file: older work directories hold them there. May be
  ///               null; outlives this object.
  JudgmentLog(const std::filesystem::path& file, Access access, const storage::Store* store = nullptr);

  /// Opens the log to add to it, and moves replies over that the store still holds.
  static std::shared_ptr<JudgmentLog> open(const std::filesystem::path& file, storage::Store& store);

  /// Replies that are not here are looked for in another log, that of an earlier dump.
  void look_in(std::shared_ptr<const JudgmentLog> previous) { previous_ = std::move(previous); }

  std::optional<llm_client::StoredReply> find(std::string_view digest) const override;
  /// Adds the replies that were found in the other log, which need not be there the next time. Returns how many.
  std::size_t keep_found();
  std::size_t add(const std::vector<Entry>& entries) override;
  void add_new(const std::vector<Entry>& entries) override;
  /// Adds replies that can be had again at no cost: they outlive the end of this process, and no power cut. Returns how
  /// many were new.
  std::size_t add_computed(const std::vector<Entry>& entries);

 private:
  using Durability = records::RecordLog::Durability;
  using Place = records::RecordLog::Place;

  std::optional<llm_client::StoredReply> find_in_file(std::string_view digest) const;
  std::size_t add_unknown(const std::vector<Entry>& entries, Durability durability);
  void append(const std::vector<const Entry*>& entries, Durability durability);

  const storage::Store* const store_;
  std::shared_ptr<const JudgmentLog> previous_;           ///< may be null
  mutable std::mutex finding_;                            ///< of `found_`
  mutable std::vector<Entry> found_;                      ///< in the other log, and not kept yet
  std::mutex add_;                                        ///< held while somebody looks for what is new and adds it
  mutable std::mutex index_;                              ///< of `places_`
  std::unordered_multimap<std::uint64_t, Place> places_;  ///< by the XXH3 of the digest
  records::RecordLog file_;
};

/// Calls `take` with all replies of a log, as they were added. Throws as RecordLog does.
void for_each_reply(const std::filesystem::path& log, const std::function<void(JudgmentLog::Entry)>& take);

/// Writes all replies as JSON lines, gzip-compressed when the name ends in ".gz": digest, fields, and the reply as
/// text, or as `reply_hex` where it is not UTF-8. Sorted by digest. Throws StorageError.
/// \param store  see JudgmentLog
/// \param more   logs whose replies are written too
flow::KeptLog::Count export_log(const std::filesystem::path& log, const storage::Store* store,
                                const std::filesystem::path& file, const std::vector<std::filesystem::path>& more = {});
/// Reads what export_log wrote; digests that are there already are left as they are. Throws FormatError with the line,
/// after everything before it was added.
flow::KeptLog::Count import_log(JudgmentLog& log, const std::filesystem::path& file);

}  // namespace touchstone::pipeline::judging
