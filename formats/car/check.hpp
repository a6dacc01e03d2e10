#pragma once

#include "formats/car/record_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Checking a TREC CAR file.
namespace touchstone::formats::car {

/// Something that was found, and where: "record 3 at byte 120" or "line 5". An empty place represents the whole file.
struct Finding {
  std::string where;
  std::string what;
};

struct CheckReport {
  FileKind kind;
  std::vector<std::pair<std::string, std::uint64_t>> counts;  ///< in the order in which they are shown
  std::vector<Finding> problems;                              ///< the first kMaxFindings
  std::uint64_t problem_count = 0;
  std::vector<Finding> remarks;  ///< what readers can live with; the first kMaxFindings
  std::uint64_t remark_count = 0;

  bool ok() const noexcept { return problem_count == 0; }
};

inline constexpr std::size_t kMaxFindings = 100;

/// Reads the whole file. Problems: records that are neither a page nor a paragraph, page ids that occur twice, one
/// paragraph id for different texts, paragraphs twice in a file of paragraphs, paragraphs in outlines, empty ids, lines
/// of qrels that are no judgment, judgments that occur twice. Remarks: paragraph ids that are not the SHA-1 of the
/// text, sections of one page with the same path. Counts of qrels are `judgments`, `topics`, and `pages`, which are the
/// parts of the topics before the first slash. A file that is damaged further on gives a problem and the counts up to
/// there. Memory is 24 bytes for each page and paragraph, beside one record. Throws as `detect_file` does.
CheckReport check_file(const std::filesystem::path& path);

}  // namespace touchstone::formats::car
