#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone {

/// Sorts any number of lines by their bytes in bounded memory, and drops lines that are there twice. Lines beyond the
/// memory are spilled to sorted runs in a folder and merged when they are read. The runs are deleted with this object.
/// Not thread-safe.
class LineSorter {
 public:
  /// \param folder        folder for spilled runs
  /// \param name          distinguishes several sorters in one folder
  /// \param memory_bytes  limit for the lines in memory
  LineSorter(std::filesystem::path folder, std::string name, std::size_t memory_bytes);
  ~LineSorter();
  LineSorter(const LineSorter&) = delete;
  LineSorter& operator=(const LineSorter&) = delete;

  /// \pre the line holds no line end. Throws StorageError if a run cannot be written.
  void add(std::string_view line);

  /// Calls `line` for every different line in ascending order of bytes. May be called once, after the last `add`.
  /// Throws StorageError if a run cannot be read.
  void for_each(const std::function<void(std::string_view)>& line);

 private:
  struct Run;

  void sort_lines();
  void spill();

  std::filesystem::path folder_;
  std::string name_;
  std::size_t memory_bytes_;
  std::string text_;                                        ///< lines in memory, one after the other
  std::vector<std::pair<std::size_t, std::size_t>> lines_;  ///< offset and size in `text_`
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace touchstone
