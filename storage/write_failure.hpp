#pragma once

#include <atomic>

#include <rocksdb/listener.h>

namespace touchstone::storage::internal {

/// Remembers that a database could not write something: when it was asked to, or in the background, where the next
/// write would tell. Thread-safe.
class WriteFailure : public rocksdb::EventListener {
 public:
  void note() noexcept { happened_ = true; }
  bool happened() const noexcept { return happened_; }

  void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status*) override { note(); }

 private:
  std::atomic<bool> happened_ = false;
};

/// Lets the process end without destructors of static objects, with the status it was about to end with: those of
/// RocksDB must not run while threads of a database that was never closed still use them.
void end_without_destructors() noexcept;

}  // namespace touchstone::storage::internal
