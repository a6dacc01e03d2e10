#pragma once

#include "llm_client/reply_store.hpp"
#include "pipeline/flow/stage.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging {

/// The record of the store: a line of JSON with everything but the reply, then the reply's bytes as they are.
std::string encode_reply(const llm_client::StoredReply& reply);
/// Throws StorageError.
llm_client::StoredReply decode_reply(std::string_view digest, std::string_view value);

/// The reply filed under a request's digest; nothing when it was never asked. Thread-safe.
std::optional<llm_client::StoredReply> find_reply(const storage::Store& store, std::string_view digest);

/// The replies of all judges, in the store. Thread-safe.
class JudgmentLog : public llm_client::ReplyStore {
 public:
  explicit JudgmentLog(storage::Store& store) : store_(store) {}

  std::optional<llm_client::StoredReply> find(std::string_view digest) const override;
  std::size_t add(const std::vector<Entry>& entries) override;
  void add_new(const std::vector<Entry>& entries) override;
  /// Adds replies that can be had again at no cost: they outlive the end of this process, and no power cut. Returns how
  /// many were new.
  std::size_t add_computed(const std::vector<Entry>& entries);

 private:
  std::size_t add(const std::vector<Entry>& entries, storage::Durability durability);

  storage::Store& store_;
};

/// Writes all replies as JSON lines, gzip-compressed when the name ends in ".gz": digest, fields, and the reply as
/// text, or as `reply_hex` where it is not UTF-8. Sorted by digest. Throws StorageError.
flow::KeptLog::Count export_log(const storage::Store& store, const std::filesystem::path& file);
/// Reads what export_log wrote; digests that are there already are left as they are. Throws FormatError with the line,
/// after everything before it was added.
flow::KeptLog::Count import_log(storage::Store& store, const std::filesystem::path& file);

}  // namespace touchstone::pipeline::judging
