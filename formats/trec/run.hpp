#pragma once

#include "common/file_text.hpp"
#include "common/result.hpp"
#include "formats/trec/qrels.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// TREC runs: `topic Q0 docid rank score tag`, one retrieved passage a line.
namespace touchstone::formats::trec {

/// What is in one line of a run; views into the line. The second field and the rank are ignored, since scorers
/// order by score.
struct RunLine {
  std::string_view topic, docid, tag;
  double score = 0;
  bool has_more = false;  ///< there are fields behind the tag; trec_eval ignores them
};

/// Reads one line: six fields parted by white space; the score is a finite decimal number.
Result<RunLine, LineFault> parse_run_line(std::string_view line) noexcept;

/// One retrieved passage of a topic.
struct RunEntry {
  double score;
  std::string_view docid;    ///< view into the file
  std::uint64_t docid_hash;  ///< xxh3_64 of the docid
};

/// A run in memory: its text and where the lines of each topic are. Lines of a topic need not be together. White
/// space at the start, blank lines and lines that start with `#` are skipped, as trec_eval does. Reading topics is
/// thread-safe; entries view the file's text, so the object has to outlive them.
class RunFile {
 public:
  /// Indexes the file (plain, gzip, pipe, `-`) with as many threads as the caller's TBB arena has. Throws as FileText
  /// does, and FormatError if there is a byte-order mark. A file without a line is the run of a system that answers no
  /// topic.
  explicit RunFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::size_t topic_count() const noexcept { return topics_.size(); }
  std::string_view topic(std::size_t index) const { return topics_[index]; }
  /// Tag of the last line, as trec_eval reports it; empty if there is no line.
  const std::string& tag() const noexcept { return tag_; }

  /// Fills `entries` with the topic's passages in rank order: score descending, equal scores by docid descending in
  /// byte order (as trec_eval 10 breaks ties). Returns what was left out; of a docid that comes twice the first counts.
  LineFaults read_topic(std::size_t index, std::vector<RunEntry>& entries) const;

  /// Says that the entries of topics `first` to `last` (exclusive) are no longer used, so that a large file need
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

  struct Chunk;

  static Chunk index_chunk(std::string_view text, std::size_t begin, std::size_t end);
  void index_topics();

  std::filesystem::path path_;
  FileText text_;
  std::vector<std::string> topics_;         ///< in the order in which they first occur
  std::vector<Segment> segments_;           ///< by topic, then by place
  std::vector<std::size_t> first_segment_;  ///< topic_count() + 1 entries
  std::string tag_;
};

}  // namespace touchstone::formats::trec
