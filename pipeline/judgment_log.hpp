#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline {

/// A reply as it was received.
struct LoggedReply {
  std::string judge, reply;
  std::uint64_t prompt_tokens = 0, reply_tokens = 0, attempts = 1;
  double cost = 0;
};

/// The reply filed under a request's digest; nothing when it was never asked. Thread-safe.
std::optional<LoggedReply> find_reply(const storage::Store& store, std::string_view digest);

/// Replies in the store, keyed by request digest; what is there is never overwritten. Thread-safe.
class JudgmentLog {
 public:
  explicit JudgmentLog(storage::Store& store) : store_(store) {}

  std::optional<LoggedReply> find(std::string_view digest) const { return find_reply(store_, digest); }

  /// Replies that become durable together. A digest that is there already is left as it is.
  struct Entry {
    std::string digest;
    LoggedReply reply;
  };
  void add(const std::vector<Entry>& entries);

 private:
  storage::Store& store_;
};

}  // namespace touchstone::pipeline
