#pragma once

#include "collection/release/manifest.hpp"
#include "common/error.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the validators of both kinds share.
namespace touchstone::collection::release {

inline constexpr std::size_t kMaxProblems = 100;

/// Something that is wrong with a collection.
struct Problem {
  std::string file;
  std::uint64_t line = 0;  ///< 0: the file as a whole
  std::string what;        ///< one sentence, with the offending value and what to do
};

struct ValidationReport {
  std::vector<Problem> problems;                ///< at most kMaxProblems
  std::uint64_t problem_count = 0;              ///< all of them
  std::vector<std::string> warnings;            ///< failed health checks, a sentence each; they are not problems
  std::map<std::string, std::uint64_t> counts;  ///< topics, passages, qrels, ...
  bool ok() const noexcept { return problem_count == 0; }
};

/// One run over the directory of a collection. Its checks use no code that writes a collection: they know the rules of
/// the formats, and recompute numbers from the files alone. Checks that compare a file with another one are left out if
/// the other could not be read, so that one damage gives one message.
class Validation {
 protected:
  Validation(std::filesystem::path directory, const StopFlag& stop, std::size_t max_line_bytes)
      : directory_(std::move(directory)), stop_(stop), max_line_bytes_(max_line_bytes) {}

  /// \param line  0: the file as a whole
  void problem(std::string_view file, std::uint64_t line, std::string what);
  /// Reports that a file cannot be read.
  void damaged(std::string_view file, const Error& error);

  bool is_present(std::string_view file) const { return present_.contains(file); }

  /// Fills `present_` and `changed_`: the files are there, and as sha256sums.txt says.
  /// \param names  of the files that a collection of the kind has
  void check_digests(const std::vector<std::string>& names);

  /// Compares what manifest.json says of the files.
  void check_listed_files(const std::vector<std::string>& names, const std::vector<FileEntry>& listed);

  /// Calls `check(line, number)` for each line and compares the line with what it returns: the line as it should be,
  /// with its line end, or nothing if it has reported a problem with the line. Returns false if the file could not be
  /// read to its end.
  bool read_lines(std::string_view file, const std::function<std::string(std::string_view, std::uint64_t)>& check);

  std::filesystem::path directory_;
  const StopFlag& stop_;
  std::size_t max_line_bytes_;
  ValidationReport report_;
  std::map<std::string, FileEntry, std::less<>> present_;  ///< with size and digest once sha256sums.txt is read
  std::set<std::string, std::less<>> changed_;             ///< files whose digest is not the listed one
};

}  // namespace touchstone::collection::release
