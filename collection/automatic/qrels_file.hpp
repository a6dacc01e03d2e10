#pragma once

#include "common/files.hpp"
#include "common/line_sorter.hpp"
#include "formats/trec/qrels.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::automatic {

/// What a file of qrels holds.
struct QrelsCount {
  std::uint64_t judgments = 0, topics = 0;
  friend bool operator==(const QrelsCount&, const QrelsCount&) = default;
};

/// `topic facet docid grade` and a line end; without facets, the second field is "0". Throws FormatError if topic,
/// facet or docid may not stand in a field of qrels: it is empty, or holds white space or a control character. `page`
/// names the page in the message.
std::string checked_qrels_line(const formats::trec::QrelRecord& qrel, const std::string& facet, std::string_view page);

/// Writes judgments of many pages, in any order, as one file sorted by topic, then docid, each line there once. Memory
/// is bounded. The file appears when it is complete. Not thread-safe.
class QrelsFileWriter {
 public:
  static constexpr std::size_t kSortBytes = std::size_t{8} << 20;

  /// \param sort_bytes  memory for lines; the rest is sorted on disk beside the file
  explicit QrelsFileWriter(std::filesystem::path path, std::size_t sort_bytes = kSortBytes, WriteOptions options = {});

  /// Throws FormatError as `checked_qrels_line` does.
  void add(const formats::trec::QrelRecord& qrel, std::string_view page);
  /// \param lines  of `checked_qrels_line`
  void add_lines(std::string_view lines);

  /// Throws StorageError if the file cannot be written.
  QrelsCount finish();

 private:
  std::filesystem::path path_;
  WriteOptions options_;
  LineSorter lines_;
};

/// Writes several files of qrels that have lines in common, such as those of the test topics and of a fold of them.
/// Each is what QrelsFileWriter makes of its lines; all lines are sorted at once. Not thread-safe.
class PartedQrelsWriter {
 public:
  static constexpr std::size_t kSortBytes = std::size_t{24} << 20;

  PartedQrelsWriter(std::vector<std::filesystem::path> paths, WriteOptions options,
                    std::size_t sort_bytes = kSortBytes);

  /// \param lines  of `checked_qrels_line`
  /// \param files  ascending indexes into the paths; at most 90 different lists
  void add_lines(std::string_view lines, const std::vector<std::size_t>& files);
  /// Throws StorageError if a file cannot be written.
  void finish();

 private:
  using Files = std::vector<std::size_t>;

  std::vector<std::filesystem::path> paths_;
  WriteOptions options_;
  LineSorter lines_;              ///< each with the number of its list of files behind it
  std::vector<Files> lists_;      ///< of files
  std::map<Files, char> number_;  ///< of a list, as a character
};

}  // namespace touchstone::collection::automatic
