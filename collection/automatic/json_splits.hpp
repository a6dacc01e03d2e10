#pragma once

#include "common/files.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone::collection::automatic {

/// JSON lines in files of a bounded number of lines: `<folder>/<name>-0.jsonl.gz`, `<name>-1.jsonl.gz`, ... The first
/// one is there even without lines. Not thread-safe. Throws StorageError if a file cannot be written.
class JsonSplits {
 public:
  JsonSplits(std::filesystem::path folder, std::string name, std::size_t lines_per_file, WriteOptions options = {});

  /// \param line  with its line end
  void write(std::string_view line);
  void finish();

 private:
  void open();

  std::filesystem::path folder_;
  std::string name_;
  WriteOptions options_;
  std::size_t lines_per_file_, lines_ = 0, files_ = 0;
  std::unique_ptr<TextWriter> file_;
};

}  // namespace touchstone::collection::automatic
