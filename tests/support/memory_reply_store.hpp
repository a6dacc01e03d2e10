#pragma once

#include "llm_client/reply_store.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::testing {

/// A ReplyStore in memory.
class MemoryReplyStore : public llm_client::ReplyStore {
 public:
  std::optional<llm_client::StoredReply> find(std::string_view digest) const override {
    const std::lock_guard lock(mutex_);
    const auto found = replies_.find(digest);
    if (found == replies_.end()) return std::nullopt;
    return found->second;
  }
  std::size_t add(const std::vector<Entry>& entries) override {
    const std::lock_guard lock(mutex_);
    std::size_t added = 0;
    for (const auto& [digest, reply] : entries) added += replies_.emplace(digest, reply).second ? 1 : 0;
    return added;
  }
  void add_new(const std::vector<Entry>& entries) override { add(entries); }

  void clear() {
    const std::lock_guard lock(mutex_);
    replies_.clear();
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return replies_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, llm_client::StoredReply, std::less<>> replies_;
};

}  // namespace touchstone::testing
