#pragma once

#include "common/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// TREC qrels: `topic iteration docid grade`, one judged passage a line.
namespace touchstone::formats::trec {

/// One judged passage.
struct QrelRecord {
  std::string topic, docid;
  int grade = 0;
  template <class Fields>
  void fields(Fields& field) {
    field("topic", topic)("docid", docid)("grade", grade);
  }
  friend auto operator<=>(const QrelRecord&, const QrelRecord&) = default;
};

inline constexpr int kMinGrade = -127;
inline constexpr int kMaxGrade = 127;
inline constexpr std::size_t kMaxQrelLineBytes = std::size_t{1} << 20;

/// Reads one line: four fields parted by white space, as trec_eval reads them. The second field is ignored. The
/// failure is the end of a sentence that starts with file and line.
Result<QrelRecord, std::string> parse_qrel(std::string_view line);

/// `topic 0 docid grade` and a line end.
std::string qrel_line(const QrelRecord& qrel);

/// Calls `qrel(record, line_number)` for every line of a plain or gzip file, in file order; blank lines and comments
/// (lines that start with `#`) are skipped.
/// Throws FormatError with file, line and remedy at the first line that is not a qrel, StorageError if the file is
/// unreadable.
void for_each_qrel(const std::filesystem::path& path,
                   const std::function<void(const QrelRecord&, std::uint64_t)>& qrel);

/// The whole file, in file order. Throws as `for_each_qrel` does, and FormatError if a (topic, docid) occurs twice.
std::vector<QrelRecord> read_qrels(const std::filesystem::path& path);

/// Why a line of a run or of qrels is not used.
enum class LineFault : std::uint8_t { kFields, kNumber, kTwice };
inline constexpr std::size_t kLineFaults = 3;

/// "lines with the wrong number of fields", ...
std::string_view line_fault_name(LineFault fault) noexcept;

/// Lines that were not used, by reason, and where the first one starts. The order of adding does not matter.
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

}  // namespace touchstone::formats::trec
