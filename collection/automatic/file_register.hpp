#pragma once

#include "collection/manifest.hpp"
#include "common/files.hpp"

#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

namespace touchstone::collection::automatic {

/// Notes the size and digest of each file of a directory while it is written, so that no file is read again. Files are
/// not flushed to disk one by one. Thread-safe.
class FileRegister {
 public:
  explicit FileRegister(std::filesystem::path root) : root_(std::move(root)) {}
  FileRegister(const FileRegister&) = delete;
  FileRegister& operator=(const FileRegister&) = delete;

  /// For all files of the directory. Refers to this object.
  WriteOptions options() {
    WriteOptions options;
    options.flush_to_disk = false;
    options.compression = Compression::kParallel;
    options.finished = [this](const FinishedFile& file) { add(file); };
    return options;
  }

  /// The files that are complete, by name.
  std::vector<FileEntry> entries() const;

 private:
  void add(const FinishedFile& file);

  std::filesystem::path root_;
  mutable std::mutex mutex_;
  std::vector<FileEntry> entries_;
};

}  // namespace touchstone::collection::automatic
