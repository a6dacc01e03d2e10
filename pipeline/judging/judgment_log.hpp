#pragma once

#include "pipeline/flow/stage.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging {

/// A reply as it was received.
struct LoggedReply {
  std::string judge;
  std::string reply;           ///< verbatim, any bytes
  std::uint64_t status = 200;  ///< HTTP status; 200 for judges without a server
  std::uint64_t prompt_tokens = 0, cached_tokens = 0, reply_tokens = 0;  ///< as the server counted them, or 0
  std::uint64_t attempts = 1;
  std::int64_t cost = 0;         ///< 10^-12 US dollars, by the prices at that time
  std::uint64_t latency_us = 0;  ///< of the attempt that was answered; 0: not known

  friend bool operator==(const LoggedReply&, const LoggedReply&) = default;
};

/// The record of the store: a line of JSON with everything but the reply, then the reply's bytes as they are.
std::string encode_reply(const LoggedReply& reply);
/// Throws StorageError.
LoggedReply decode_reply(std::string_view digest, std::string_view value);

/// The reply filed under a request's digest; nothing when it was never asked. Thread-safe.
std::optional<LoggedReply> find_reply(const storage::Store& store, std::string_view digest);

/// Replies in the store, keyed by request digest; what is there is never overwritten. Thread-safe.
class JudgmentLog {
 public:
  explicit JudgmentLog(storage::Store& store) : store_(store) {}

  std::optional<LoggedReply> find(std::string_view digest) const { return find_reply(store_, digest); }

  struct Entry {
    std::string digest;
    LoggedReply reply;
  };
  /// Replies that become durable together. A digest that is there already is left as it is. Returns how many are new.
  std::size_t add(const std::vector<Entry>& entries, storage::Durability durability = storage::Durability::kProcess);
  /// Likewise, for digests of which the caller knows that they are not there: saves looking for each.
  void add_new(const std::vector<Entry>& entries, storage::Durability durability);

 private:
  storage::Store& store_;
};

/// Writes all replies as JSON lines, gzip-compressed when the name ends in ".gz": digest, fields, and the reply as
/// text, or as `reply_hex` where it is not UTF-8. Sorted by digest. Throws StorageError.
flow::KeptLog::Count export_log(const storage::Store& store, const std::filesystem::path& file);
/// Reads what export_log wrote; digests that are there already are left as they are. Throws FormatError with the line,
/// after everything before it was added.
flow::KeptLog::Count import_log(storage::Store& store, const std::filesystem::path& file);

}  // namespace touchstone::pipeline::judging
