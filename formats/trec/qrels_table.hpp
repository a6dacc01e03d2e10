#pragma once

#include "common/file_text.hpp"
#include "formats/trec/qrels.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Qrels held for scoring many runs: fast look-up of a grade, counts by grade, and optionally facets.
namespace touchstone::formats::trec {

struct QrelsOptions {
  /// The second field names a facet (diversity qrels, `topic facet docid grade`), so that a docid may be judged once
  /// for each facet of a topic. Otherwise the field is ignored and a docid may be judged once.
  bool facets = false;
  bool lenient = false;  ///< skip and count lines that are not qrels, instead of throwing
};

/// Judgments of a qrels file by topic and docid. Immutable after construction and thread-safe.
class QrelsTable {
 public:
  struct Judgment {
    std::string_view docid;
    std::int16_t grade = 0;  ///< with facets: the highest of them. Negative: in the pool but not judged
  };
  struct FacetGrade {
    std::uint32_t judgment;  ///< index into judgments(topic)
    std::uint32_t facet;     ///< 0 .. facet_count(topic) - 1
    std::int16_t grade;
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// Reads a plain or gzip file; blank lines and lines that start with `#` are skipped. Throws
  /// StorageError if it is unreadable. Throws FormatError, with file, line and remedy, at the first line that is not a
  /// qrel or judges a pair again, and if there is no judgment.
  explicit QrelsTable(const std::filesystem::path& path, const QrelsOptions& options = {});

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Topics are numbered in byte order of their ids.
  std::size_t topic_count() const noexcept { return topics_.size(); }
  std::string_view topic(std::size_t index) const { return topics_[index].id; }
  std::optional<std::size_t> find_topic(std::string_view id) const;

  std::span<const Judgment> judgments(std::size_t topic) const;
  /// Index into judgments(topic), or kNone. `hash` is xxh3_64(docid).
  std::uint32_t find(std::size_t topic, std::string_view docid, std::uint64_t hash) const noexcept {
    return find(topics_[topic], docid, hash);
  }
  /// `[g]` is the number of docids of grade g, from 0 to the highest grade of the topic.
  std::span<const std::uint32_t> grade_counts(std::size_t topic) const;

  /// Grades by facet, ordered by judgment, then facet. Empty unless read with facets.
  std::span<const FacetGrade> facet_grades(std::size_t topic) const;
  std::size_t facet_count(std::size_t topic) const { return topics_[topic].facets; }

  const LineFaults& faults() const noexcept { return faults_; }
  std::uint64_t line_at(std::size_t offset) const noexcept { return line_number(text_.view(), offset); }

 private:
  struct Topic {
    std::string_view id;
    std::size_t first_judgment = 0, judgments = 0, first_slot = 0, slot_mask = 0, first_count = 0, counts = 0,
                first_facet_grade = 0, facet_grades = 0, facets = 0;
  };
  struct Slot {
    std::uint32_t hash = 0;  ///< upper half
    std::uint32_t judgment = kNone;
  };
  struct Row;

  std::vector<Row> read_rows(const QrelsOptions& options);
  std::uint32_t find(const Topic& topic, std::string_view docid, std::uint64_t hash) const noexcept;
  void add_topic(std::span<Row> rows, const QrelsOptions& options);
  /// Adds the first judgment of a docid and returns its index in the topic.
  std::uint32_t add_judgment(const Topic& topic, const Row& row, std::uint64_t hash);
  void add_judgments(Topic& topic, std::span<const Row> rows, bool lenient);
  void add_facet_judgments(Topic& topic, std::span<const Row> rows);
  void count_grades(Topic& topic);
  std::size_t offset_of(const Row& row) const noexcept;
  std::string describe(LineFault fault, std::size_t offset, std::size_t before) const;

  std::filesystem::path path_;
  FileText text_;
  std::vector<Topic> topics_;
  std::vector<Judgment> judgments_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> counts_;
  std::vector<FacetGrade> facet_grades_;
  LineFaults faults_;
};

}  // namespace touchstone::formats::trec
