#pragma once

#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>

#include <rocksdb/env.h>

namespace touchstone::storage::internal {

/// What RocksDB warns about, in the store's file LOG. RocksDB's own log ends the program when the disk is too full for
/// it; this one goes without the lines that cannot be written. Thread-safe.
class StoreLog : public rocksdb::Logger {
 public:
  /// \param file  is emptied; an empty path keeps nothing
  explicit StoreLog(const std::filesystem::path& file);

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  /// The settings, which the store's OPTIONS file holds anyway.
  void LogHeader(const char*, va_list) override {}

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::mutex mutex_;
  std::unique_ptr<std::FILE, Close> file_;
  long bytes_ = 0;
};

}  // namespace touchstone::storage::internal
