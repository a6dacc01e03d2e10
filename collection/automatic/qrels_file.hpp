#pragma once

#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "formats/trec/qrels.hpp"

#include <cstdint>
#include <filesystem>
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
/// facet or docid may not be in a field of qrels: it is empty, or holds white space or a control character. `page`
/// names the page in the message.
std::string checked_qrels_line(const formats::trec::QrelRecord& qrel, const std::string& facet, std::string_view page);

/// Writes judgments of many pages, in any order, as files sorted by topic, then docid, each line there once. Files may
/// have lines in common, such as those of the test topics and of a fold of them. Memory is bounded. The files appear
/// when they are complete. Not thread-safe.
class QrelsWriter {
 public:
  static constexpr std::size_t kSortBytes = std::size_t{4} << 20;

  /// \param paths       at most 64
  /// \param sort_bytes  memory for lines; the rest is sorted on disk beside the first file
  explicit QrelsWriter(std::vector<std::filesystem::path> paths, WriteOptions options = {},
                       std::size_t sort_bytes = kSortBytes);

  /// \param lines  of `checked_qrels_line`
  /// \param files  a bit for each path that gets them
  void add_lines(std::string_view lines, std::uint64_t files = 1);
  /// Returns what the first file holds. Throws StorageError if a file cannot be written.
  QrelsCount finish();

 private:
  struct Line {
    std::string text;
    std::uint64_t files = 0;
    template <class Fields>
    void fields(Fields& field) {
      field("text", text)("files", files);
    }
    friend auto operator<=>(const Line&, const Line&) = default;
  };

  std::vector<std::filesystem::path> paths_;
  WriteOptions options_;
  records::Sorter<Line> lines_;
};

}  // namespace touchstone::collection::automatic
