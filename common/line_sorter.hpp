#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone {

/// Sorts any number of lines by their bytes in bounded memory, and drops lines that are there twice. Lines beyond the
/// memory are spilled to sorted files in a folder. The files have no names, so that nothing is left of them when the
/// program is killed; few are open at a time. Not thread-safe.
class LineSorter {
 public:
  /// \param folder        folder on the disk that holds spilled lines
  /// \param memory_bytes  limit for the lines in memory
  LineSorter(std::filesystem::path folder, std::size_t memory_bytes);
  ~LineSorter();
  LineSorter(const LineSorter&) = delete;
  LineSorter& operator=(const LineSorter&) = delete;

  /// \pre the line holds no line end. Throws StorageError if lines cannot be spilled.
  void add(std::string_view line);
  /// Adds all lines of a text. \pre each has its line end
  void add_lines(std::string_view text);

  /// Calls `line` for every different line in ascending order of bytes. May be called once, after the last `add`.
  /// Throws StorageError if spilled lines cannot be read.
  void for_each(const std::function<void(std::string_view)>& line);

 private:
  class Run;
  using LineSink = std::function<void(std::string_view)>;

  void sort_lines();
  void spill();
  /// Merges runs of one size into a larger one, so that their number stays small.
  void merge_full_levels();
  void merge(std::size_t first_run, const LineSink& line);
  std::unique_ptr<Run> new_run(int level) const;

  std::filesystem::path folder_;
  std::size_t memory_bytes_;
  std::string text_;                                        ///< lines in memory, one after the other
  std::vector<std::pair<std::size_t, std::size_t>> lines_;  ///< offset and size in `text_`
  std::vector<std::unique_ptr<Run>> runs_;                  ///< larger ones first
};

}  // namespace touchstone
