#pragma once

#include "common/file_text.hpp"
#include "common/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// TREC runs: `topic Q0 docid rank score tag`, one retrieved passage a line.
namespace touchstone::formats {

/// What stands in one line of a run; views into the line. The second field and the rank are not looked at, since
/// scorers order by score.
struct RunLine {
  std::string_view topic, docid, tag;
  double score = 0;
  bool has_more = false;  ///< fields behind the tag, which trec_eval ignores
};

/// Why a line of a run or of qrels is not used.
enum class LineFault : std::uint8_t { kFields, kNumber, kTwice };
inline constexpr std::size_t kLineFaults = 3;

/// "lines with the wrong number of fields", ...
std::string_view line_fault_name(LineFault fault) noexcept;

/// Reads one line: six fields parted by white space; the score is a finite decimal number.
Result<RunLine, LineFault> parse_run_line(std::string_view line) noexcept;

/// Lines that were not used, by reason, and where the first one starts. Adding up is order-independent.
struct LineFaults {
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::array<std::uint64_t, kLineFaults> count{};
  LineFault first_fault = LineFault::kFields;
  std::size_t first_offset = kNowhere;
  std::uint64_t with_more_fields = 0;  ///< used, but with words behind the tag
  std::size_t first_with_more = kNowhere;

  void add(LineFault fault, std::size_t offset) noexcept;
  void add(const LineFaults& other) noexcept;
  std::uint64_t total() const noexcept;
};

/// One retrieved passage of a topic.
struct RunEntry {
  double score;
  std::string_view docid;    ///< view into the file
  std::uint64_t docid_hash;  ///< xxh3_64 of the docid
};

/// A run in memory: its text and where the lines of each topic are. Lines of a topic need not stand together. White
/// space at the start, blank lines and lines that start with `#` are skipped, as trec_eval does. Reading topics is
/// thread-safe; entries view the file's text, so the object has to outlive them.
class RunFile {
 public:
  /// Indexes the file (plain, gzip, pipe, `-`) with as many threads as the caller's TBB arena has. Throws as FileText
  /// does, and FormatError when there is no line or a byte-order mark.
  explicit RunFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::size_t topic_count() const noexcept { return topics_.size(); }
  std::string_view topic(std::size_t index) const { return topics_[index]; }
  /// Tag of the last line, as trec_eval reports it.
  const std::string& tag() const noexcept { return tag_; }

  /// Fills `entries` with the topic's passages in rank order: score descending, equal scores by docid descending in
  /// byte order (as trec_eval 10 breaks ties). Returns what was left out; of a docid that comes twice the first counts.
  LineFaults read_topic(std::size_t index, std::vector<RunEntry>& entries) const;

  /// Says that the entries of topics `first` to `last` (exclusive) are no longer looked at, so that a large file need
  /// not be in memory as a whole. Worth calling for some megabytes at a time.
  void release_topics(std::size_t first, std::size_t last) const noexcept;

  /// The sentence about a fault: file, line, what is wrong, what to do.
  std::string describe(LineFault fault, std::size_t offset) const;
  std::uint64_t line_at(std::size_t offset) const noexcept { return line_number(text_.view(), offset); }
  /// Where the first line of a topic starts.
  std::size_t first_offset(std::size_t index) const { return segments_[first_segment_[index]].begin; }

 private:
  struct Segment {
    std::size_t begin, end;  ///< bytes of consecutive lines of one topic
  };

  void index_topics();

  std::filesystem::path path_;
  FileText text_;
  std::vector<std::string> topics_;         ///< in the order in which they first occur
  std::vector<Segment> segments_;           ///< by topic, then by place
  std::vector<std::size_t> first_segment_;  ///< topic_count() + 1 entries
  std::string tag_;
};

}  // namespace touchstone::formats
